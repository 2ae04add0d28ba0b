#!/usr/bin/env bash
# A real Kubernetes control plane on loopback, to compare ours with. No nodes, no kubelet.
#
#   cluster.sh up DIR [OPTION...]   start it; returns when /readyz answers
#   cluster.sh down DIR             stop it; a cluster that is not running is no error
#
# Options of up:
#   --with-controllers              also kube-controller-manager and kube-scheduler
#   --with-service-accounts         keep the ServiceAccount admission plugin (off otherwise: pods
#                                   would need a service account that only the controllers make)
#   --apiserver-flag=FLAG           passed on to kube-apiserver; may be given more than once
#   --controller-manager-flag=FLAG  likewise; --scheduler-flag=FLAG likewise
#
# up writes DIR/kubeconfig (admin, system:masters), DIR/env (ports and PIDs, to be sourced) and
# DIR/log/*.log, and starts from an empty etcd. Binaries that are missing are built first.
# Exit: 0 done, 1 it did not start, 2 usage, 3 Go or openssl is missing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${KUEUE_ORACLE_DIR:-$(cd "$here/../.." && pwd)/.cache/oracle}/bin
ready_seconds=120 # bound of every wait for a component to come up
stop_seconds=20   # bound of the wait for a component to leave before it is killed

say() { echo "cluster: $*" >&2; }

usage() {
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
  exit 2
}

port_is_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Prints a port nobody listens on. Below the range outgoing connections take theirs from; another
# process may still get it first, for which up tries again.
free_port() {
  local port
  while true; do
    port=$((20000 + (RANDOM * 32768 + RANDOM) % 12000))
    if ! port_is_taken "$port"; then
      echo "$port"
      return
    fi
  done
}

# record KEY VALUE: appends to DIR/env at once, so that down finds a half-started cluster too.
record() { printf '%s=%q\n' "$1" "$2" >>"$dir/env"; }

# launch NAME COMMAND...: in the background, in a session of its own, output to DIR/log/NAME.log.
launch() {
  local name=$1 key
  shift
  local detach=()
  if command -v setsid >/dev/null; then detach=(setsid); fi
  "${detach[@]}" "$@" >"$dir/log/$name.log" 2>&1 </dev/null &
  key=$(tr 'a-z-' 'A-Z_' <<<"${name#kube-}")_PID
  record "$key" "$!"
  printf -v "$key" '%s' "$!"
}

# is_ours PID: alive and started for this DIR (a PID of an earlier boot may be somebody else's).
is_ours() { ps -ww -o args= -p "$1" 2>/dev/null | grep -qF -- "$dir/"; }

# wait_for NAME PID COMMAND...: until COMMAND succeeds; fails when the process dies or time is up.
wait_for() {
  local name=$1 pid=$2 deadline=$((SECONDS + ready_seconds))
  shift 2
  until "$@" >/dev/null 2>&1; do
    if ! kill -0 "$pid" 2>/dev/null || ((SECONDS >= deadline)); then
      say "$name did not become ready; the end of its log:"
      tail -n 5 "$dir/log/$name.log" >&2
      return 1
    fi
    sleep 0.2
  done
}

client() {
  KUBECACHEDIR=$dir/discovery "$bin/kubectl" --kubeconfig "$dir/kubeconfig" \
    --request-timeout=5s "$@"
}

write_kubeconfig() {
  local ca cert key
  ca=$(base64 <"$pki/ca.crt" | tr -d '\n')
  cert=$(base64 <"$pki/admin.crt" | tr -d '\n')
  key=$(base64 <"$pki/admin.key" | tr -d '\n')
  cat >"$dir/kubeconfig" <<CONFIG
apiVersion: v1
kind: Config
current-context: oracle
contexts:
- name: oracle
  context: {cluster: oracle, user: admin}
clusters:
- name: oracle
  cluster:
    server: https://127.0.0.1:$1
    certificate-authority-data: $ca
users:
- name: admin
  user:
    client-certificate-data: $cert
    client-key-data: $key
CONFIG
}

start_etcd() {
  local port
  port=$(free_port)
  record ETCD_PORT "$port"
  etcd_url=http://127.0.0.1:$port
  rm -rf "$dir/etcd"
  # The data does not outlive the cluster, so nothing waits for the disk.
  launch etcd "$bin/etcd" --name=oracle --data-dir="$dir/etcd" --unsafe-no-fsync \
    --listen-client-urls="$etcd_url" --advertise-client-urls="$etcd_url" \
    --listen-peer-urls=http://127.0.0.1:0 --log-level=warn
  wait_for etcd "$ETCD_PID" port_is_taken "$port"
}

