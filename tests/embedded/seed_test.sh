#!/usr/bin/env bash
# Every document and command of docs/using/dialect.md, by kubectl, against the embedded cluster: first with the
# dialect on, then with it off. Usage: seed_test.sh [KUBECTL]; default: the newest one the test bed has built.
# The documents are the user's own where they are (DOCUMENTS, default ../shared/seed); what is not there is left out.
set -uo pipefail
shopt -s lastpipe
cd "$(dirname "$0")/../.."
KUEUE="${KUEUE:-build/release/bin/kueue}"
DOCUMENTS="${DOCUMENTS:-../shared/seed}"
KUBECTL="${1:-.cache/oracle/bin/kubectl-1.36}"
FOLDER=$(mktemp -d)
PASSED=0 FAILED=0 LEFT_OUT=0
stop() { "$KUEUE" down --data-dir "$FOLDER/data" >/dev/null 2>&1; rm -rf "$FOLDER/data"; }
trap 'stop; rm -rf "$FOLDER"' EXIT

kubectl() { "$KUBECTL" --kubeconfig "$FOLDER/kubeconfig" "$@"; }
file() { echo "$DOCUMENTS/$1.yaml"; }

passed() { PASSED=$((PASSED + 1)); }
failed() { FAILED=$((FAILED + 1)); echo "FAILED: $1"; sed 's/^/  | /' <<<"$2" | head -20; }

# check TEXT PATTERN COMMAND...: the command succeeds and prints the pattern, within 20 seconds.
check() {
  local text="$1" pattern="$2" out=""
  shift 2
  for _ in $(seq 80); do
    if out=$("$@" 2>&1) && grep -qE -- "$pattern" <<<"$out"; then passed; return; fi
    sleep 0.25
  done
  failed "$text: $*" "$out"
}
# once TEXT PATTERN COMMAND...: the same for what is not repeated.
once() {
  local text="$1" pattern="$2" out
  shift 2
  if out=$("$@" 2>&1) && grep -qE -- "$pattern" <<<"$out"; then passed; else failed "$text: $*" "$out"; fi
}
refused() {
  local text="$1" pattern="$2" out
  shift 2
  if out=$("$@" 2>&1); then failed "$text: it was accepted" "$out"
  elif grep -qE -- "$pattern" <<<"$out"; then passed
  else failed "$text" "$out"; fi
}
apply() {
  local name="$1" pattern="$2"
  if [ ! -r "$(file "$name")" ]; then
    LEFT_OUT=$((LEFT_OUT + 1)); echo "left out: $(file "$name") is not here"; return 1
  fi
  once "apply $name.yaml" "$pattern" kubectl apply -f "$(file "$name")"
}
# A fragment is read together with the queue it belongs to.
merged() {
  python3 - "$(file clusterqueue)" "$(file "$1")" <<'P'
import sys, yaml
queue, part = (yaml.safe_load(open(path)) for path in sys.argv[1:])
queue["spec"].update(part["spec"])
print(yaml.safe_dump(queue))
P
}

start() {
  stop
  : >"$FOLDER/log"  # what the one before said is no sign of life
  "$KUEUE" up --data-dir "$FOLDER/data" --kubeconfig "$FOLDER/kubeconfig" --metrics-addr 127.0.0.1:0 \
    --nodes '4x(cpu=64,memory=256Gi,nvidia.com/gpu=8,amd.com/rocm=4)' "$@" >"$FOLDER/log" 2>&1 &
  for _ in $(seq 100); do grep -q "kueue is up" "$FOLDER/log" && return; sleep 0.1; done
  cat "$FOLDER/log"; exit 1
}
metrics() { curl -sf "$(grep -oE 'http://127[^ ]*/metrics' "$FOLDER/log")"; }

queues() {
  apply clusterqueue "ai-cluster-queue created" || return 1
  check "flavors nobody declared are made" "^true true true true$" kubectl get resourceflavor default-flavor a100 v100 mi200 \
    -o 'jsonpath={.items[*].metadata.labels.kueue-cpp\.dev/auto-created}{"\n"}'
  check "the queue is active" "^True$" kubectl get cq ai-cluster-queue \
    -o 'jsonpath={.status.conditions[?(@.type=="Active")].status}{"\n"}'
  once "it says where it comes from" "^simple$" kubectl get cq ai-cluster-queue \
    -o 'jsonpath={.metadata.annotations.kueue-cpp\.dev/dialect}{"\n"}'
  apply queue "ai-queue created"
  check "kubectl get queues lists the Queue" "^ai-queue " kubectl get queues
  check "and the LocalQueue" "^ai-local-queue " kubectl get queues
  check "the Queue itself" "ai-cluster-queue" kubectl get simplequeues ai-queue
}

