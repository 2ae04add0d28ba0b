#!/usr/bin/env bash
# Makes what a loopback cluster proves identities with.
#
#   certificates.sh DIR
#
# Writes into DIR (PEM, EC P-256, valid 30 days):
#   ca            signs server (localhost) and admin (group system:masters)
#   front-ca      signs front-client, with which the API server calls aggregated servers
#   sa            the key pair service account tokens are signed with
# each as NAME.crt and NAME.key; `sa` as sa.key and sa.pub.
set -euo pipefail

dir=${1:?usage: certificates.sh DIR}
days=30
log=$dir/openssl.log

run_openssl() {
  if ! openssl "$@" >>"$log" 2>&1; then
    echo "cluster: openssl $1 failed: $(tail -n 1 "$log")" >&2
    exit 1
  fi
}

new_key() { run_openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$dir/$1.key"; }

new_authority() {
  local name=$1
  new_key "$name"
  run_openssl req -x509 -new -key "$dir/$name.key" -subj "/CN=oracle-$name" -days "$days" \
    -addext keyUsage=critical,keyCertSign,digitalSignature -out "$dir/$name.crt"
}

# new_leaf NAME AUTHORITY SUBJECT EXTENSION...
new_leaf() {
  local name=$1 authority=$2 subject=$3
  shift 3
  new_key "$name"
  printf '%s\n' keyUsage=critical,digitalSignature "$@" >"$dir/$name.ext"
  run_openssl req -new -key "$dir/$name.key" -subj "$subject" -out "$dir/$name.csr"
  run_openssl x509 -req -in "$dir/$name.csr" -CA "$dir/$authority.crt" \
    -CAkey "$dir/$authority.key" -CAcreateserial -days "$days" \
    -extfile "$dir/$name.ext" -out "$dir/$name.crt"
  rm -f "$dir/$name.ext" "$dir/$name.csr"
}

if ! command -v openssl >/dev/null; then
  echo "cluster: openssl is not installed; it makes the cluster's certificates" >&2
  exit 3
fi
mkdir -p "$dir"
umask 077
hosts=DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc
new_authority ca
# 10.0.0.1 is the first address of the service range, at which pods would find the API server.
new_leaf server ca /CN=kube-apiserver extendedKeyUsage=serverAuth \
  "subjectAltName=$hosts,IP:127.0.0.1,IP:10.0.0.1"
new_leaf admin ca /O=system:masters/CN=oracle-admin extendedKeyUsage=clientAuth
new_authority front-ca
new_leaf front-client front-ca /CN=front-proxy extendedKeyUsage=clientAuth
new_key sa
run_openssl pkey -in "$dir/sa.key" -pubout -out "$dir/sa.pub"
