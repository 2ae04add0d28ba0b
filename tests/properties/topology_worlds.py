#!/usr/bin/env python3
"""topology_worlds.py MODEL DATA OUT FIRST COUNT: recorded topology scenarios, changed at random, with the outcomes
that the model computes. The core plays them afterwards; both must agree."""
import copy
import json
import os
import random
import sys

LEVEL_KINDS = ("required", "preferred", "unconstrained", "slices only", "nothing")
FIELDS = ("name", "flavors", "resourceUsage", "count", "topologyAssignment", "delayedTopologyRequest")


def workloads(world):
    for obj in world["objects"] + [o for s in world["steps"] for o in s.get("apply") or []]:
        if obj["kind"] == "Workload":
            yield obj


def change_node(rng, node):
    allocatable, spec = node["status"]["allocatable"], node.setdefault("spec", {})
    what = rng.randrange(5)
    if what == 0:
        allocatable["cpu"] = str(rng.randint(0, 9))
    elif what == 1:
        allocatable["pods"] = str(rng.randint(0, 6))
    elif what == 2:
        effect = rng.choice(["NoSchedule", "NoExecute", "PreferNoSchedule"])
        spec.setdefault("taints", []).append({"key": "x", "value": "y", "effect": effect})
    elif what == 3:
        node["status"]["conditions"] = [{"type": "Ready", "status": rng.choice(["True", "False", "Unknown"])}]
    else:
        spec["unschedulable"] = True


def change_request(rng, pod_set, levels):
    level, kind, request = rng.choice(levels), rng.choice(LEVEL_KINDS), {}
    if kind in ("required", "preferred"):
        request[kind] = level
    elif kind == "unconstrained":
        request[kind] = True
    if kind == "slices only" or rng.random() < 0.3:
        request["podSetSliceRequiredTopology"] = rng.choice(levels)
        request["podSetSliceSize"] = rng.randint(1, max(1, pod_set["count"]))
    if request:
        pod_set["topologyRequest"] = request


def change_pod_set(rng, workload, pod_set, levels, nodes):
    grouped = "podSetGroupName" in (pod_set.get("topologyRequest") or {})
    spec = pod_set["template"]["spec"]
    requests = spec["containers"][0].setdefault("resources", {}).setdefault("requests", {})
    what = rng.randrange(7)
    if what == 0 and not grouped:
        pod_set["count"] = rng.randint(1, 9)
        if pod_set.get("minCount", 0) > pod_set["count"]:
            pod_set["minCount"] = pod_set["count"]
    elif what == 1:
        requests["cpu"] = rng.choice(["0", "1", "2", "500m", "3"])
    elif what == 2 and levels and not grouped:
        change_request(rng, pod_set, levels)
    elif what == 3:
        workload["spec"]["priority"] = rng.randint(-1, 6)
    elif what == 4 and nodes:
        spec["nodeSelector"] = dict([rng.choice(sorted(rng.choice(nodes)["metadata"]["labels"].items()))])
    elif what == 5:
        spec["tolerations"] = [{"key": "x", "operator": "Exists"}]
    elif what == 6 and len(requests) > 1:
        requests.pop(rng.choice(sorted(requests)))


def change(rng, world):
    nodes = [o for o in world["objects"] if o["kind"] == "Node"]
    topologies = [o for o in world["objects"] if o["kind"] == "Topology"]
    for _ in range(rng.randint(1, 6)):
        waiting = [w for w in workloads(world) if not (w.get("status") or {}).get("admission")]
        if nodes and rng.random() < 0.4:
            change_node(rng, rng.choice(nodes))
        elif waiting:
            workload = rng.choice(waiting)
            levels = [x["nodeLabel"] for x in rng.choice(topologies)["spec"]["levels"]] if topologies else []
            change_pod_set(rng, workload, rng.choice(workload["spec"]["podSets"]), levels, nodes)
    for workload in workloads(world):  # ties end in the uid
        workload["metadata"].setdefault("uid", "uid-" + workload["metadata"]["name"])
    gates = dict(world.get("featureGates") or {})
    for gate, value, odds in (("TASBalancedPlacement", True, 0.1), ("TASRespectNodeAffinityPreferred", True, 0.1),
                              ("TASProfileMixed", False, 0.1), ("TASHandleOverlappingFlavors", False, 0.1)):
        if rng.random() < odds:
            gates[gate] = value
    world.pop("featureGates", None)
    if gates:
        world["featureGates"] = gates


def ordered(value):
    if isinstance(value, dict):
        keys = [k for k in FIELDS if k in value] if "name" in value and "flavors" in value else list(value)
        return {k: ordered(value[k]) for k in keys}
    return [ordered(item) for item in value] if isinstance(value, list) else value


def settle(player):
    """As in recorded data: also the eviction of a workload that finished meanwhile ends and asks for retries."""
    for workload in player.world.workloads.values():
        if not (workload.evicted and workload.admission):
            continue
        name = workload.admission["clusterQueue"]
        if not workload.finished:
            workload.admission = None
            player.queues[player.world.queue_of(workload)].push(workload)
        workload.evicted = False
        player.ask_retry(name)
    player.run_retries()


def main():
    model, data, out, first, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
    sys.path.insert(0, model)
    import play_topology
    play_topology.Player.settle = settle
    sources = sorted(f for f in os.listdir(data) if f.startswith(("topology-", "reference-topology-")))
    for i in range(first, first + count):
        rng = random.Random(i)
        with open(os.path.join(data, rng.choice(sources)), encoding="utf-8") as handle:
            world = json.load(handle)
        world["name"] = f"topology-{i:06d}"
        change(rng, world)
        outcomes, end = play_topology.Player(copy.deepcopy(world)).play()
        world["expect"] = [ordered({"step": o.pop("step"), **play_topology.normal(o)}) for o in outcomes]
        queues = {n: ({"usage": u} if u else {}) for n, u in end["usage"].items()}
        world["end"] = {"clusterQueues": queues}
        if end["quotaReserved"]:
            world["end"]["quotaReserved"] = end["quotaReserved"]
        with open(os.path.join(out, world["name"] + ".json"), "w", encoding="utf-8") as handle:
            json.dump(world, handle)


main()
