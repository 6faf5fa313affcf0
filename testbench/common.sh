# shellcheck shell=bash
# What the entry point and the scripts share. Sourced, by a script that has set -euo pipefail.

# No function of the environment stands for a command.
mapfile -t inherited < <(compgen -A function)
[ ${#inherited[@]} -eq 0 ] || unset -f "${inherited[@]}"

# Tools are those of Debian's packages, whose versions evidence names. Tests put stand-ins before them.
export PATH=${PMUV3_STAND_INS:+$PMUV3_STAND_INS:}/usr/sbin:/usr/bin:/sbin:/bin
# The environment does not change what is built, which tests run, what a sanitizer's finding is worth, where
# files are looked for, or how they are sorted. Many tools have variables, so only these are left: where the user
# works, how packages are downloaded, where ccache has its folder, what Slurm asks, and this project's own.
kept='HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|SHLVL|PATH|TERM|COLUMNS|LINES|TZ|TMPDIR|DISPLAY|XAUTHORITY|XDG_CACHE_HOME'
kept+='|CCACHE_(DIR|TEMPDIR|MAXSIZE|DISABLE|BASEDIR)|(https?|ftp|all|no)_proxy|(HTTPS?|FTP|ALL|NO)_PROXY|SUDO_.*'
kept+='|npm_config_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)'
# Slurm's own: where it is, and on whose account.
kept+='|SLURM_CONF|SBATCH_(ACCOUNT|QOS|RESERVATION|CONSTRAINT)'
kept+='|PMUV3|PMUV3_.*|STAND_IN_.*|SHELLOPTS|BASHOPTS'
unset FUNCNEST
# The script has set these, and bash the last four. One that the environment also has is exported, and would be unset
# below. With BASH_XTRACEFD bash would close the descriptor that the variable names.
export -n here root destination kept variable BASHPID LINENO SECONDS BASH_XTRACEFD
for variable in $(compgen -e); do [[ $variable =~ ^($kept)$ ]] || unset "$variable"; done
export PYTHONNOUSERSITE=1 # modules of the user
unset CDPATH GLOBIGNORE POSIXLY_CORRECT EXECIGNORE TMOUT BASH_COMPAT
set +o posix +o noclobber +o noglob # SHELLOPTS may have set them
export LC_ALL=C
# Evidence is of this checkout's presets, wherever the programs lie.
PMUV3_CORES=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")/cmodel/cores
export PMUV3_CORES
# To ccache a compiler is what its file says, and a source what its content says. In its direct mode ccache
# does not see a new header that comes before another of the same name.
export CCACHE_NODIRECT=1 CCACHE_SLOPPINESS='' CCACHE_IGNOREHEADERS='' CCACHE_IGNOREOPTIONS='' CCACHE_PREFIX='' \
  CCACHE_PREFIX_CPP='' CCACHE_COMPILER='' CCACHE_COMPILERCHECK=mtime
# shellcheck source=settings.sh
. "${BASH_SOURCE[0]%/*}/settings.sh"

# A grep that is killed, or that cannot read or write, found nothing, which is no answer. With -s as the first option
# there need be no file. It may end by SIGPIPE (141): then its reader has read enough.
grep() {
  local ended=0
  { command grep "$@" 2>&3 3>&- || ended=$?; } 3>&2 2>/dev/null # bash has a line of its own for what is killed
  case $ended in
    0 | 1 | 141) ;;
    2) [[ $1 == -*s* ]] || end_with 3 'no verdict: grep failed' ;;
    *) end_with 3 'no verdict: grep was killed' ;;
  esac
  return "$ended"
}

trap '' XFSZ # a write beyond the limit of a file's size then fails, as on a full disk

