// Runs for minutes, and has a child that does. A test that fails leaves no process for longer.
        .global _start
        .text
_start: mov     x0, #17                 // SIGCHLD
        mov     x1, #0
        mov     x2, #0
        mov     x3, #0
        mov     x4, #0
        mov     x8, #220                // clone
        svc     #0
        mov     x1, #1 << 33
again:  ldr     x0, [sp]
        subs    x1, x1, #1
        b.ne    again
        mov     x0, #0
        mov     x8, #93                 // exit
        svc     #0
