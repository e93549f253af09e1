#!/usr/bin/env bash
# Starts the mock provider beside the steps that follow, and returns when it is ready. SCENARIOS are ids, files or folders,
# one a line; ARGS are further flags of `loopproof serve`. Where it is becomes outputs; stop.sh ends it.
set -euo pipefail
state=$STATE
mkdir -p "$state"
rm -f "$state"/*
source "$(dirname "$0")/words.sh"
words "${ARGS:-}"
args=(${words[@]+"${words[@]}"})
while IFS= read -r scenario; do
  [ -z "${scenario// /}" ] || args+=(--scenario "$scenario")
done <<<"${SCENARIOS:-}"
(
  set +e
  "$LOOPPROOF" serve --addr "${ADDR:-127.0.0.1:0}" ${args[@]+"${args[@]}"} >"$state/ready" 2>"$state/log" </dev/null
  echo $? >"$state/code.next"
  mv "$state/code.next" "$state/code"
) </dev/null >/dev/null 2>&1 & # it must not hold on to what this step writes
disown
for _ in $(seq 300); do
  [ ! -s "$state/ready" ] && [ ! -f "$state/code" ] || break
  sleep 0.1
done
if [ ! -s "$state/ready" ]; then
  echo "::error::the mock provider did not start"
  cat "$state/log" >&2
  exit 2
fi
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" "$state/ready"; }
for name in base_url openai_base_url journal_url pid; do
  echo "${name//_/-}=$(field $name)" >>"$GITHUB_OUTPUT"
done
cat "$state/ready"
