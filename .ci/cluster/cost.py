"""Prints the cost of the descendants of a process, by kind: processor seconds, number of processes, and the largest
peak memory of one process.

Arguments: the id of the process, and a path. The program runs until a file with this path exists."""

import os
import sys
import time

kinds = {  # by a word in the command line
    "StandaloneSessionClusterEntrypoint": "job manager",
    "TaskManagerRunner": "task manager",
    "deploy.master.Master": "master",
    "deploy.worker.Worker": "Spark's worker",
    "CoarseGrainedExecutorBackend": "executor",
    "JobServerDriver": "job server",
    "provision_endpoint": "worker",
    "gamedissect-beam": "gamedissect-beam",
}
# By process: its ticks, the ticks of its children that have exited, and both numbers at the start.
took, children_took, began = {}, {}, {}
peaks, kind = {}, {}  # by process: peak memory in kB, and kind


def text(pid, name):
    with open(f"/proc/{pid}/{name}", encoding="utf-8", errors="replace") as file:
        return file.read()


def look(pid, first):
    """Records the cost of a process and of its descendants."""
    try:
        command = text(pid, "cmdline")
        now = next((name for word, name in kinds.items() if word in command), "")
        if pid not in kind or command and kind[pid] != now:  # a copy of its parent has started another program
            kind[pid], peaks[pid] = now, 0
            with open(f"/proc/{pid}/clear_refs", "w", encoding="ascii") as file:
                file.write("5")  # resets the peak
        user, system, *waited = map(int, text(pid, "stat").rpartition(")")[2].split()[11:15])
        took[pid], children_took[pid] = user + system, sum(waited)
        began.setdefault(pid, (user + system, sum(waited)) if first else (0, 0))
        peak = [line.split()[1] for line in text(pid, "status").splitlines() if line.startswith("VmHWM")]
        peaks[pid] = max([peaks[pid], *map(int, peak)])
        children = [c for task in os.listdir(f"/proc/{pid}/task") for c in text(pid, f"task/{task}/children").split()]
    except (OSError, ValueError):  # the process has exited
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
        ticks = sum(took[pid] - began[pid][0] for pid in pids)
        if name == "worker":  # many exit between two looks; their ticks are then added to their parents' children_took
            parents = [pid for pid in took if kind[pid] in ("task manager", "executor")]
            ticks = max(ticks, sum(children_took[pid] - began[pid][1] for pid in parents))
        print(f"  {name}: {ticks / second:.1f} s of processors, {len(pids)} of them, {max(map(peaks.get, pids)) // 1024} MB at most")
