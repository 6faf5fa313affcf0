// The program ends in an instruction that QEMU finds to be UNDEFINED when it executes.
        .global _start
        .text
_start: mov     x0, #1                  // 1
        mrs     x1, tpidr_el0           // 1
        mrs     x6, pmccntr_el0         // 0    UNDEFINED: PMUSERENR_EL0.EN is 0
        add     x6, x6, #1              // 0
        add     x6, x6, #1              // 0
        b       _start                  // 0
