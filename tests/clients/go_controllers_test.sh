#!/usr/bin/env bash
# Runs the controllers of tests/clients/controllers (client-go, controller-runtime) against the embedded
# cluster, whose process is killed and started again in between. Needs Go for the first build.
set -uo pipefail
cd "$(dirname "$0")/../.."
KUEUE="${KUEUE:-build/release/bin/kueue}"
BINARY="${CONTROLLERS:-.cache/clients/controllers}"
OBJECTS="${1:-300}"
SOURCES=tests/clients/controllers
if [ ! -x "$BINARY" ] || [ -n "$(find $SOURCES -newer "$BINARY" -print -quit)" ]; then
  command -v go >/dev/null || { echo "   left out: no Go here to build the controllers with"; exit 0; }
  mkdir -p "$(dirname "$BINARY")"
  target=$(realpath -m "$BINARY")
  (cd $SOURCES && CGO_ENABLED=0 GOWORK=off GOFLAGS="-p=2 -buildvcs=false" \
    nice -n 10 go build -trimpath -o "$target" .) || exit 1
fi
FOLDER=$(mktemp -d) FAILED=0
trap '"$KUEUE" down --data-dir "$FOLDER" >/dev/null 2>&1; rm -rf "$FOLDER"' EXIT
export KUBECONFIG="$FOLDER/kubeconfig"

LISTEN=127.0.0.1:0
up() {
  : >"$FOLDER/log"  # or the line of the last start would be found
  "$KUEUE" up --data-dir "$FOLDER" --listen "$LISTEN" >"$FOLDER/log" 2>&1 &
  UP=$!
  for _ in $(seq 200); do grep -q "kueue is up" "$FOLDER/log" && break; sleep 0.05; done
  LISTEN=$(sed -n 's|^kueue is up at https://||p' "$FOLDER/log")
}

for controller in client-go controller-runtime; do
  up
  "$BINARY" $controller "$OBJECTS" 2>"$FOLDER/errors" &
  running=$!
  sleep 1.5
  { kill -9 $UP && wait $UP; } 2>/dev/null
  up
  if ! wait $running; then FAILED=$((FAILED + 1)); echo "FAILED: $controller"; tail -5 "$FOLDER/errors"; fi
  "$KUEUE" down --data-dir "$FOLDER" >/dev/null
  "$KUEUE" reset --data-dir "$FOLDER" >/dev/null
done
[ "$FAILED" -eq 0 ]
