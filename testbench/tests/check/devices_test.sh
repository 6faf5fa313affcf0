#!/usr/bin/env bash
# The example devices: their lists of mistakes, and two mistakes in simulation, or with --sample every third one. All of
# them are the campaign: bugs.sh. Usage: devices_test.sh ROOT [--sample]
# shellcheck disable=SC2016  # back quotes are Markdown's and Verilog's
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
root=$1
name=devices
devices=$root/testbench/cosim/check/devices
page=$root/docs/reference/shipped_bugs.md
program=$devices/bugs.sh

# ---- Lists ----
"$program" --list >list || fail "--list"
for device_least in apb:10 dual:10 small:10 threshold:5; do
  device=${device_least%:*}
  [ "$(grep -c "^$device " list)" -ge "${device_least#*:}" ] || fail "$device has fewer than ${device_least#*:} mistakes"
  [ "$(grep -ohE '(ifn?|els?i?f)def BUG_[A-Z0-9_]*' "$devices/$device"/*.*v | grep -oE '[A-Z0-9_]*$' | sort -u)" = \
    "$(sed -n "s/^$device \([^ ]*\) .*/BUG_\1/p" list | sort)" ] || fail "$device: a mistake without a comment"
done

# Each row of the page names a mistake, and has an address.
shipped=$(sed -nE '/^## Planted/,/^## Not/ s/^\| \[.*\]\(https:[^ )]*\) \| .* \| ([a-z]+) \| `BUG_([A-Z0-9_]+)` \|$/\1 \2/p' "$page")
rows=$(sed -n '/^## Planted/,/^## Not/ p' "$page" | grep -c '^| \[')
[ "$(wc -l <<<"$shipped")" = "$rows" ] || fail "a row names no mistake, or has no address"
[ "$rows" -ge 22 ] || fail "the page has $rows bugs"
while read -r bug; do grep -q "^$bug " list || fail "the page has '$bug', which is not planted"; done <<<"$shipped"
[ -z "$(sort <<<"$shipped" | uniq -d)" ] || fail "two rows have one mistake"

# prove_test.sh treats two mistakes otherwise than the rest. Both are in the sample.
"$program" --list --sample >sample || fail "--list --sample"
for bug in 'small CHAIN' 'dual ONE_ANSWER'; do grep -q "^$bug " sample || fail "the sample is without '$bug'"; done

# ---- Campaign ----
# The folder has a fixed name, since check.sh keeps a build for each.
work=$root/build/check/bugs-one
arguments=(--only blind --cycles 500000 --equal 50000 apb:LOST threshold:HIGH_BIT)
if [ "${2-}" = --sample ]; then
  work=$root/build/check/bugs-sample
  arguments=(--sample)
fi
"$program" --built --work "$work" "${arguments[@]}" >out 2>err || fail "the campaign: $(cat out err)"
grep -qxE '\| \[XiangShan 6497\]\(.*\) \| apb \| `BUG_LOST`( \| [0-9]+ \| [0-9]+)+ \|' out || fail "the tables: $(cat out)"

# ---- What fails ----
if [ "${2-}" != --sample ]; then
  status 1 --built --work "$work" --only blind --cycles 1 --equal 1000 apb:LOST
  grep -qx 'bugs.sh: apb.LOST, blind: is not diverged; see .*' err || fail "a mistake that is not found: $(cat err)"
  status 1 --built --work "$work" --only blind --most 1 --equal 1000 apb:LOST
  grep -qx 'bugs.sh: apb.LOST, blind: the reproducer has [0-9]* lines' err || fail "a long reproducer: $(cat err)"
  unusable "^bugs.sh: there is no device or mistake 'nothing'" nothing
  unusable '^bugs.sh: --only takes seen or blind' --only both
  unusable '^bugs.sh: --cycles takes a number' --cycles x
fi

all_held
