// Counts that are typed in trace_test.sh. Each line's comment is the number of times it executes.
        .global _start
        .text
_start: mov     x19, #100               // 1
        adr     x20, data               // 1
        sub     sp, sp, #64             // 1
loop:   ldr     x0, [x20]               // 100  load
        str     x0, [x20, #8]           // 100  store
        ldp     x1, x2, [x20], #16      // 100  load, 3 operations
        stp     x1, x2, [sp, #-16]!     // 100  store, 3 operations
        add     sp, sp, #16             // 100
        sub     x20, x20, #16           // 100
        madd    x3, x1, x2, x0          // 100
        ld1     {v0.16b, v1.16b}, [x20] // 100  load, 2 operations
        fadd    d2, d0, d1              // 100  floating-point
        add     v3.4s, v0.4s, v1.4s     // 100  Advanced SIMD
        aese    v4.16b, v0.16b          // 100  cryptographic
        bl      leaf                    // 100  branch
        tbz     x19, #0, even           // 100  branch, taken 50 times
        nop                             // 50
even:   subs    x19, x19, #1            // 100
        b.ne    loop                    // 100  branch, taken 99 times
        mov     x5, #1                  // 1
        ldxr    x4, [x20]               // 1    load
        stxr    w6, x5, [x20]           // 1    store
        stxr    w7, x5, [x20]           // 1    fails: no store
        ldadd   x5, x4, [x20]           // 1    load and store
        stadd   x5, [x20]               // 1    store: it returns no value
        prfm    pldl1keep, [x20]        // 1
        mrs     x9, tpidr_el0           // 1    System instruction
        dmb     ish                     // 1    System instruction
        isb                             // 1    integer data processing, as svc is
        dc      zva, x20                // 1    store
        cbz     w7, wrong               // 1    branch
        mov     x0, #3                  // 1
        mov     x8, #93                 // 1    exit
        svc     #0                      // 1    exception
wrong:  b       wrong
leaf:   ret                             // 100  branch
        .data
        .balign 64
data:   .quad   1, 2, 3, 4, 5, 6, 7, 8
