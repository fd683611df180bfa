"""Ray: a task for each shard. Tasks return their partial files, so the machines need no common folder.

    python3 ray_tasks.py >result.txt

Ray tries a task again if its machine is lost. RAY_ADDRESS names a cluster; without it, it is this machine.
"""
import os
import pathlib
import subprocess
import tempfile

import ray

TASKS = int(os.environ.get("TASKS", 8))
COMMAND = f"potluck run monty-hall --trials {os.environ.get('TRIALS', '1e9')} --seed 1 --cores 1 --quiet"


@ray.remote(num_cpus=1, max_retries=3, retry_exceptions=True)
def shard(index):
    with tempfile.TemporaryDirectory() as folder:
        command = [*COMMAND.split(), "--shard", f"{index}/{TASKS}", "--partial", f"{folder}/part"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return pathlib.Path(folder, "part").read_bytes()


with tempfile.TemporaryDirectory() as folder:
    for index, part in enumerate(ray.get([shard.remote(index + 1) for index in range(TASKS)])):
        pathlib.Path(folder, f"{index}.part").write_bytes(part)
    subprocess.run(["potluck", "merge", folder], check=True)
