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
rmif x1, #3, #5                 // alu 1 r:nzcv r:x1 w:nzcv
setf8 w1                        // alu 1 r:nzcv r:x1 w:nzcv
setf16 w1                       // alu 1 r:nzcv r:x1 w:nzcv
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
hvc #0                          // system 1
hlt #0                          // system 1
isb                             // serializing 1
dmb ish                         // system 1
ic ivau, x0                     // system 1 r:x0
dc zva, x0                      // clear 1 r:x0
dc cvau, x0                     // system 1 r:x0
mrs x0, tpidr_el0               // system 1 w:x0
msr tpidr_el0, x0               // system 1 r:x0
mrs x0, nzcv                    // system 1 r:nzcv w:x0
msr nzcv, x0                    // system 1 r:x0 w:nzcv
msr nzcv, xzr                   // system 1 w:nzcv
mrs x0, fpsr                    // system 1 w:x0
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
ld1 {v0.s}[1], [x0]             // load 1 4 r:x0 r:v0 w:v0
ld1r {v0.2d}, [x0]              // load 1 8 r:x0 w:v0
ld3r {v0.2d-v2.2d}, [x0]        // load 3 24 r:x0 w:v0 w:v1 w:v2
ld3 {v0.b, v1.b, v2.b}[0], [x0] // load 3 3 r:x0 r:v0 r:v1 r:v2 w:v0 w:v1 w:v2
ld4 {v30.h, v31.h, v0.h, v1.h}[7], [x1], x2   // load 5 8 r:x1 r:x2 r:v30 r:v31 r:v0 r:v1 w:v30 w:v31 w:v0 w:v1 b:x1
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
stadd x0, [x1]                  // store 1 8 r:x1 r:x0
stsetlb w0, [x1]                // store 1 1 r:x1 r:x0
ldadda x0, xzr, [x1]            // atomic 1 8 r:x1 r:x0
swp x0, xzr, [x1]               // atomic 1 8 r:x1 r:x0
cas x0, x1, [x2]                // atomic 1 8 r:x2 r:x0 r:x1 w:x0
casp x0, x1, x2, x3, [x4]       // atomic 1 16 r:x4 r:x0 r:x1 r:x2 r:x3 w:x0 w:x1
casp w30, wzr, w2, w3, [x4]     // atomic 1 8 r:x4 r:x30 r:x2 r:x3 w:x30
fadd d0, d1, d2                 // fp 1 r:v1 r:v2 w:v0
fmadd d0, d1, d2, d3            // fp 1 r:v1 r:v2 r:v3 w:v0
fabs d0, d1                     // fp 1 r:v1 w:v0
fmov d0, #1.0                   // fp 1 w:v0
fmov x0, d1                     // fp 1 r:v1 w:x0
fmov d0, x1                     // fp 1 r:x1 w:v0
scvtf d0, x1                    // fp 1 r:x1 w:v0
fcvtzs x0, d1                   // fp 1 r:v1 w:x0
fmov v0.d[1], x1                // fp 1 r:x1 r:v0 w:v0
fmov x0, v1.d[1]                // fp 1 r:v1 w:x0
scvtf d0, x1, #3                // fp 1 r:x1 w:v0
fcmp d0, d1                     // fp 1 r:v0 r:v1 w:nzcv
fcmp d1, #0.0                   // fp 1 r:v1 w:nzcv
fcmpe s1, #0.0                  // fp 1 r:v1 w:nzcv
fccmp d1, d2, #0, eq            // fp 1 r:nzcv r:v1 r:v2 w:nzcv
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
ins v0.s[1], w1                 // vector 1 r:x1 r:v0 w:v0
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
// Advanced SIMD copy
dup v8.4s, v1.s[1]              // vector 1 r:v1 w:v8
smov x0, v1.h[1]                // vector 1 r:v1 w:x0
ins v8.d[1], x1                 // vector 1 r:v8 r:x1 w:v8
mov v8.s[1], v1.s[0]            // vector 1 r:v8 r:v1 w:v8
mov d8, v1.d[1]                 // vector 1 r:v1 w:v8
// Advanced SIMD table lookup
tbl v8.16b, {v1.16b}, v0.16b    // vector 1 r:v1 r:v0 w:v8
tbl v8.16b, {v1.16b-v4.16b}, v0.16b // vector 1 r:v1 r:v2 r:v3 r:v4 r:v0 w:v8
tbx v8.16b, {v1.16b}, v0.16b    // vector 1 r:v8 r:v1 r:v0 w:v8
tbx v8.16b, {v30.16b, v31.16b, v0.16b, v1.16b}, v2.16b // vector 1 r:v8 r:v30 r:v31 r:v0 r:v1 r:v2 w:v8
// Advanced SIMD permute, extract
zip1 v8.4s, v1.4s, v0.4s        // vector 1 r:v1 r:v0 w:v8
zip2 v8.4s, v1.4s, v16.4s       // vector 1 r:v1 r:v16 w:v8
uzp1 v8.16b, v1.16b, v0.16b     // vector 1 r:v1 r:v0 w:v8
trn2 v8.2d, v1.2d, v0.2d        // vector 1 r:v1 r:v0 w:v8
ext v8.16b, v1.16b, v0.16b, #3  // vector 1 r:v1 r:v0 w:v8
// Advanced SIMD three same, also of half precision
mls v8.4s, v1.4s, v0.4s         // vector 1 r:v8 r:v1 r:v0 w:v8
mul v8.4s, v1.4s, v0.4s         // vector 1 r:v1 r:v0 w:v8
saba v8.4s, v1.4s, v0.4s        // vector 1 r:v8 r:v1 r:v0 w:v8
uaba v8.4s, v1.4s, v0.4s        // vector 1 r:v8 r:v1 r:v0 w:v8
sabd v8.4s, v1.4s, v0.4s        // vector 1 r:v1 r:v0 w:v8
fmls v8.2d, v1.2d, v0.2d        // vector 1 r:v8 r:v1 r:v0 w:v8
facge v8.4s, v1.4s, v0.4s       // vector 1 r:v1 r:v0 w:v8
bit v8.16b, v1.16b, v0.16b      // vector 1 r:v8 r:v1 r:v0 w:v8
bif v8.16b, v1.16b, v0.16b      // vector 1 r:v8 r:v1 r:v0 w:v8
orn v8.16b, v1.16b, v0.16b      // vector 1 r:v1 r:v0 w:v8
fmlal v8.4s, v1.4h, v0.4h       // vector 1 r:v8 r:v1 r:v0 w:v8
fmlsl2 v8.4s, v1.4h, v0.4h      // vector 1 r:v8 r:v1 r:v0 w:v8
fmla v8.8h, v1.8h, v0.8h        // vector 1 r:v8 r:v1 r:v0 w:v8
fmls v8.8h, v1.8h, v0.8h        // vector 1 r:v8 r:v1 r:v0 w:v8
fadd v8.8h, v1.8h, v0.8h        // vector 1 r:v1 r:v0 w:v8
fmaxnmp v8.8h, v1.8h, v0.8h     // vector 1 r:v1 r:v0 w:v8
fcmeq h8, h1, h0                // vector 1 r:v1 r:v0 w:v8
add d8, d1, d0                  // vector 1 r:v1 r:v0 w:v8
fabd s8, s1, s0                 // vector 1 r:v1 r:v0 w:v8
// Advanced SIMD three-register extension
sdot v8.4s, v1.16b, v0.16b      // vector 1 r:v8 r:v1 r:v0 w:v8
udot v8.4s, v1.16b, v0.16b      // vector 1 r:v8 r:v1 r:v0 w:v8
usdot v8.4s, v1.16b, v0.16b     // vector 1 r:v8 r:v1 r:v0 w:v8
sqrdmlah v8.4s, v1.4s, v0.4s    // vector 1 r:v8 r:v1 r:v0 w:v8
sqrdmlsh s8, s1, s0             // vector 1 r:v8 r:v1 r:v0 w:v8
fcmla v8.4s, v1.4s, v0.4s, #90  // vector 1 r:v8 r:v1 r:v0 w:v8
fcadd v8.4s, v1.4s, v0.4s, #90  // vector 1 r:v1 r:v0 w:v8
ummla v8.4s, v1.16b, v0.16b     // vector 1 r:v8 r:v1 r:v0 w:v8
bfmmla v8.4s, v1.8h, v0.8h      // vector 1 r:v8 r:v1 r:v0 w:v8
bfdot v8.4s, v1.8h, v0.8h       // vector 1 r:v8 r:v1 r:v0 w:v8
// Advanced SIMD three different
umlsl2 v8.4s, v1.8h, v0.8h      // vector 1 r:v8 r:v1 r:v0 w:v8
sqdmlal v8.4s, v1.4h, v0.4h     // vector 1 r:v8 r:v1 r:v0 w:v8
sqdmlsl s8, h1, h0              // vector 1 r:v8 r:v1 r:v0 w:v8
sabal v8.4s, v1.4h, v0.4h       // vector 1 r:v8 r:v1 r:v0 w:v8
sabdl v8.4s, v1.4h, v0.4h       // vector 1 r:v1 r:v0 w:v8
addhn v8.4h, v1.4s, v0.4s       // vector 1 r:v1 r:v0 w:v8
addhn2 v8.8h, v1.4s, v0.4s      // vector 1 r:v8 r:v1 r:v0 w:v8
rsubhn2 v8.8h, v1.4s, v0.4s     // vector 1 r:v8 r:v1 r:v0 w:v8
saddl2 v8.4s, v1.8h, v0.8h      // vector 1 r:v1 r:v0 w:v8
ssubw2 v8.4s, v1.4s, v0.8h      // vector 1 r:v1 r:v0 w:v8
pmull v8.1q, v1.1d, v0.1d       // vector 1 r:v1 r:v0 w:v8
sqdmull s8, h1, h0              // vector 1 r:v1 r:v0 w:v8
// Advanced SIMD two-register miscellaneous, also of half precision
suqadd v8.4s, v1.4s             // vector 1 r:v8 r:v1 w:v8
usqadd b8, b1                   // vector 1 r:v8 r:v1 w:v8
sadalp v8.2d, v1.4s             // vector 1 r:v8 r:v1 w:v8
uadalp v8.2d, v1.4s             // vector 1 r:v8 r:v1 w:v8
saddlp v8.2d, v1.4s             // vector 1 r:v1 w:v8
xtn v8.4h, v1.4s                // vector 1 r:v1 w:v8
xtn2 v8.8h, v1.4s               // vector 1 r:v8 r:v1 w:v8
sqxtun2 v8.8h, v1.4s            // vector 1 r:v8 r:v1 w:v8
uqxtn2 v8.8h, v1.4s             // vector 1 r:v8 r:v1 w:v8
fcvtn v8.2s, v1.2d              // vector 1 r:v1 w:v8
fcvtn2 v8.4s, v1.2d             // vector 1 r:v8 r:v1 w:v8
fcvtxn2 v8.4s, v1.2d            // vector 1 r:v8 r:v1 w:v8
fcvtl2 v8.2d, v1.4s             // vector 1 r:v1 w:v8
shll2 v8.4s, v1.8h, #16         // vector 1 r:v1 w:v8
sqxtn h8, s1                    // vector 1 r:v1 w:v8
fcvtxn s8, d1                   // vector 1 r:v1 w:v8
abs d8, d1                      // vector 1 r:v1 w:v8
fabs v8.8h, v1.8h               // vector 1 r:v1 w:v8
frecpx h8, h1                   // vector 1 r:v1 w:v8
// Advanced SIMD across lanes, scalar pairwise
saddlv d8, v1.4s                // vector 1 r:v1 w:v8
uminv s8, v1.4s                 // vector 1 r:v1 w:v8
addp d8, v1.2d                  // vector 1 r:v1 w:v8
faddp s8, v1.2s                 // vector 1 r:v1 w:v8
// Advanced SIMD modified immediate
orr v8.4s, #1                   // vector 1 r:v8 w:v8
bic v8.8h, #1, lsl #8           // vector 1 r:v8 w:v8
mvni v8.4s, #1                  // vector 1 w:v8
movi v8.4s, #1, msl #16         // vector 1 w:v8
fmov v8.2d, #1.0                // vector 1 w:v8
// Advanced SIMD shift by immediate
ssra v8.4s, v1.4s, #2           // vector 1 r:v8 r:v1 w:v8
ursra v8.4s, v1.4s, #2          // vector 1 r:v8 r:v1 w:v8
usra d8, d1, #2                 // vector 1 r:v8 r:v1 w:v8
sli v8.4s, v1.4s, #2            // vector 1 r:v8 r:v1 w:v8
sri v8.4s, v1.4s, #2            // vector 1 r:v8 r:v1 w:v8
sri d8, d1, #2                  // vector 1 r:v8 r:v1 w:v8
shl d8, d1, #2                  // vector 1 r:v1 w:v8
sshr v8.4s, v1.4s, #2           // vector 1 r:v1 w:v8
shrn v8.4h, v1.4s, #2           // vector 1 r:v1 w:v8
shrn2 v8.8h, v1.4s, #2          // vector 1 r:v8 r:v1 w:v8
sqrshrun2 v8.8h, v1.4s, #2      // vector 1 r:v8 r:v1 w:v8
uqshrn2 v8.8h, v1.4s, #2        // vector 1 r:v8 r:v1 w:v8
sqshrn h8, s1, #2               // vector 1 r:v1 w:v8
sshll2 v8.4s, v1.8h, #2         // vector 1 r:v1 w:v8
scvtf v8.4s, v1.4s, #2          // vector 1 r:v1 w:v8
fcvtzs d8, d1, #2               // vector 1 r:v1 w:v8
// Advanced SIMD vector x indexed element: v0, and the high bit of the index
fmla v8.4s, v1.4s, v0.s[2]      // vector 1 r:v8 r:v1 r:v0 w:v8
fmla v8.8h, v1.8h, v0.h[5]      // vector 1 r:v8 r:v1 r:v0 w:v8
fmul v8.2d, v1.2d, v0.d[1]      // vector 1 r:v1 r:v0 w:v8
fmulx v8.4s, v1.4s, v0.s[2]     // vector 1 r:v1 r:v0 w:v8
mla v8.4s, v1.4s, v0.s[3]       // vector 1 r:v8 r:v1 r:v0 w:v8
mul v8.4s, v1.4s, v0.s[2]       // vector 1 r:v1 r:v0 w:v8
mul v8.8h, v1.8h, v0.h[7]       // vector 1 r:v1 r:v0 w:v8
mls v8.8h, v1.8h, v0.h[7]       // vector 1 r:v8 r:v1 r:v0 w:v8
smlal v8.4s, v1.4h, v0.h[5]     // vector 1 r:v8 r:v1 r:v0 w:v8
umlsl2 v8.4s, v1.8h, v0.h[7]    // vector 1 r:v8 r:v1 r:v0 w:v8
sqdmlal v8.2d, v1.2s, v0.s[2]   // vector 1 r:v8 r:v1 r:v0 w:v8
smull v8.4s, v1.4h, v0.h[7]     // vector 1 r:v1 r:v0 w:v8
umull v8.2d, v1.2s, v0.s[2]     // vector 1 r:v1 r:v0 w:v8
sqdmull v8.2d, v1.2s, v0.s[3]   // vector 1 r:v1 r:v0 w:v8
sqdmulh v8.4s, v1.4s, v0.s[2]   // vector 1 r:v1 r:v0 w:v8
sqrdmulh v8.8h, v1.8h, v0.h[7]  // vector 1 r:v1 r:v0 w:v8
sqrdmlah v8.4s, v1.4s, v0.s[2]  // vector 1 r:v8 r:v1 r:v0 w:v8
sqrdmlsh v8.8h, v1.8h, v0.h[7]  // vector 1 r:v8 r:v1 r:v0 w:v8
sdot v8.4s, v1.16b, v0.4b[2]    // vector 1 r:v8 r:v1 r:v0 w:v8
udot v8.4s, v1.16b, v16.4b[3]   // vector 1 r:v8 r:v1 r:v16 w:v8
usdot v8.4s, v1.16b, v16.4b[2]  // vector 1 r:v8 r:v1 r:v16 w:v8
sudot v8.4s, v1.16b, v16.4b[2]  // vector 1 r:v8 r:v1 r:v16 w:v8
bfdot v8.4s, v1.8h, v16.2h[2]   // vector 1 r:v8 r:v1 r:v16 w:v8
bfmlalb v8.4s, v1.8h, v0.h[7]   // vector 1 r:v8 r:v1 r:v0 w:v8
fcmla v8.8h, v1.8h, v16.h[2], #90 // vector 1 r:v8 r:v1 r:v16 w:v8
fmlal v8.4s, v1.4h, v0.h[7]     // vector 1 r:v8 r:v1 r:v0 w:v8
fmlsl2 v8.4s, v1.4h, v0.h[7]    // vector 1 r:v8 r:v1 r:v0 w:v8
fmla d8, d1, v0.d[1]            // vector 1 r:v8 r:v1 r:v0 w:v8
fmul s8, s1, v16.s[2]           // vector 1 r:v1 r:v16 w:v8
sqdmlsl s8, h1, v0.h[7]         // vector 1 r:v8 r:v1 r:v0 w:v8
sqdmull s8, h1, v0.h[7]         // vector 1 r:v1 r:v0 w:v8
sqrdmlah h8, h1, v0.h[7]        // vector 1 r:v8 r:v1 r:v0 w:v8
// Cryptographic AES, two-register and three-register SHA
aesd v8.16b, v1.16b             // crypto 1 r:v8 r:v1 w:v8
aesmc v8.16b, v1.16b            // crypto 1 r:v1 w:v8
aesimc v8.16b, v1.16b           // crypto 1 r:v1 w:v8
sha1h s8, s1                    // crypto 1 r:v1 w:v8
sha1su1 v8.4s, v1.4s            // crypto 1 r:v8 r:v1 w:v8
sha1c q8, s1, v0.4s             // crypto 1 r:v8 r:v1 r:v0 w:v8
sha1su0 v8.4s, v1.4s, v0.4s     // crypto 1 r:v8 r:v1 r:v0 w:v8
sha256su1 v8.4s, v1.4s, v0.4s   // crypto 1 r:v8 r:v1 r:v0 w:v8
// Cryptographic four-register, three-register and imm2, SHA 512
eor3 v8.16b, v1.16b, v0.16b, v2.16b // crypto 1 r:v1 r:v0 r:v2 w:v8
bcax v8.16b, v1.16b, v0.16b, v2.16b // crypto 1 r:v1 r:v0 r:v2 w:v8
sm3ss1 v8.4s, v1.4s, v0.4s, v2.4s // crypto 1 r:v1 r:v0 r:v2 w:v8
sm3tt1a v8.4s, v1.4s, v0.s[2]   // crypto 1 r:v8 r:v1 r:v0 w:v8
xar v8.2d, v1.2d, v0.2d, #3     // crypto 1 r:v1 r:v0 w:v8
rax1 v8.2d, v1.2d, v0.2d        // crypto 1 r:v1 r:v0 w:v8
sha512h q8, q1, v0.2d           // crypto 1 r:v8 r:v1 r:v0 w:v8
sha512su1 v8.2d, v1.2d, v0.2d   // crypto 1 r:v8 r:v1 r:v0 w:v8
sha512su0 v8.2d, v1.2d          // crypto 1 r:v8 r:v1 w:v8
sm3partw2 v8.4s, v1.4s, v0.4s   // crypto 1 r:v8 r:v1 r:v0 w:v8
sm4e v8.4s, v1.4s               // crypto 1 r:v8 r:v1 w:v8
sm4ekey v8.4s, v1.4s, v0.4s     // crypto 1 r:v1 r:v0 w:v8
