"""A member of groups that are given up while they reduce: prints the longest time that an end took.

Usage: give_up.py RANK WORKERS GROUPS, with the port of the first member's store on standard input of the others. The
first one prints that port.
"""

import random
import sys
import threading
import time

import torch
import torch.distributed

from optimus_yarn.group import Group, GroupFailed, Rendezvous

rank, workers, groups = (int(argument) for argument in sys.argv[1:])
rendezvous = Rendezvous()
if rank == 0:
    print(rendezvous.port, flush=True)
port = rendezvous.port if rank == 0 else int(sys.stdin.readline())
store = torch.distributed.TCPStore("127.0.0.1", port, is_master=False, wait_for_workers=False)


def meet(key: str) -> None:
    """Waits for all members."""
    store.add(key, 1)
    while store.add(key, 0) < workers:
        time.sleep(0.001)


# A group gives up all connections that came to this process while it formed.
meet("connected")
times = random.Random(rank)
longest = 0.0
sleeping = 0
for number in range(groups):
    group = Group(str(number), rank, workers, "127.0.0.1", port, torch.device("cpu"))
    group.form()
    meet(f"{number}.formed")
    given_up = time.monotonic() + times.uniform(0.002, 0.02)
    timer = threading.Timer(given_up - time.monotonic(), group.abort)
    timer.start()
    try:
        values = [torch.ones(size) for size in (1000, 5000, 300)]
        while True:
            for wait in [group.all_reduce(each) for each in values]:
                wait()
    except GroupFailed:
        timer.join()
    group.close()
    longest = max(longest, time.monotonic() - given_up)
    sleeping += group.has_sleeping_calls
    meet(f"{number}.closed")
print(longest, sleeping)
