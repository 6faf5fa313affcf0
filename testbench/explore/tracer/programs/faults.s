// Instructions that fault after a part of their access, or are UNDEFINED. The handler skips each. It executes 6
// instructions for each of the 38 exceptions. Each line's comment is the number of times it executes.
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
        mov     x0, #4                  // 1    SIGILL
        svc     #0                      // 1    exception
        adr     x20, none               // 1
        mov     x0, x20                 // 1
        mov     x1, #0x1000             // 1
        mov     x2, #0                  // 1    PROT_NONE
        mov     x8, #226                // 1    mprotect
        svc     #0                      // 1    exception
        adr     x21, readable           // 1
        mov     x0, x21                 // 1
        mov     x2, #1                  // 1    PROT_READ
        svc     #0                      // 1    exception
        sub     x22, x20, #8            // 1    8 bytes can be accessed
        mov     x4, #0                  // 1
        mov     x5, #0                  // 1
        mov     x19, #2                 // 1
loop:   ldp     x6, x7, [x22]           // 0    faults
        add     x18, x18, #1            // 2
        stp     x6, x7, [x22]           // 0    faults
        add     x18, x18, #1            // 2
        ldr     q0, [x22]               // 0    faults
        str     q0, [x22]               // 0    faults
        ld1     {v0.16b}, [x22]         // 0    faults
        ld4     {v0.2s-v3.2s}, [x22]    // 0    faults
        st4     {v0.2s-v3.2s}, [x22]    // 0    faults
        swp     x4, x6, [x21]           // 0    faults: it loads, and cannot store
        ldadd   x4, x6, [x21]           // 0    faults
        stadd   x4, [x21]               // 0    faults
        casal   x4, x5, [x21]           // 0    faults
        swp     x4, x6, [x20]           // 0    faults
        ldxr    x6, [x21]               // 2    load
        stxr    w7, x6, [x21]           // 0    faults
        add     x18, x18, #1            // 2
        .inst   0                       // 0    UNDEFINED
        mrs     x6, ttbr0_el1           // 0    UNDEFINED at EL0
        add     x18, x18, #1            // 2
        mrs     x6, pmccntr_el0         // 0    UNDEFINED: PMUSERENR_EL0.EN is 0
        add     x18, x18, #1            // 2
        mrs     x6, cntvct_el0          // 2
        mrs     x6, daif                // 0    UNDEFINED: SCTLR_EL1.UMA is 0
        msr     daifset, #2             // 0    likewise
        add     x18, x18, #1            // 2
        hvc     #0                      // 0    UNDEFINED at EL0
        subs    x19, x19, #1            // 2
        b.ne    loop                    // 2    branch
        mov     x0, #0                  // 1
        mov     x8, #93                 // 1    exit
        svc     #0                      // 1    exception
handler:
        add     x2, x2, #176            // 38   x2: ucontext; its registers
        ldr     x3, [x2, #264]          // 38   load, of pc
        add     x3, x3, #4              // 38
        str     x3, [x2, #264]          // 38   store
        mov     x8, #139                // 38   rt_sigreturn
        svc     #0                      // 38   exception
        .data
        .balign 8
action: .quad   0, 4, 0, 0              // handler, SA_SIGINFO, restorer, mask
        .balign 4096
        .space  4096
none:   .space  4096
readable:
        .space  4096
