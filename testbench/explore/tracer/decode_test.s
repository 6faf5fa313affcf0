// An instruction a line, and how trace_decode must see it: class, flags, operations, bytes of its access, registers
// that are read (r), written (w) and written back (b).
adr x0, .                       // alu 1 w:x0
add x0, x1, #4                  // alu 1 r:x1 w:x0
add sp, sp, #16                 // alu 1 r:sp w:sp
cmp x1, #4                      // alu 1 r:x1 w:nzcv
and x0, x1, #1                  // alu 1 r:x1 w:x0
tst x1, #1                      // alu 1 r:x1 w:nzcv
movz x2, #1                     // alu 1 w:x2
movk x2, #1, lsl #16            // alu 1 r:x2 w:x2
ubfx x0, x1, #4, #4             // alu 1 r:x1 w:x0
bfi x0, x1, #4, #4              // alu 1 r:x1 r:x0 w:x0
extr x0, x1, x2, #3             // alu 1 r:x1 r:x2 w:x0
mov x3, x4                      // alu 1 r:x4 w:x3
add x0, x1, x2, lsl #2          // alu 1 r:x1 r:x2 w:x0
adds x0, x1, x2                 // alu 1 r:x1 r:x2 w:x0 w:nzcv
add x0, sp, w2, uxtw            // alu 1 r:sp w:x0 r:x2
ands x0, x1, x2                 // alu 1 r:x1 r:x2 w:x0 w:nzcv
adc x0, x1, x2                  // alu 1 r:nzcv r:x1 r:x2 w:x0
ccmp x1, #3, #0, eq             // alu 1 r:nzcv r:x1 w:nzcv
ccmp x1, x2, #0, eq             // alu 1 r:nzcv r:x1 r:x2 w:nzcv
csel x0, x1, x2, eq             // alu 1 r:nzcv r:x1 r:x2 w:x0
rbit x0, x1                     // alu 1 r:x1 w:x0
lsl x0, x1, x2                  // alu 1 r:x1 r:x2 w:x0
mul x0, x1, x2                  // multiply 1 r:x1 r:x2 w:x0
madd x0, x1, x2, x3             // multiply 1 r:x1 r:x2 r:x3 w:x0
umulh x0, x1, x2                // multiply 1 r:x1 r:x2 w:x0
udiv x0, x1, x2                 // divide 1 r:x1 r:x2 w:x0
sdiv w0, w1, w2                 // divide 1 r:x1 r:x2 w:x0
nop                             // alu 1
prfm pldl1keep, [x0]            // alu 1
prfm pldl1keep, [x0, x1]        // alu 1
b .                             // branch 1
bl .                            // branch,call 1 w:x30
b.ne .                          // branch,conditional 1 r:nzcv
cbz x1, .                       // branch,conditional 1 r:x1
tbnz x1, #3, .                  // branch,conditional 1 r:x1
br x1                           // branch,indirect 1 r:x1
blr x1                          // branch,indirect,call 1 r:x1 w:x30
ret                             // branch,indirect,return 1 r:x30
svc #0                          // serializing,exception 1
brk #0                          // serializing,exception 1
isb                             // serializing 1
dmb ish                         // system 1
ic ivau, x0                     // system 1 r:x0
dc zva, x0                      // clear 1 r:x0
dc cvau, x0                     // system 1 r:x0
mrs x0, tpidr_el0               // system 1 w:x0
msr tpidr_el0, x0               // system 1 r:x0
ldr x0, [x1]                    // load 1 8 r:x1 w:x0
ldr w0, [x1, #4]                // load 1 4 r:x1 w:x0
ldrb w0, [x1], #1               // load 2 1 r:x1 w:x0 b:x1
ldrsw x0, [x1, x2]              // load 1 4 r:x1 r:x2 w:x0
ldrsh w0, [x1, #-2]!            // load 2 2 r:x1 w:x0 b:x1
ldr x0, .                       // load 1 8 w:x0
ldr q0, .                       // load 1 16 w:v0
ldr q1, [x2]                    // load 1 16 r:x2 w:v1
ldr d1, [x2], #8                // load 2 8 r:x2 w:v1 b:x2
ldur x0, [x1, #-1]              // load 1 8 r:x1 w:x0
ldp x0, x1, [x2]                // load 2 16 r:x2 w:x0 w:x1
ldp q0, q1, [x2], #32           // load 3 32 r:x2 w:v0 w:v1 b:x2
ldpsw x0, x1, [x2]              // load 2 8 r:x2 w:x0 w:x1
ldxr x0, [x1]                   // load 1 8 r:x1 w:x0
ldaxp x0, x1, [x2]              // load 1 16 r:x2 w:x0 w:x1
ldar w0, [x1]                   // load 1 4 r:x1 w:x0
ldapr x0, [x1]                  // load 1 8 r:x1 w:x0
ld1 {v0.16b-v3.16b}, [x0]       // load 4 64 r:x0 w:v0 w:v1 w:v2 w:v3
ld2 {v0.8b, v1.8b}, [x0], #16   // load 3 16 r:x0 w:v0 w:v1 b:x0
ld1 {v0.s}[1], [x0]             // load 1 4 r:x0 w:v0
ld1r {v0.2d}, [x0]              // load 1 8 r:x0 w:v0
ld3 {v0.b, v1.b, v2.b}[0], [x0] // load 3 3 r:x0 w:v0 w:v1 w:v2
ld1 {v0.16b}, [x0], x1          // load 2 16 r:x0 r:x1 w:v0 b:x0
str x0, [x1]                    // store 1 8 r:x1 r:x0
str xzr, [sp, #-16]!            // store 2 8 r:sp b:sp
strb w0, [x1, x2]               // store 1 1 r:x1 r:x2 r:x0
stp x0, x1, [sp, #-16]!         // store 3 16 r:sp r:x0 r:x1 b:sp
str q0, [x1]                    // store 1 16 r:x1 r:v0
stlr x0, [x1]                   // store 1 8 r:x1 r:x0
st1 {v0.16b}, [x1]              // store 1 16 r:x1 r:v0
st1 {v0.8b-v3.8b}, [sp]         // store 4 32 r:sp r:v0 r:v1 r:v2 r:v3
st4 {v0.16b-v3.16b}, [x1]       // store 4 64 r:x1 r:v0 r:v1 r:v2 r:v3
st4 {v0.16b-v3.16b}, [x1], #64  // store 5 64 r:x1 r:v0 r:v1 r:v2 r:v3 b:x1
st4 {v0.16b-v3.16b}, [x1], x2   // store 5 64 r:x1 r:x2 r:v0 r:v1 r:v2 r:v3 b:x1
st4 {v0.s, v1.s, v2.s, v3.s}[1], [x1], x2 // store 5 16 r:x1 r:x2 r:v0 r:v1 r:v2 r:v3 b:x1
stxr w2, x0, [x1]               // store_exclusive 1 8 r:x1 r:x0 w:x2
stlxp w3, x0, x1, [x2]          // store_exclusive 1 16 r:x2 r:x0 r:x1 w:x3
ldadd x0, x1, [x2]              // atomic 1 8 r:x2 r:x0 w:x1
swpalb w0, w1, [x2]             // atomic 1 1 r:x2 r:x0 w:x1
cas x0, x1, [x2]                // atomic 1 8 r:x2 r:x0 r:x1 w:x0
casp x0, x1, x2, x3, [x4]       // atomic 1 16 r:x4 r:x0 r:x2 w:x0
fadd d0, d1, d2                 // fp 1 r:v1 r:v2 w:v0
fmadd d0, d1, d2, d3            // fp 1 r:v1 r:v2 r:v3 w:v0
fabs d0, d1                     // fp 1 r:v1 w:v0
fmov d0, #1.0                   // fp 1 w:v0
fmov x0, d1                     // fp 1 r:v1 w:x0
fmov d0, x1                     // fp 1 r:x1 w:v0
scvtf d0, x1                    // fp 1 r:x1 w:v0
fcvtzs x0, d1                   // fp 1 r:v1 w:x0
fcmp d0, d1                     // fp 1 r:v0 r:v1 w:nzcv
fcsel d0, d1, d2, eq            // fp 1 r:nzcv r:v1 r:v2 w:v0
fdiv d0, d1, d2                 // fp_divide 1 r:v1 r:v2 w:v0
fsqrt s0, s1                    // fp_divide 1 r:v1 w:v0
add v0.4s, v1.4s, v2.4s         // vector 1 r:v1 r:v2 w:v0
fmul v0.2d, v1.2d, v2.2d        // vector 1 r:v1 r:v2 w:v0
not v0.16b, v1.16b              // vector 1 r:v1 w:v0
addv s0, v1.4s                  // vector 1 r:v1 w:v0
shl v0.4s, v1.4s, #2            // vector 1 r:v1 w:v0
movi v0.16b, #1                 // vector 1 w:v0
dup v0.4s, w1                   // vector 1 r:x1 w:v0
umov w0, v1.s[1]                // vector 1 r:v1 w:x0
ins v0.s[1], w1                 // vector 1 r:x1 w:v0
mla v0.4s, v1.4s, v2.4s         // vector 1 r:v0 r:v1 r:v2 w:v0
fmla v0.4s, v1.4s, v2.4s        // vector 1 r:v0 r:v1 r:v2 w:v0
fmla v0.4s, v1.4s, v2.s[1]      // vector 1 r:v0 r:v1 r:v2 w:v0
smlal v0.4s, v1.4h, v2.4h       // vector 1 r:v0 r:v1 r:v2 w:v0
bsl v0.16b, v1.16b, v2.16b      // vector 1 r:v0 r:v1 r:v2 w:v0
eor v0.16b, v1.16b, v2.16b      // vector 1 r:v1 r:v2 w:v0
smull v0.4s, v1.4h, v2.4h       // vector 1 r:v1 r:v2 w:v0
fmul v0.4s, v1.4s, v2.s[1]      // vector 1 r:v1 r:v2 w:v0
aese v0.16b, v1.16b             // crypto 1 r:v0 r:v1 w:v0
sha256su0 v0.4s, v1.4s          // crypto 1 r:v0 r:v1 w:v0
sha256h q0, q1, v2.4s           // crypto 1 r:v0 r:v1 r:v2 w:v0
