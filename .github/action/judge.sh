#!/usr/bin/env bash
# Judges a loop: `loopproof run` with the flags in ARGS, and behind -- the command in COMMAND. Both are split into words as
# a shell splits them, over all their lines, and not evaluated further. The result becomes an output; run itself writes the job summary.
set -uo pipefail
source "$(dirname "$0")/words.sh"
words "${ARGS:-}"
args=(${words[@]+"${words[@]}"})
words "${COMMAND:-}"
command=(${words[@]+"${words[@]}"})
[ -z "${SHARD:-}" ] || args+=(--shard "$SHARD")
[ ${#command[@]} -eq 0 ] || command=(-- "${command[@]}")
rm -f "$REPORT/report.json" # of a run before this one
"$LOOPPROOF" run --report "$REPORT" ${args[@]+"${args[@]}"} ${command[@]+"${command[@]}"}
code=$?
result=
if [ -f "$REPORT/report.json" ]; then
  result=$(sed -n 's/^ "result": "\(.*\)",$/\1/p' "$REPORT/report.json" | head -n 1)
fi
echo "result=$result" >>"$GITHUB_OUTPUT"
exit $code
