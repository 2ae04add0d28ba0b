#!/usr/bin/env python3
"""The Python client's informer over 5,000 objects, while its connections are cut, the objects change
and the server is killed and started again. At the end its cache must be what the server has.

Usage: python_informer.py [OBJECTS [SECONDS]]     needs the package `kubernetes`; KUEUE names the binary
"""
import logging
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from kubernetes import client, config
from kubernetes.client.exceptions import ApiException
from kubernetes.informer import ADDED, DELETED, MODIFIED, SharedInformer

KUEUE = os.environ.get("KUEUE", "build/release/bin/kueue")
WRITERS = 6


class Proxy:
    """Passes bytes on to the server and cuts all connections when told to."""

    def __init__(self, target):
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = set()
        self.lock = threading.Lock()
        self.cuts = 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            with self.lock:
                self.open.update((near, far))
            for a, b in ((near, far), (far, near)):
                threading.Thread(target=self.copy, args=(a, b), daemon=True).start()

    def copy(self, source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        with self.lock:
            self.open.difference_update((source, sink))
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        with self.lock:
            ends, self.open = self.open, set()
        self.cuts += len(ends) // 2
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def start(folder, port):
    process = subprocess.Popen([KUEUE, "up", "--data-dir", folder, "--listen", f"127.0.0.1:{port}"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in process.stdout:
        if line.startswith("kueue is up"):
            return process
    sys.exit("kueue did not start")


def api_of(folder, port):
    configuration = client.Configuration()
    config.load_kube_config(os.path.join(folder, "kubeconfig"), client_configuration=configuration)
    configuration.refresh_api_key_hook = None  # it would set the host again
    configuration.host = f"https://127.0.0.1:{port}"
    return client.CoreV1Api(client.ApiClient(configuration))


def map_of(name):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name, labels={"test": "informer"}),
                              data={"v": str(random.random())})


def in_parallel(work, items):
    """Calls work(item) for all items on several threads."""
    rest = list(items)
    def loop():
        while True:
            try:
                item = rest.pop()
            except IndexError:
                return
            work(item)
    threads = [threading.Thread(target=loop) for _ in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def write_at_random(api, names, until, counts):
    made = 0
    while time.monotonic() < until:
        try:
            fate = random.random()
            if fate < 0.5:
                name = random.choice(names)
                api.patch_namespaced_config_map(name, "default",
                                                {"data": {"v": str(random.random())}})
            elif fate < 0.75:
                made += 1
                api.create_namespaced_config_map("default", map_of(f"new-{id(counts)}-{made}"))
            else:
                api.delete_namespaced_config_map(random.choice(names), "default")
            counts["writes"] += 1
        except ApiException as error:
            if error.status not in (404, 409):
                raise
        except Exception:  # the server is just being killed
            time.sleep(0.05)


def versions(items):
    return {item.metadata.name: item.metadata.resource_version for item in items}


def main():
    objects = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 12
    logging.disable(logging.CRITICAL)  # the client logs every cut
    folder, port = tempfile.mkdtemp(prefix="kueue-informer-"), free_port()
    process = start(folder, port)
    proxy = Proxy(port)
    informer = None
    try:
        api = api_of(folder, port)
        names = [f"m{i}" for i in range(objects)]
        in_parallel(lambda name: api.create_namespaced_config_map("default", map_of(name)), names)

        events = {ADDED: 0, MODIFIED: 0, DELETED: 0}
        informer = SharedInformer(api_of(folder, proxy.port).list_namespaced_config_map,
                                  namespace="default", label_selector="test=informer")
        for kind in events:
            informer.add_event_handler(
                kind, lambda _, kind=kind: events.__setitem__(kind, events[kind] + 1))
        informer.start()

        counts = {"writes": 0}
        until = time.monotonic() + seconds
        writer = threading.Thread(target=write_at_random, args=(api, names, until, counts))
        writer.start()
        killed = False
        while writer.is_alive():
            time.sleep(0.4)
            proxy.cut()
            if not killed and time.monotonic() > until - seconds / 2:
                process.send_signal(signal.SIGKILL)
                process.wait()
                process, killed = start(folder, port), True
        writer.join()

        # The informer waits up to five seconds before it lists again.
        deadline = time.monotonic() + 20
        while True:
            there = versions(api.list_namespaced_config_map(
                "default", label_selector="test=informer").items)
            cached = versions(informer.cache.list())
            if there == cached or time.monotonic() > deadline:
                break
            time.sleep(0.2)
        print(f"informer: {len(there)} objects, {counts['writes']} writes, {proxy.cuts} connections "
              f"cut, 1 server killed; {events[ADDED]} added, {events[MODIFIED]} modified, "
              f"{events[DELETED]} deleted")
        if there != cached:
            wrong = [name for name in sorted(set(there) | set(cached))
                     if there.get(name) != cached.get(name)]
            print(f"WRONG: {len(wrong)} differ: {wrong[:5]}")
            return 1
        return 0 if counts["writes"] > 50 and proxy.cuts > 3 else 1
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # threads of the client and of the proxy may still wait for a socket