start_apiserver() {
  local port flags=()
  port=$(free_port)
  record APISERVER_PORT "$port"
  write_kubeconfig "$port"
  if [[ -z $with_service_accounts ]]; then flags+=(--disable-admission-plugins=ServiceAccount); fi
  # No endpoints for the `kubernetes` service: a loopback address is not allowed in them.
  launch kube-apiserver "$bin/kube-apiserver" --etcd-servers="$etcd_url" \
    --bind-address=127.0.0.1 --secure-port="$port" \
    --advertise-address=127.0.0.1 --endpoint-reconciler-type=none \
    --service-cluster-ip-range=10.0.0.0/24 --allow-privileged=true --authorization-mode=RBAC \
    --tls-cert-file="$pki/server.crt" --tls-private-key-file="$pki/server.key" \
    --client-ca-file="$pki/ca.crt" \
    --service-account-issuer=https://kubernetes.default.svc \
    --service-account-key-file="$pki/sa.pub" --service-account-signing-key-file="$pki/sa.key" \
    --proxy-client-cert-file="$pki/front-client.crt" \
    --proxy-client-key-file="$pki/front-client.key" \
    --requestheader-client-ca-file="$pki/front-ca.crt" \
    --requestheader-allowed-names=front-proxy \
    --requestheader-username-headers=X-Remote-User \
    --requestheader-group-headers=X-Remote-Group \
    --requestheader-extra-headers-prefix=X-Remote-Extra- \
    "${flags[@]}" "${apiserver_flags[@]}"
  wait_for kube-apiserver "$APISERVER_PID" client get --raw /readyz || return 1
  # The namespace every test reaches for first is made shortly after readiness.
  wait_for kube-apiserver "$APISERVER_PID" client get namespace default
}

# start_follower NAME FLAG...: a component that talks to the API server as admin.
start_follower() {
  local name=$1 port key
  shift
  port=$(free_port)
  key=$(tr 'a-z-' 'A-Z_' <<<"${name#kube-}")
  record "${key}_PORT" "$port"
  launch "$name" "$bin/$name" --kubeconfig="$dir/kubeconfig" --leader-elect=false \
    --bind-address=127.0.0.1 --secure-port="$port" \
    --tls-cert-file="$pki/server.crt" --tls-private-key-file="$pki/server.key" "$@"
  key=${key}_PID
  wait_for "$name" "${!key}" client --server="https://127.0.0.1:$port" get --raw /healthz
}

start_controllers() {
  # No kubelet renews a node's lease: without the long grace every node would soon count as lost.
  # A node is as ready as its status says, and is tainted or freed of taints accordingly.
  start_follower kube-controller-manager --service-account-private-key-file="$pki/sa.key" \
    --root-ca-file="$pki/ca.crt" --node-monitor-grace-period=720h --node-startup-grace-period=720h \
    "${controller_manager_flags[@]}" || return 1
  start_follower kube-scheduler "${scheduler_flags[@]}"
}

# The starters say by their status whether the component came up; `set -e` does not reach them.
start_all() {
  : >"$dir/env"
  record KUBECONFIG "$dir/kubeconfig"
  start_etcd && start_apiserver || return 1
  if [[ -n $with_controllers ]]; then start_controllers || return 1; fi
}

# An attempt is worth repeating only when somebody else took a port in the meantime.
lost_a_port() { grep -q 'address already in use' "$dir"/log/*.log; }

up() {
  local needed=(kubectl-1.36 etcd kube-apiserver) attempt
  if [[ -n $with_controllers ]]; then needed+=(kube-controller-manager kube-scheduler); fi
  if is_running; then
    say "$dir already holds a running cluster"
    exit 1
  fi
  "$here/build.sh" "${needed[@]}" >&2
  umask 077
  mkdir -p "$dir/log"
  "$here/certificates.sh" "$pki"
  trap 'down; exit 130' INT TERM
  for attempt in 1 2 3; do
    rm -f "$dir"/log/*.log
    if start_all; then
      say "ready: KUBECONFIG=$dir/kubeconfig"
      return
    fi
    down
    if ! lost_a_port; then break; fi
  done
  exit 1
}

# Prints the recorded PIDs that still belong to this cluster, the ones others depend on last.
running_pids() {
  local key pid
  for key in SCHEDULER CONTROLLER_MANAGER APISERVER ETCD; do
    pid=$(sed -n "s/^${key}_PID=//p" "$dir/env" 2>/dev/null | tail -n 1)
    if [[ -n $pid ]] && is_ours "$pid"; then echo "$pid"; fi
  done
}

is_running() { [[ -n $(running_pids) ]]; }

down() {
  local pid deadline
  for pid in $(running_pids); do
    kill "$pid" 2>/dev/null || continue
    deadline=$((SECONDS + stop_seconds))
    while is_ours "$pid"; do
      if ((SECONDS >= deadline)); then
        kill -KILL "$pid" 2>/dev/null || true
        break
      fi
      sleep 0.1
    done
  done
  rm -rf "$dir/env" "$dir/kubeconfig" "$dir/etcd" "$dir/discovery"
}

action=${1:-}
[[ $action == up || $action == down ]] && [[ -n ${2:-} && ${2:0:1} != - ]] || usage
if [[ $action == up ]]; then mkdir -p "$2"; fi
if [[ ! -d $2 ]]; then exit 0; fi
dir=$(cd "$2" && pwd)
pki=$dir/pki
shift 2

with_controllers='' with_service_accounts=''
apiserver_flags=() controller_manager_flags=() scheduler_flags=()
for option in "$@"; do
  case $option in
    --with-controllers) with_controllers=1 ;;
    --with-service-accounts) with_service_accounts=1 ;;
    --apiserver-flag=*) apiserver_flags+=("${option#*=}") ;;
    --controller-manager-flag=*) controller_manager_flags+=("${option#*=}") ;;
    --scheduler-flag=*) scheduler_flags+=("${option#*=}") ;;
    *) usage ;;
  esac
done
"$action"
