#!/usr/bin/env python3
"""Kills `kueue up` with SIGKILL while clients write, starts it again, and compares what was
acknowledged with what is there. Also: a full disk, where the machine lets one be made.

Usage: kill_test.py [KILLS]      (default 10; KUEUE names the binary)
"""
import http.client
import json
import os
import random
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time

KUEUE = os.environ.get("KUEUE", "build/release/bin/kueue")
MAPS = "/api/v1/namespaces/default/configmaps"
CLIENTS = 8


class Instance:
    def __init__(self, folder):
        self.folder = folder
        self.process = subprocess.Popen(
            [KUEUE, "up", "--data-dir", folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        for line in self.process.stdout:
            if line.startswith("kueue is up at "):
                self.port = int(line.rsplit(":", 1)[1])
                break
        else:
            sys.exit("kueue did not start: " + self.process.stderr.read())
        with open(os.path.join(folder, "token")) as file:
            self.token = file.read()

    def connect(self):
        context = ssl.create_default_context(cafile=os.path.join(self.folder, "pki/ca.crt"))
        return http.client.HTTPSConnection("127.0.0.1", self.port, context=context, timeout=20)

    def ask(self, connection, method, path, body=None):
        connection.request(method, path, json.dumps(body) if body else None,
                           {"Authorization": "Bearer " + self.token,
                            "Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait()


class Client(threading.Thread):
    """Writes one object again and again; knows what it was told and what it is not sure of."""

    def __init__(self, number):
        super().__init__(daemon=True)
        self.name_of_map = f"m{number}"
        self.acknowledged = None  # no object
        self.unsure = []
        self.value = 0
        self.writes = 0
        self.revision = 0
        self.instance = None

    def run(self):
        connection = self.instance.connect()
        try:
            while True:
                self.step(connection)
        except (OSError, http.client.HTTPException, ValueError):
            pass

    def step(self, connection):
        self.value += 1
        body = {"metadata": {"name": self.name_of_map},
                "data": {"v": str(self.value), "fill": "x" * random.randrange(3000)}}
        path = MAPS + "/" + self.name_of_map
        if self.acknowledged is None:
            wanted, method, path = str(self.value), "POST", MAPS
        elif random.random() < 0.2:
            wanted, method, body = None, "DELETE", None
        else:
            wanted, method = str(self.value), "PUT"
        self.unsure = [wanted]
        status, answer = self.instance.ask(connection, method, path, body)
        if status >= 300:
            sys.stderr.write(f"{method} {path}: {status} {answer}\n")
            os._exit(1)
        self.acknowledged, self.unsure = wanted, []
        self.writes += 1
        self.revision = max(self.revision,
                            int(answer.get("metadata", {}).get("resourceVersion", 0)))


def check(instance, clients):
    """Returns (lost, phantom)."""
    status, found = instance.ask(instance.connect(), "GET", MAPS)
    assert status == 200, found
    values = {item["metadata"]["name"]: item["data"]["v"] for item in found["items"]
              if item["metadata"]["name"].startswith("m")}
    highest = max(client.revision for client in clients)
    if int(found["metadata"]["resourceVersion"]) < highest:
        print(f"revisions went back: {found['metadata']['resourceVersion']} < {highest}")
        return 1, 0
    lost = phantom = 0
    for client in clients:
        value = values.pop(client.name_of_map, None)
        if value != client.acknowledged and value not in client.unsure:
            print(f"{client.name_of_map}: acknowledged {client.acknowledged}, "
                  f"unsure {client.unsure}, found {value}")
            lost += 1
        client.acknowledged, client.unsure = value, []
    return lost, phantom + len(values)


def kills(count):
    folder = tempfile.mkdtemp(prefix="kueue-kill-")
    known = [Client(i) for i in range(CLIENTS)]
    lost = phantom = 0
    try:
        for _ in range(count):
            instance = Instance(folder)
            for i, client in enumerate(known):
                fresh = Client(i)
                fresh.acknowledged, fresh.value = client.acknowledged, client.value
                fresh.revision, fresh.writes = client.revision, client.writes
                fresh.instance, known[i] = instance, fresh
                fresh.start()
            time.sleep(random.uniform(0.1, 0.8))
            instance.kill()
            for client in known:
                client.join()
            instance = Instance(folder)
            one = check(instance, known)
            lost, phantom = lost + one[0], phantom + one[1]
            # Sometimes it ends in peace before it is killed again.
            instance.stop() if random.random() < 0.5 else instance.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    writes = sum(client.writes for client in known)
    print(f"killed {count} times during {writes} acknowledged writes: {lost} lost, "
          f"{phantom} phantom")
    return lost == 0 and phantom == 0 and writes > count


def full_disk():
    """On a small file system of its own; needs root."""
    folder = tempfile.mkdtemp(prefix="kueue-full-")
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "kueue-full", folder],
                          capture_output=True)
    if made.returncode != 0:
        os.rmdir(folder)
        print("a full disk: left out, mounting is not allowed here")
        return True
    instance = Instance(folder)
    good = False
    try:
        connection = instance.connect()
        fill = os.path.join(folder, "fill")
        with open(fill, "wb") as file:
            try:
                while True:
                    file.write(b"x" * 65536)
                    file.flush()
            except OSError:
                pass
        status, answer = 201, {}
        names = []
        while status == 201 and len(names) < 1000:
            name = f"full{len(names)}"
            status, answer = instance.ask(connection, "POST", MAPS, {
                "metadata": {"name": name}, "data": {"fill": "x" * 20000}})
            names.append(name)
        refused = names.pop()
        print(f"full disk: {status} {answer.get('reason')}: {answer.get('message')}")
        missing, _ = instance.ask(connection, "GET", MAPS + "/" + refused)
        os.remove(fill)
        again = 507
        for _ in range(50):
            again, _ = instance.ask(connection, "POST", MAPS, {"metadata": {"name": refused}})
            if again != 507:
                break
            time.sleep(0.1)
        there, _ = instance.ask(connection, "GET", MAPS + "/" + names[-1]) if names else (200, 0)
        good = (status == 507 and folder in answer["message"] and missing == 404 and again == 201
                and there == 200)
        print("full disk:", "refused, nothing half applied, goes on" if good else
              f"WRONG: {status} {missing} {again} {there}")
    finally:
        instance.kill()
        subprocess.run(["umount", folder])
        os.rmdir(folder)
    return good


if __name__ == "__main__":
    random.seed()
    results = [kills(int(sys.argv[1]) if len(sys.argv) > 1 else 10), full_disk()]
    sys.exit(0 if all(results) else 1)
