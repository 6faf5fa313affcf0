// Each form of access is the last one of its block. If the tracer waited for more of it, the branch behind it would
// not count. A line with `last` is two instructions: 50 accesses, of which 32 load, 13 store, and 5 do both.
        .arch_extension rcpc
        .macro  last access:vararg
        \access
        b       .+4
        .endm
        .global _start
        .text
_start: adr     x20, data               // 1
        mov     x21, #0                 // 1
        last    ldrb    w0, [x20]
        last    ldrsh   x0, [x20]
        last    ldr     w0, =0x12345678
        last    ldr     q0, one
        last    ldrsw   x0, [x20]
        last    ldr     b0, [x20]
        last    ldr     q0, [x20]
        last    ldr     x0, [x20, x21]
        last    ldr     q0, [x20, #1]!
        last    ldr     x0, [x20], #-1
        last    ldur    x0, [x20, #3]
        last    ldtr    x0, [x20]
        last    ldp     w0, w1, [x20]
        last    ldp     x0, x1, [x20]
        last    ldpsw   x0, x1, [x20]
        last    ldnp    x0, x1, [x20]
        last    ldp     s0, s1, [x20]
        last    ldp     q0, q1, [x20]
        last    ldar    x0, [x20]
        last    ldaprb  w0, [x20]
        last    ldxr    w0, [x20]
        last    stxr    w1, w0, [x20]
        last    ldxp    w0, w1, [x20]
        last    stxp    w2, w0, w1, [x20]
        last    ldaxp   x0, x1, [x20]
        last    stlxp   w2, x0, x1, [x20]
        last    ld1     {v0.8b}, [x20]
        last    ld1     {v0.1d-v2.1d}, [x20]
        last    ld2     {v0.16b, v1.16b}, [x20]
        last    ld3     {v0.4h-v2.4h}, [x20]
        last    ld4     {v0.4s-v3.4s}, [x20]
        last    ld1     {v0.b}[3], [x20]
        last    ld4     {v0.d-v3.d}[1], [x20]
        last    ld1r    {v0.8h}, [x20]
        last    ld4r    {v0.2s-v3.2s}, [x20]
        last    str     q0, [x20]
        last    strb    w0, [x20]
        last    stp     w0, w1, [x20]
        last    stp     q0, q1, [x20]
        last    stlr    x0, [x20]
        last    st1     {v0.2d-v3.2d}, [x20]
        last    st3     {v0.8b-v2.8b}, [x20]
        last    st2     {v0.h, v1.h}[7], [x20]
        last    swpb    w0, w1, [x20]
        last    ldaddal x0, x1, [x20]
        last    stclr   w0, [x20]
        last    cas     x0, x1, [x20]
        last    caspal  w0, w1, w2, w3, [x20]
        last    casp    x0, x1, x2, x3, [x20]
        last    stsmax  x0, [x20]
        mov     x0, #0                  // 1
        mov     x8, #93                 // 1    exit
        svc     #0                      // 1    exception
        .ltorg
        .balign 16
one:    .quad   1, 1
        .data
        .balign 64
data:   .space  128
