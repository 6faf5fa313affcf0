# Reads an IP-XACT component with an element a line, and says which elements of the same name stand
# side by side, which registers of a map overlap or reach beyond the block, and which fields of a
# register overlap or reach beyond it.

# 'h1F or 31
function number(text, value, i) {
  if (text !~ /^'h/) return text + 0
  value = 0
  for (i = 3; i <= length(text); i++) value = 16 * value + index("0123456789ABCDEF", substr(text, i, 1)) - 1
  return value
}

function wrong(text) {
  print text
  mistakes++
}

# The element at `depth` takes units [from, from + size) of the one that encloses it, `most` units wide.
function take(from, size, most, unit, i) {
  if (from + size > most) wrong(path(depth) ": reaches beyond what encloses it")
  for (i = from; i < from + size; i++) {
    if ((parent[depth], unit, i) in taken) {
      wrong(path(depth) ": overlaps " taken[parent[depth], unit, i])
      return
    }
    taken[parent[depth], unit, i] = path(depth)
  }
}

function path(d, p, i) {
  for (i = 1; i <= d; i++) if (name[i] != "") p = p (p == "" ? "" : ".") name[i]
  return p
}

function get(key, otherwise) { return (depth, key) in value ? value[depth, key] : otherwise }
function room(key) { return value[depth - 1, key] }

function close_element() {
  if (kind[depth] == "field")
    take(get("bitOffset"), get("bitWidth"), room("size"), "bit")
  else if (kind[depth] == "register")
    take(get("addressOffset"), get("dim", 1) * get("size") / 8, room("range"), "byte")
  else if (kind[depth] == "registerFile")
    take(get("addressOffset"), get("dim", 1) * get("range"), room("range"), "byte")
  for (key in value) if (index(key, depth SUBSEP) == 1) delete value[key]
  name[depth--] = ""
}

{ gsub(/^ +/, "") }
/^<ipxact:[A-Za-z]+>$/ {
  depth++
  kind[depth] = substr($0, 9, length($0) - 9)
  parent[depth] = inside[depth - 1]
  inside[depth] = NR
}
/^<\/ipxact:[A-Za-z]+>$/ && depth { close_element() }
/^<ipxact:[A-Za-z]+>[^<]*<\// {
  split($0, part, /[:><]/)
  value[depth, part[3]] = number(part[4])
  if (part[3] == "name") {
    name[depth] = part[4]
    if ((parent[depth], kind[depth], part[4]) in named) wrong(path(depth) ": a second one of this name")
    named[parent[depth], kind[depth], part[4]] = 1
  }
}

END { exit mistakes > 0 }
