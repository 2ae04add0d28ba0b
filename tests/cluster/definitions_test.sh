#!/usr/bin/env bash
# Custom resource definitions and their objects, compared with a real API server: some 400 requests,
# verdicts, sentences and stored objects. Prints "definitions: N passed, M failed".
# Usage: definitions_test.sh [FOLDER]: FOLDER keeps the recorded conversations.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=${KUEUE_ORACLE_DIR:-$root/.cache/oracle}/bin
player=${KUEUE_PLAYER:-$root/build/release/bin/apiserver_player}

"$here/build.sh" kubectl-1.36 etcd kube-apiserver >/dev/null
dir=$(mktemp -d)
proxy=""
trap '[ -z "$proxy" ] || kill "$proxy"; "$here/cluster.sh" down "$dir" >/dev/null; rm -rf "$dir"' EXIT
"$here/cluster.sh" up "$dir" >/dev/null
"$bin/kubectl" --kubeconfig "$dir/kubeconfig" proxy --port=0 >"$dir/proxy" 2>&1 &
proxy=$!
for _ in $(seq 100); do grep -q 'Starting to serve' "$dir/proxy" && break; sleep 0.1; done
address=$(sed -n 's/^Starting to serve on //p' "$dir/proxy")

folder=${1:-$dir/recorded}
mkdir -p "$folder"
python3 "$here/definitions/record.py" "http://$address" "$folder"
"$player" "$folder" --show | tee "$dir/played"
passed=$(grep -c ': passed$' "$dir/played" || true)
failed=$(find "$folder" -name '*.json' | wc -l)
failed=$((failed - passed))
echo "definitions: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
