// Writes the variables of its environment, each with the zero behind it.
        .global _start
        .text
_start: ldr     x19, [sp]               // argc
        add     x19, sp, x19, lsl #3
        add     x19, x19, #16           // behind argv and its NULL
next:   ldr     x1, [x19], #8
        cbz     x1, end
        mov     x2, #0
length: ldrb    w3, [x1, x2]
        add     x2, x2, #1
        cbnz    w3, length
        mov     x0, #1
        mov     x8, #64                 // write
        svc     #0
        b       next
end:    mov     x0, #0
        mov     x8, #93
        svc     #0
