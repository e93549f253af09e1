#!/usr/bin/env bash
# Ends the mock provider that start.sh began, shows its verdict in the job summary, and ends with its exit code: with
# --fail-on-violation that is 1 when a request broke a must, and 2 when none came.
set -uo pipefail
state=$STATE
if [ ! -s "$state/ready" ]; then
  echo "::error::there is no mock provider to stop: begin with mode: serve"
  exit 2
fi
pid=$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$state/ready")
kill -TERM "$pid" 2>/dev/null
for _ in $(seq 300); do
  [ ! -f "$state/code" ] || break
  sleep 0.1
done
code=$(cat "$state/code" 2>/dev/null || echo 2)
cat "$state/log"
verdict=passed
[ "$code" = 0 ] || verdict=failed
{
  echo "## Loopproof mock provider: $verdict"
  echo
  echo '````text'
  tail -c 60000 "$state/log"
  echo '````'
} >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
echo "result=$verdict" >>"$GITHUB_OUTPUT"
rm -f "$state/ready"
exit "$code"
