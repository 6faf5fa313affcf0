// Becomes the program that its first argument names.
        .global _start
        .text
_start: ldr     x0, [sp, #16]           // 1
        add     x1, sp, #16             // 1
        mov     x2, #0                  // 1
        mov     x8, #221                // 1    execve
        svc     #0                      // 1
        mov     x0, #1
        mov     x8, #93
        svc     #0
