#!/usr/bin/env bash
# Installs, upgrades, rolls back and removes a chart on the embedded cluster with Helm.
# HELM names the binary; default: the one the test bed has built.
set -uo pipefail
cd "$(dirname "$0")/../.."
KUEUE="${KUEUE:-build/release/bin/kueue}"
HELM="${HELM:-.cache/oracle/bin/helm}"
KUBECTL="${KUBECTL:-.cache/oracle/bin/kubectl-1.36}"
[ -x "$HELM" ] && [ -x "$KUBECTL" ] || { echo "   left out: no helm or kubectl here"; exit 0; }
FOLDER=$(mktemp -d)
PASSED=0 FAILED=0
trap '"$KUEUE" down --data-dir "$FOLDER" >/dev/null 2>&1; rm -rf "$FOLDER"' EXIT
export KUBECONFIG="$FOLDER/kubeconfig" HELM_CACHE_HOME="$FOLDER/helm" HELM_CONFIG_HOME="$FOLDER/helm" \
  HELM_DATA_HOME="$FOLDER/helm"

# check TEXT PATTERN COMMAND...: the command succeeds and prints the pattern.
check() {
  local text="$1" pattern="$2" out
  shift 2
  if out=$("$@" 2>&1) && grep -qE -- "$pattern" <<<"$out"; then
    PASSED=$((PASSED + 1))
  else
    FAILED=$((FAILED + 1))
    echo "FAILED: $text"
    echo "  $*"
    sed 's/^/  | /' <<<"$out" | head -20
  fi
}
quota() { "$KUBECTL" get cq team -o 'jsonpath={.spec.resourceGroups[0].flavors[0].resources[0].nominalQuota}'; }

"$KUEUE" up --data-dir "$FOLDER" >"$FOLDER/log" 2>&1 &
for _ in $(seq 100); do grep -q "kueue is up" "$FOLDER/log" && break; sleep 0.1; done
CHART=tests/clients/chart
check "install" "STATUS: deployed" "$HELM" install team "$CHART"
check "the quota is there" "^8$" quota
check "list" "team.*deployed" "$HELM" list
check "upgrade" "REVISION: 2" "$HELM" upgrade team "$CHART" --set cpus=12
check "the quota has changed" "^12$" quota
check "history" "superseded" "$HELM" history team
check "an upgrade that is refused says why" "nominalQuota" \
  bash -c "$HELM upgrade team $CHART --set cpus=many 2>&1; true"
check "rollback" "Rollback was a success" "$HELM" rollback team 1
check "the quota is the old one" "^8$" quota
check "get manifest" "kind: ClusterQueue" "$HELM" get manifest team
check "uninstall" "uninstalled" "$HELM" uninstall team
check "nothing is left" "NotFound" bash -c "$KUBECTL get configmap team-settings 2>&1 || true"
echo "helm: $PASSED passed, $FAILED failed"
[ "$FAILED" -eq 0 ]