# What the script is called in messages.
called=${0##*/}

# complain TEXT: on standard error, which may be closed or full: the exit status says it, too.
complain() {
  complained=$1
  builtin echo "$1" >&2 2>/dev/null || true
}
# shellcheck disable=SC2034 # of check.sh
complained='' # the last of these lines

# end_with STATUS TEXT: one line, whatever names are in it.
end_with() {
  complain "$called: ${2//$'\n'/?}"
  exit "$1"
}
unusable() { end_with 2 "$1"; }

# temporary_file, temporary_folder: the name of a new one.
temporary_file() { mktemp 2>/dev/null || without_room; }
temporary_folder() { mktemp -d 2>/dev/null || without_room; }
without_room() { end_with 3 "no verdict: cannot write to '${TMPDIR-/tmp}'"; }

# output_of PROCESS: the file that its standard output is.
output_of() { stat -L -c %d:%i "/proc/$1/fd/1" 2>/dev/null || true; }
own_process=$BASHPID
own_output=$(output_of "$own_process")

# Standard output may be full, whatever is printed. bash has a line of its own for that.
echo() { builtin echo "$@" 2>/dev/null || not_written; }
# shellcheck disable=SC2059 # the caller's format
printf() { builtin printf "$@" 2>/dev/null || not_written; }
not_written() {
  local process=$BASHPID
  [ "$(output_of "$process")" != "$own_output" ] || unusable "cannot write to standard output"
  return 1
}

# say TEXT: on standard output, whatever the text begins with.
say() { printf '%s\n' "$1"; }

# once OPTION: who gives an option twice means one of both, and nobody knows which. The entry point gives options
# of its own before --defaults-end; the user's may replace them.
given=''
once() {
  [[ $1 == -* && $1 != --check-arguments ]] || return 0
  [[ " ${given-} " != *" $1 "* ]] || unusable "$1: is given twice"
  given+=" $1"
}

# end_without_verdict: whatever fails unforeseen from here on ends the script with status 3, not with the
# failed command's status. Tools fail where standard output is closed.
end_without_verdict() {
  { : 3>&1; } 2>/dev/null || unusable "cannot write to standard output"
  verdict_process=$BASHPID
  set -E
  trap 'no_verdict "$LINENO"' ERR
}

# What a process within the script dies of is said once, by the script.
no_verdict() {
  [ "$BASHPID" != "$verdict_process" ] || complain "$called: no verdict: a command failed in line $1"
  exit 3
}

# end_as STATUS: that of a tool, which has said why. A tool that was killed has said nothing, and has no verdict.
end_as() {
  [ "$1" -le 3 ] || end_with 3 "no verdict: a tool ended with status $1"
  exit "$1"
}

# unsaid COMMAND ARGUMENT...: bash has a line of its own for what is killed.
unsaid() { { "$@" 2>&3 3>&- || return; } 3>&2 2>/dev/null; }

# ---- Results ----

# is_of DIGEST FILE: whether a result says that it is of these sources.
is_of() { [ -f "$2" ] && grep -qsE "\"source\" ?: ?\"$1\"" "$2"; }

# has_whole_tests FOLDER DIGEST: whether a build folder has the results of `test --all`, of these sources.
has_whole_tests() {
  is_of "$2" "$1/tests.json" && [ -f "$1/tests.xml" ] &&
    grep -qs "<testsuite source=\"$2\".* suite=\"all\"" "$1/tests.xml"
}

# ---- Files of the user ----

# expect_output OPTION FILE: a file that can be written, and is a regular one of its own if it is there.
expect_output() {
  local folder=.
  if [[ $2 == */* ]]; then folder=${2%/*}/; fi
  [ ! -d "$2" ] || unusable "$1: cannot write '$2': Is a directory"
  [ ! -e "$2" ] && [ ! -L "$2" ] || [ -f "$2" ] || unusable "$1: cannot write '$2': it is no regular file"
  ! leads_to_proc "$2" || unusable "$1: cannot write '$2': it is in /proc"
  [ ! -e "$2" ] || [ "$(stat -L -c %h -- "$2")" = 1 ] || unusable "$1: cannot write '$2': it has another name, a hard link"
  [ ! "$2" -ef /dev/stdout ] || unusable "$1: cannot write '$2': it is standard output, too"
  [ ! "$2" -ef /dev/stderr ] || unusable "$1: cannot write '$2': it is standard error, too"
  [ ! -e "$2" ] || [ -O "$2" ] || [ "$(id -u)" = 0 ] || unusable "$1: cannot write '$2': it belongs to another user"
  if [ -z "$2" ] || [ ! -d "$folder" ] || [ ! -w "$folder" ]; then
    unusable "$1: cannot write '$2': there is no folder for it that can be written to"
  fi
}

# expect_database OPTION FILE: a program may add to it.
expect_database() {
  expect_output "$@"
  [ ! -s "$2" ] || [ "$(head -c 15 -- "$2" | tr -d '\0')" = 'SQLite format 3' ] || unusable "$1: '$2' is no database"
}

# leads_to_proc FILE: a link in /proc may stand for an open descriptor, and is no name of its file.
leads_to_proc() {
  local at=$1 folder links
  for ((links = 0; links < 40; links++)); do
    folder=.
    if [[ $at == */* ]]; then folder=${at%/*}/; fi
    [[ $(realpath -m -- "$folder")/ != /proc/* ]] || return 0
    [ -L "$at" ] || return 1
    at=$(readlink -- "$at" && echo .) && at=${at%$'\n.'}
    if [[ $at != /* ]]; then at=$folder/$at; fi
  done
  return 1
}

# write_whole FILE COMMAND...: what the command prints becomes the file when it is whole. A file that is there gives
# its rights and its owner to the new one.
write_whole() {
  local file new status=0
  file=$(realpath -m -- "$1" && echo .) && file=${file%$'\n.'}
  new=$file.$BASHPID.new
  (umask 077 && set -o noclobber && : >"$new") 2>/dev/null || unusable "cannot write '$1'"
  # shellcheck disable=SC2064 # the file of now
  trap "rm -f -- $(printf %q "$new"); exit 143" HUP INT TERM
  # A process of its own, as bash does not stop at what fails in a function whose status is looked at.
  "${@:2}" >"$new" &
  # shellcheck disable=SC2064 # and the process
  trap "end_all $!; rm -f -- $(printf %q "$new"); exit 143" HUP INT TERM
  wait $! || status=$?
  trap - HUP INT TERM
  if [ "$status" = 0 ] && take_over "$new" "$file" && mv -T -- "$new" "$file"; then return; fi
  rm -f -- "$new"
  if [ "$status" = 3 ] || [ "$status" -ge 128 ]; then end_as "$status"; fi
  unusable "cannot write '$1'"
}

# begin_own FILE: a file that a script makes in a folder of its own is there anew, and empty. Where there was a link, or
# one of two names of a file, only the name goes.
begin_own() {
  { rm -f -- "$1" && (set -o noclobber && : >"$1"); } 2>/dev/null || unusable "cannot write to '$1'"
}

# take_over NEW OLD: its rights and its owner. With another name the old contents would live on.
take_over() {
  if [ ! -e "$2" ]; then
    chmod '=rw' -- "$1" # as the umask has it
    return
  fi
  [ "$(stat -c %h -- "$2")" = 1 ] || return 1
  chown --reference="$2" -- "$1" 2>/dev/null && chmod --reference="$2" -- "$1"
}

# own_folder OPTION DIR: a folder that a script may empty. It is new, empty, or made by such a script, and then
# has the mark of one.
own_folder() {
  local made
  expect_own_folder "$1" "$2"
  made=$(realpath -m -- "$2")
  { mkdir -p -- "$made" && mark "$made"; } 2>/dev/null || unusable "$1: cannot write to '$2'"
  hold_folder --exclusive "$1" "$made"
}

# expect_own_folder OPTION DIR: whether own_folder could take it, before anything is done.
expect_own_folder() {
  local made
  [[ $2 != *$'\n'* ]] || unusable "$1: '$2' has the end of a line in its name"
  [ -n "$2" ] || unusable "$1: '' is no folder"
  made=$(realpath -m -- "$2")
  expect_apart "$1" "$made"
  if [ -e "$made" ]; then
    [ -d "$made" ] || unusable "$1: '$2' is no folder"
    is_marked "$made" || is_empty "$made" ||
      unusable "$1: '$2' has files that were not made here; give a new or an empty folder"
  fi
}

# expect_outside DIR OPTION FILE: a script may empty the folder DIR, so no file or folder of the user is there, by its
# name or behind a link.
expect_outside() {
  local folder place
  folder=$(realpath -m -- "$1")
  for place in "$3" "$(dirname -- "$3")"; do
    [[ $(realpath -m -- "$place")/ != "$folder"/* ]] || unusable "$2: '$3' is in '$1', where files are removed"
  done
}

# hold_folder --exclusive|--shared OPTION DIR: a script that makes what is there is alone, until it ends.
hold_folder() {
  local lock
  exec {lock}<"$3/.pmuv3"
  flock --nonblock "$1" "$lock" || unusable "$2: '$3' is in use by another script"
}

# open_lock NUMBER FILE: opens a file that scripts lock, as that number.
open_lock() {
  expect_lock "$2"
  { eval "exec $1>>\"\$2\""; } 2>/dev/null || unusable "cannot write to '$2'"
}

# expect_lock FILE: to open a pipe is to wait for its reader, and a link may lead to a file of somebody's.
expect_lock() {
  [[ ! -L $1 && (-f $1 || ! -e $1) ]] || unusable "'$1' is no regular file, and in the way"
}

# is_empty DIR: what cannot be looked at is not.
is_empty() {
  local found
  found=$(find "$1/" -mindepth 1 -print -quit 2>/dev/null) && [ -z "$found" ]
}

# empty_folder DIR: of own_folder, which keeps its mark.
empty_folder() {
  find "$1/" -mindepth 1 -maxdepth 1 ! -name .pmuv3 -exec rm -rf -- {} +
}

# expect_no_blank OPTION DIR: for what Verilator or make is to do there.
expect_no_blank() {
  [[ $(realpath -m -- "$2") != *[[:space:]]* ]] || unusable "$1: '$2' has a blank in it, which Verilator cannot take"
}

# expect_apart OPTION DIR: what is made there is no source.
expect_apart() {
  local folder
  for folder in "${source_folders[@]}"; do
    [[ $2/ != "$(realpath -m "${BASH_SOURCE[0]%/*}/../$folder")"/* ]] || unusable "$1: '$2' is among the sources"
  done
}

# is_marked DIR [TEXT], mark DIR [TEXT]: the mark of a folder that was made here. Its default text lets a script empty
# the folder.
mark_text='pmuv3 made this folder and may empty it'
is_marked() {
  [ ! -L "$1/.pmuv3" ] && [ -f "$1/.pmuv3" ] && [ "$(head -c 99 "$1/.pmuv3")" = "${2-$mark_text}" ]
}

mark() {
  is_marked "$@" || { rm -f -- "$1/.pmuv3" && echo "${2-$mark_text}" >"$1/.pmuv3"; }
}

# ---- Copies that are changed ----

# copy_files FROM TO: TO is made anew, of the files of the folder FROM. A link becomes a file: what is written to
# the copy does not change what the link stands for.
copy_files() {
  [[ $(realpath -- "$1")/ != "$(realpath -m -- "$2")"/* ]] || unusable "'$1' cannot be copied to '$2', where it is"
  rm -rf -- "$2"
  { mkdir -p -- "$2" && find -L "$1" -maxdepth 1 -type f -exec cp -L -t "$2" -- {} + && chmod -R u+w -- "$2"; } ||
    unusable "cannot copy '$1'"
  expect_no_link "$2"
}

expect_no_link() {
  local found
  if ! found=$(find "$1/" -type l -print -quit) || [ -n "$found" ]; then
    unusable "'$1' has a link in it, which may lead out of the copy"
  fi
}

# ---- Processes ----

# together COMMAND ARGUMENT...: runs it. If it fails, we end with its status; when we are told to end, all that
# it started ends before. Call it bare: after `||` bash ignores what fails inside.
together() {
  until_ended "$@"
  [ "$ended" = 0 ] || exit "$ended"
}

# told COMMAND ARGUMENT...: as together does, but the command goes to its end even if standard output cannot take the
# text. We then end with status 2, or with 1 if the command found something.
told() {
  local out relay lost=0
  exec {out}> >(relay)
  relay=$!
  eval "until_ended \"\$@\" >&$out $out>&-" # no process holds it that has another standard output
  exec {out}>&-
  wait "$relay" || lost=1
  if [ "$lost" = 1 ]; then end_with $((ended == 1 ? 1 : 2)) "cannot write to standard output"; fi
  [ "$ended" = 0 ] || exit "$ended"
}

# A reader that went away ends cat, and then those that write, by SIGPIPE.
relay() {
  cat 2>/dev/null || [ $? -ge 128 ] || { cat >/dev/null; exit 1; }
}

# until_ended COMMAND ARGUMENT...: as together does, but sets `ended` to the exit status.
until_ended() {
  local working
  ended=0
  "$@" <&0 &
  working=$!
  # shellcheck disable=SC2064 # the process of now
  trap "end_all $working; exit 129" HUP
  # shellcheck disable=SC2064
  trap "end_all $working; exit 130" INT
  # shellcheck disable=SC2064
  trap "end_all $working; exit 143" TERM
  wait "$working" || ended=$?
  trap - HUP INT TERM
}

# Stopped, a process starts no other while it is looked at.
tree_of() {
  local children child
  kill -STOP "$1" 2>/dev/null || return 0
  echo "$1"
  children=$(cat "/proc/$1"/task/*/children 2>/dev/null || true)
  for child in $children; do tree_of "$child"; done
}

end_all() {
  local processes
  mapfile -t processes < <(tree_of "$1")
  [ ${#processes[@]} -gt 0 ] || return 0
  kill -TERM "${processes[@]}" 2>/dev/null || true
  kill -CONT "${processes[@]}" 2>/dev/null || true
  for _ in {1..20}; do
    kill -0 "${processes[@]}" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL "${processes[@]}" 2>/dev/null || true
}

# ---- Sources ----

# What a verdict may depend on; what is built is not in it. Links stand for their files. database_files.c has the
# folders, too.
source_folders=(cmodel rtl tlm_wrapper testbench)
source_places=("${source_folders[@]}" docs/reference/rules.md CMakeLists.txt CMakePresets.json .clang-format pmuv3)
find_sources() {
  find -L "${source_places[@]}" -type f "$@"
}

# source_digests ROOT: every file's digest and name, a line each.
source_digests() (
  cd "$1" && find_sources -print0 | sort -z | xargs -0 sha256sum
)

# source_digest ROOT: the digest of all.
source_digest() {
  source_digests "$1" | sha256sum | cut -c1-16
}

# source_times ROOT KIND: every file's time and name. A user can set that of kind T; kind C is when the file
# or its time was last changed, and has the links and folders on the way to it, too.
source_times() (
  cd "$1" || exit 2
  find_sources -printf "time %$2@ %p\n" | sort || exit
  [ "$2" = T ] || find "${source_places[@]}" -printf "on the way %C@ %i %p\n" | sort
)

# source_list ROOT: digests and times.
source_list() {
  source_digests "$1" && source_times "$1" T
}

# not_read STATUS: of what reads the sources. A tool that was killed says nothing of them (xargs ends with 125 then).
not_read() {
  [ "$1" -lt 124 ] || end_with 3 "no verdict: a tool was killed while it read the sources"
  unusable "the sources cannot be read"
}

# digest_of_list <LIST
digest_of_list() {
  grep -v '^time ' | sha256sum | cut -c1-16
}

# unseen_changes ROOT BEFORE NOW TIME: the sources that are not in the list NOW as they were in BEFORE, and
# which a build that looks at times does not see: those that are no newer than the file TIME; and headers and
# RTL that came or went, since one of them may stand before another of the same name.
unseen_changes() {
  local file
  {
    sort "$2" "$2" "$3" | uniq -u | sed -E 's/^(time )?[^ ]+ +//' | sort -u |
      while IFS= read -r file; do [ "$1/$file" -nt "$4" ] || echo "$file"; done &&
      included_names "$2" "$3" | sort | uniq -u
  } | sort -u
}

# included_names LIST...: what other sources may include, by name.
included_names() {
  sed -nE 's/^time [^ ]+ (.*\.(h|def|sv|svh|vlt))$/\1/p' "$@"
}
