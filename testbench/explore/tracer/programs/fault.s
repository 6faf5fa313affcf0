// A load in the middle of a block faults. The handler of SIGSEGV skips the load.
        .global _start
        .text
_start: adr     x1, action              // 1
        adr     x2, handler             // 1
        str     x2, [x1]                // 1    store
        mov     x0, #11                 // 1    SIGSEGV
        mov     x2, #0                  // 1
        mov     x3, #8                  // 1
        mov     x8, #134                // 1    rt_sigaction
        svc     #0                      // 1    exception
        mov     x5, #0                  // 1
        mov     x6, #1                  // 1
        ldr     x7, [x5]                // 0    faults
        add     x6, x6, #1              // 1
        mov     x0, #0                  // 1
        mov     x8, #93                 // 1    exit
        svc     #0                      // 1    exception
handler:
        add     x2, x2, #176            // 1    x2: ucontext; its registers
        ldr     x3, [x2, #264]          // 1    load, of pc
        add     x3, x3, #4              // 1
        str     x3, [x2, #264]          // 1    store
        mov     x8, #139                // 1    rt_sigreturn
        svc     #0                      // 1    exception
        .data
        .balign 8
action: .quad   0, 4, 0, 0              // handler, SA_SIGINFO, restorer, mask
