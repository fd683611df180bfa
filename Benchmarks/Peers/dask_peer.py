"""Monty Hall and empty tasks with Dask: dask_peer.py WORKERS trials BLOCKS | tasks COUNT. Prints names and values."""
import sys
import time

import dask
from dask.distributed import Client, LocalCluster

import monty


def main():
    workers, what, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    dask.config.set({"distributed.worker.daemon": True})
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster, Client(cluster) as client:
        client.wait_for_workers(workers)
        # Each worker loads and compiles the function once.
        client.run(monty.task, 0, 1)
        begin = time.perf_counter()
        if what == "trials":
            results = client.gather([client.submit(monty.task, *span, pure=False) for span in monty.ranges(count)])
            monty.report(time.perf_counter() - begin, results)
        else:
            client.gather(client.map(monty.nothing, range(count), pure=False))
            print(f"seconds {time.perf_counter() - begin:.6f}")


if __name__ == "__main__":
    main()