life() {
  apply workload "train-001 created" || return
  check "its pods are made" "^train-001-main-0 " kubectl get pods
  once "the canonical form" '^1 trainer$' kubectl get workload train-001 \
    -o 'jsonpath={.spec.podSets[0].count} {.spec.podSets[0].template.spec.containers[0].name}{"\n"}'
  once "its events" "QuotaReserved" kubectl describe workload train-001
  check "it ends" "^Finished$" kubectl get workload train-001 -o 'jsonpath={.status.state}{"\n"}'
  check "the state in the older version" "^Finished$" kubectl get workloads.v1beta1.kueue.x-k8s.io train-001 \
    -o 'jsonpath={.status.state}{"\n"}'
  once "the state selects" "train-001.* deleted" kubectl delete workloads --field-selector=status.state=Finished
  refused "it is gone" "not found" kubectl get workload train-001
  apply priorities "high-priority-job created"
  check "both end" "^Finished Finished$" kubectl get workloads -o 'jsonpath={.items[*].status.state}{"\n"}'
}

changes() {
  apply clusterqueue-150 "ai-cluster-queue configured"
  check "the new quota" "^150$" kubectl get cq ai-cluster-queue \
    -o 'jsonpath={.spec.resourceGroups[0].flavors[0].resources[0].nominalQuota}{"\n"}'
  apply clusterqueue "ai-cluster-queue configured"
  apply tenants "research-team-queue created"
  apply queue-priorities "high-priority-queue created"
  check "the priority is carried" "^100$" kubectl get queue high-priority-queue \
    -o 'jsonpath={.metadata.annotations.kueue-cpp\.dev/queue-priority}{"\n"}'
  merged strategy-fifo | once "strategy FIFO" configured kubectl apply -f -
  once "is StrictFIFO" "^StrictFIFO$" kubectl get cq ai-cluster-queue -o 'jsonpath={.spec.queueingStrategy}{"\n"}'
  merged strategy-fair | once "strategy FairSharing" configured kubectl apply -f -
  once "goes by past use" "^UsageBasedAdmissionFairSharing$" kubectl get cq ai-cluster-queue \
    -o 'jsonpath={.spec.admissionScope.admissionMode}{"\n"}'
  merged metrics | once "metrics" configured kubectl apply -f -
  check "series that were asked for" 'kueue_resource_utilization\{cluster_queue="ai-cluster-queue"' metrics
  merged metrics | sed 's/workload_scheduled/nonsense/' |
    refused "a metric nobody knows" "workload_scheduled" kubectl apply -f -
}

system() {
  once "the manager's pod" "kueue-controller-manager-" kubectl get pods -n kueue-system
  local before after
  before=$(kubectl get deployment -n kueue-system kueue-controller-manager -o 'jsonpath={.metadata.uid}')
  apply manager "deployment.apps/kueue-controller-manager configured"
  after=$(kubectl get deployment -n kueue-system -o 'jsonpath={.items[*].metadata.uid}')
  if [ "$before" = "$after" ]; then passed; else failed "the manager's Deployment is another" "$before / $after"; fi
  once "its log" "." kubectl logs -n kueue-system deployment/kueue-controller-manager --tail=100
  check "its usage" "kueue-controller-manager" kubectl top pods -n kueue-system
  once "nodes" "Capacity" kubectl describe nodes
  once "versions" "^kueue.x-k8s.io/v1beta1$" kubectl api-versions
  once "status" "." kubectl get clusterqueue ai-cluster-queue -o 'jsonpath={.status}'
  kubectl get clusterqueues -o yaml >"$FOLDER/backup.yaml"
  kubectl get queues -o yaml >>"$FOLDER/queues.yaml"
  before=$(kubectl get clusterqueues -o 'jsonpath={.items[*].metadata.generation} {.items[*].spec}')
  once "apply the backup" "clusterqueue" kubectl apply -f "$FOLDER/backup.yaml"
  once "and that of the queues" "localqueue" kubectl apply -f "$FOLDER/queues.yaml"
  after=$(kubectl get clusterqueues -o 'jsonpath={.items[*].metadata.generation} {.items[*].spec}')
  if [ "$before" = "$after" ]; then passed; else failed "a backup changed what it saved" "$before / $after"; fi
}

