"""Dask: a task for each shard, on a cluster whose machines share a folder.

    python3 dask_tasks.py >result.txt

Dask tries a task three times if it fails, and again if its machine is lost. A shard that was killed continues.
"""
import os
import subprocess

from dask.distributed import Client

TASKS = int(os.environ.get("TASKS", 8))
TRIALS = os.environ.get("TRIALS", "1e9")


def shard(index):
    path = os.path.abspath(f"parts/{index}-of-{TASKS}.part")
    subprocess.run(["potluck", "run", "monty-hall", "--trials", TRIALS, "--seed", "1", "--cores", "1", "--quiet",
                    "--shard", f"{index}/{TASKS}", "--partial", path], check=True, stdout=subprocess.DEVNULL)
    return path


if __name__ == "__main__":
    # Without an address, the cluster is this machine.
    with Client(os.environ.get("DASK_SCHEDULER"), threads_per_worker=1) as client:
        parts = client.gather(client.map(shard, range(1, TASKS + 1), retries=3))
    subprocess.run(["potluck", "merge", *parts], check=True)
