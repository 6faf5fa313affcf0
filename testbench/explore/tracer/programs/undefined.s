// The program ends in an instruction that is UNDEFINED.
        .global _start
        .text
_start: mov     x0, #1                  // 1
        mov     x1, #2                  // 1
        .inst   0                       // 0    UNDEFINED