# work QUEUE PRIORITY RESOURCE AMOUNT: a Workload that wants half of what its ClusterQueue has.
work() {
  cat <<Y
apiVersion: kueue.x-k8s.io/v1beta1
kind: Workload
metadata: {name: $1-$2}
spec:
  queueName: $1
  priority: $2
  podSets:
  - name: main
    spec:
      containers:
      - name: trainer
        image: trainer:1
        resources: {requests: {cpu: "8", memory: 16Gi, $3: "$4"}, limits: {$3: "$4"}}
---
Y
}

# study DOCUMENT CLUSTERQUEUE HIGHER LOWER RESOURCE HALF: six pieces of work a queue, handed in before the ClusterQueue
# lets anybody start, the lower queue's first and with the higher priorities of their own.
study() {
  local began order wanted most
  apply "$1" "$4 created"
  check "its queues" "^$3 +$2" kubectl get queues
  kubectl patch cq "$2" --type=merge -p '{"spec":{"stopPolicy":"Hold"}}' >/dev/null
  for i in 6 5 4 3 2 1; do work "$4" "100$i" "$5" "$6"; done | kubectl apply -f - >/dev/null
  for i in 6 5 4 3 2 1; do work "$3" "$i" "$5" "$6"; done | kubectl apply -f - >/dev/null
  check "$1: everybody waits" "^12$" kubectl get cq "$2" -o 'jsonpath={.status.pendingWorkloads}{"\n"}'
  began=$SECONDS most=0
  kubectl patch cq "$2" --type=merge -p '{"spec":{"stopPolicy":"None"}}' >/dev/null
  while [ $((SECONDS - began)) -lt 120 ]; do
    local used done
    used=$(kubectl get cq "$2" -o "jsonpath={range .status.flavorsReservation[*].resources[?(@.name==\"$5\")]}{.total}{end}")
    [ "${used:-0}" -gt "$most" ] && most=$used
    done=$(kubectl get workloads --field-selector=status.state=Finished -o name | grep -cE "/($3|$4)-")
    [ "$done" -eq 12 ] && break
    sleep 0.2
  done
  if [ "$most" -eq $((2 * $6)) ]; then passed; else failed "$1: at most $most of $5" "wanted $((2 * $6))"; fi
  # Two at a time: pairs that start together have no order.
  order=$(kubectl get workloads -o 'jsonpath={range .items[*]}{.status.conditions[?(@.type=="Admitted")].lastTransitionTime} {.metadata.name}{"\n"}{end}' |
    grep -E " ($3|$4)-" | sort | awk '{print $2}' | sed -E 's/-[0-9]+$//' | uniq -c | awk '{printf "%s %s;", $1, $2}')
  wanted="6 $3;6 $4;"
  if [ "$order" = "$wanted" ]; then passed; else failed "$1: the order of queues" "$order"; fi
  echo "$1: 12 pieces of work in $((SECONDS - began)) s, at most $most of $5 at a time, first all of $3"
}

studies() {
  kubectl delete workloads --all >/dev/null 2>&1
  study case-research research-cluster-queue computer-vision-queue natural-language-processing-queue nvidia.com/gpu 4
  study case-production production-cluster-queue recommendation-system-queue advertising-queue amd.com/rocm 2
}

without() {
  apply clusterqueue "ai-cluster-queue created" || return
  check "the missing flavors are named" "default-flavor" kubectl get cq ai-cluster-queue \
    -o 'jsonpath={.status.conditions[?(@.type=="Active")].message}'
  refused "a Queue says what to write instead" "LocalQueue" kubectl apply -f "$(file queue)"
  refused "a pod spec in the place of a template" "spec" kubectl apply -f "$(file workload)"
  merged strategy-fifo | refused "a strategy is an unknown field" "spec.scheduling" kubectl apply -f -
}

[ -x "$KUBECTL" ] || { echo "left out: no $KUBECTL"; exit 0; }
[ -r "$(file clusterqueue)" ] || { echo "left out: no documents in $DOCUMENTS"; exit 0; }
start
queues && life && changes && system && studies
start --dialect off
without
echo "seed documents: $PASSED passed, $FAILED failed, $LEFT_OUT left out"
[ "$FAILED" -eq 0 ]
