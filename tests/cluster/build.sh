#!/usr/bin/env bash
# Builds the oracle binaries (a real Kubernetes, etcd and Helm) from their published Go modules.
#
#   build.sh [NAME...]       build the named binaries, all of them when none is named
#   build.sh --list          print the names
#   build.sh --tidy NAME...  bring go.mod/go.sum of the modules behind the names up to date
#
# Output: ${KUEUE_ORACLE_DIR:-<project>/.cache/oracle}/bin. A binary is left alone while the inputs
# it was built from (go.mod, go.sum, main.go, version stamp) have not changed.
# Exit: 0 built or up to date, 1 a build failed, 2 usage, 3 there is something to build but no Go.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)
out=${KUEUE_ORACLE_DIR:-$project/.cache/oracle}/bin
# In the order they are wanted: clients first, then what the smoke test needs.
all=(kubectl-1.36 etcd kube-apiserver kubectl-1.29 kube-scheduler kube-controller-manager helm)

say() { echo "oracle: $*"; }

# Sets the caller's module (folder under modules/), package (what `go build` gets) and version.
describe() {
  case $1 in
    kubectl-1.36 | kubectl-1.29)
      module=$1
      package=.
      version=v1.$(required k8s.io/kubectl | cut -d. -f2-) ;;
    kube-apiserver | kube-scheduler | kube-controller-manager)
      module=kubernetes
      package=k8s.io/kubernetes/cmd/$1
      version=$(required k8s.io/kubernetes) ;;
    etcd)
      module=etcd
      package=go.etcd.io/etcd/server/v3
      version=$(required go.etcd.io/etcd/server/v3) ;;
    helm)
      module=helm
      package=helm.sh/helm/v3/cmd/helm
      version=$(required helm.sh/helm/v3) ;;
    *)
      say "unknown binary '$1'; known: ${all[*]}" >&2
      exit 2 ;;
  esac
}

# The version go.mod of the current module requires of module path $1.
required() {
  awk -v path="$1" '
    $1 == "require" { $1 = ""; $0 = $0 }
    $1 == path && $2 ~ /^v/ { print $2; exit }' "$here/modules/$module/go.mod"
}

# Linker flags that make the binary report `version` as its own.
stamp_flags() {
  local flags="-s -w" minor=${version#v1.} package
  case $1 in
    kube*)
      for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
        flags+=" -X $package.gitVersion=$version -X $package.gitMajor=1"
        flags+=" -X $package.gitMinor=${minor%%.*} -X $package.gitTreeState=archive"
        flags+=" -X $package.gitCommit="
      done ;;
    helm)
      flags+=" -X helm.sh/helm/v3/internal/version.version=$version"
      # `helm template` takes the cluster's version from here, having no cluster to ask.
      minor=$(required k8s.io/client-go | cut -d. -f2)
      for package in lint/rules chartutil; do
        flags+=" -X helm.sh/helm/v3/pkg/$package.k8sVersionMajor=1"
        flags+=" -X helm.sh/helm/v3/pkg/$package.k8sVersionMinor=$minor"
      done ;;
  esac
  echo "$flags"
}

inputs_hash() {
  local dir=$here/modules/$module file
  {
    for file in go.mod go.sum main.go; do
      if [[ -f $dir/$file ]]; then sha256sum <"$dir/$file"; fi
    done
    echo "$package $version $flags"
  } | sha256sum | cut -d' ' -f1
}

need_go() {
  if ! command -v go >/dev/null; then
    say "Go is not installed; it is needed to build $1 (see README.md)" >&2
    exit 3
  fi
}

build_one() {
  local name=$1 module package version flags hash started
  describe "$name"
  # Two callers must not both compile one binary; the second finds the first one's result.
  if command -v flock >/dev/null; then
    exec 9>"$out/.$name.lock"
    flock 9
  fi
  flags=$(stamp_flags "$name")
  hash=$(inputs_hash)
  if [[ -x $out/$name && $(cat "$out/.$name.inputs" 2>/dev/null) == "$hash" ]]; then
    say "$name $version is up to date"
    return
  fi
  need_go "$name"
  say "building $name $version (the first build of a module takes minutes)"
  started=$SECONDS
  if ! (cd "$here/modules/$module" &&
    CGO_ENABLED=0 GOWORK=off GOFLAGS="-p=2 -buildvcs=false" \
      nice -n 10 go build -trimpath -ldflags "$flags" -o "$out/.$name.new" "$package"); then
    say "building $name failed" >&2
    exit 1
  fi
  mv "$out/.$name.new" "$out/$name"
  echo "$hash" >"$out/.$name.inputs"
  say "built $name $version in $((SECONDS - started)) s"
}

tidy_one() {
  local name=$1 module package version
  describe "$name"
  need_go "$name"
  say "tidying modules/$module"
  (cd "$here/modules/$module" && GOWORK=off GOFLAGS="-mod=mod -buildvcs=false" go mod tidy)
}

action=build_one
case ${1:-} in
  --list) printf '%s\n' "${all[@]}" && exit 0 ;;
  --tidy) action=tidy_one && shift ;;
  -*) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" && exit 2 ;;
esac
names=("$@")
if ((${#names[@]} == 0)); then names=("${all[@]}"); fi

mkdir -p "$out"
out=$(cd "$out" && pwd)
for name in "${names[@]}"; do
  if [[ $name == kubectl ]]; then name=kubectl-1.36; fi
  "$action" "$name"
  if [[ $name == kubectl-1.36 ]]; then ln -sfn kubectl-1.36 "$out/kubectl"; fi
done
