"""Monty Hall and empty tasks with Ray: ray_peer.py WORKERS trials BLOCKS | tasks COUNT. Prints names and values."""
import os
import sys
import time

import ray

import monty


def main():
    workers, what, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    ray.init(
        num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="error",
        runtime_env={"env_vars": {"PYTHONPATH": os.path.dirname(os.path.abspath(__file__))}})
    task, nothing = ray.remote(monty.task), ray.remote(monty.nothing)
    # Each worker starts, and loads and compiles the function once.
    ray.get([task.remote(0, 1000) for _ in range(2 * workers)])
    begin = time.perf_counter()
    if what == "trials":
        results = ray.get([task.remote(*span) for span in monty.ranges(count)])
        monty.report(time.perf_counter() - begin, results)
    else:
        ray.get([nothing.remote(number) for number in range(count)])
        print(f"seconds {time.perf_counter() - begin:.6f}")
    ray.shutdown()


if __name__ == "__main__":
    main()
