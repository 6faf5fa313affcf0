# Points of the RTL, from what verilator_coverage merged: a line for each point, C 'KEYS' COUNT, where
# a key begins with \001 and its value with \002. See code.sh for what is written.
BEGIN {
  FS = "\001"
  OFS = "\t"
}

/^C '/ {
  delete key
  for (i = 2; i <= NF; i++) {
    at = index($i, "\002")
    key[substr($i, 1, at - 1)] = substr($i, at + 1)
  }
  # The last value is followed by the quote and the count.
  at = match($NF, /' [0-9]+$/)
  key[substr($NF, 1, index($NF, "\002") - 1)] = substr($NF, index($NF, "\002") + 1, at - index($NF, "\002") - 1)
  reached = substr($NF, at + 2) > 0
  file = key["f"]
  if (index(file, root) == 1) file = substr(file, length(root) + 1)
  # Probes are not of the design.
  if (key["page"] ~ /^v_toggle/ && key["o"] !~ /^probe_/) print file, key["l"], "toggle", key["o"], reached
  if (key["page"] ~ /^v_branch/) print file, key["l"], "branch", key["o"] "@" key["n"], reached
  put_lines(key["S"])
}

# Lines such as 3,5-7.
function put_lines(lines, n, part, i, ends, line) {
  n = split(lines, part, ",")
  for (i = 1; i <= n; i++) {
    if (split(part[i], ends, "-") == 1) ends[2] = ends[1]
    for (line = ends[1] + 0; line <= ends[2] + 0; line++) print file, line, "line", "", reached
  }
}
