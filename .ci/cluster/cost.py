"""Prints what the descendants of a process take, by kind: processor seconds, how many there were, and the peak of one.

Arguments: the process, and a file; when that is there, this ends."""

import os
import sys
import time

kinds = {  # by a word of their command lines
    "StandaloneSessionClusterEntrypoint": "job manager",
    "TaskManagerRunner": "task manager",
    "deploy.master.Master": "master",
    "deploy.worker.Worker": "Spark's worker",
    "CoarseGrainedExecutorBackend": "executor",
    "JobServerDriver": "job server",
    "provision_endpoint": "worker",
    "gamedissect-beam": "gamedissect-beam",
}
began, took, peaks, kind = {}, {}, {}, {}  # ticks, ticks, kB and kind by process


def text(pid, name):
    with open(f"/proc/{pid}/{name}", encoding="utf-8", errors="replace") as file:
        return file.read()


def look(pid, first):
    """Takes note of a process and of those that it started."""
    try:
        if pid not in kind:
            command = text(pid, "cmdline")
            kind[pid] = next((name for word, name in kinds.items() if word in command), "")
            with open(f"/proc/{pid}/clear_refs", "w", encoding="ascii") as file:
                file.write("5")  # the peak counts from now on
        user, system = text(pid, "stat").rpartition(")")[2].split()[11:13]
        took[pid] = int(user) + int(system)
        began.setdefault(pid, took[pid] if first else 0)
        peak = [line.split()[1] for line in text(pid, "status").splitlines() if line.startswith("VmHWM")]
        peaks[pid] = max([peaks.get(pid, 0), *map(int, peak)])
        children = [c for task in os.listdir(f"/proc/{pid}/task") for c in text(pid, f"task/{task}/children").split()]
    except (OSError, ValueError):  # it has ended
        return
    for child in children:
        look(child, first)


first = True
while not os.path.exists(sys.argv[2]):
    look(sys.argv[1], first)
    first = False
    time.sleep(0.2)
second = os.sysconf("SC_CLK_TCK")
for name in kinds.values():
    pids = [pid for pid in took if kind[pid] == name]
    if pids:
        seconds = sum(took[pid] - began[pid] for pid in pids) / second
        print(f"  {name}: {seconds:.1f} s of processors, {len(pids)} of them, {max(map(peaks.get, pids)) // 1024} MB at most")
