// Forks: the child executes a million instructions, which are not traced. Then an execve that fails.
        .global _start
        .text
_start: mov     x0, #17                 // 1    SIGCHLD
        mov     x1, #0                  // 1
        mov     x2, #0                  // 1
        mov     x3, #0                  // 1
        mov     x4, #0                  // 1
        mov     x8, #220                // 1    clone
        svc     #0                      // 1
        cbz     x0, child               // 1
        mov     x1, #0                  // 1
        mov     x2, #0                  // 1
        mov     x3, #0                  // 1
        mov     x8, #260                // 1    wait4
        svc     #0                      // 1
        adr     x0, absent              // 1
        mov     x1, #0                  // 1
        mov     x2, #0                  // 1
        mov     x8, #221                // 1    execve
        svc     #0                      // 1
        mov     x0, #0                  // 1
        mov     x8, #93                 // 1    exit
        svc     #0                      // 1
child:  movz    x1, #10, lsl #16
again:  ldr     x3, [sp]
        subs    x1, x1, #1
        b.ne    again
        mov     x0, #0
        mov     x8, #93
        svc     #0
absent: .asciz  "/absent/program"
