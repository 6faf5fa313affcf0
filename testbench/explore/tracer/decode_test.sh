#!/usr/bin/env bash
# How instructions are decoded: as the comments of decode_test.s say. Usage: decode_test.sh PRINT
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"

# The order of registers that are read and written does not matter.
sorted() {
  python3 -c 'import sys; [print(*sorted(line.split())) for line in sys.stdin]'
}

arch=armv8.4-a+crypto+fp16+sha3+sm4+i8mm+bf16
aarch64-linux-gnu-as -march="$arch" -o decode.o "$here/decode_test.s" || fail "it is not assembled"
aarch64-linux-gnu-objcopy -O binary decode.o decode.bin
"$program" <decode.bin | sorted >seen
sed -nE 's|^[^/].*// ?||p' "$here/decode_test.s" | sorted >expected
paste -d '#' <(grep -v '^//' "$here/decode_test.s" | sed 's|//.*||') expected seen |
  awk -F '#' '{ n = NF; if ($n != $(n - 1)) { print; bad = 1 } } END { exit bad }' || fail "instructions are decoded otherwise: instruction, expected, seen"
[ "$(wc -l <seen)" = "$(wc -l <expected)" ] || fail "$(wc -l <seen) instructions, expected $(wc -l <expected)"
all_held
