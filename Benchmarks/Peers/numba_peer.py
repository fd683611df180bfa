"""Monty Hall and empty tasks with numba in processes of one core: numba_peer.py WORKERS trials BLOCKS | tasks COUNT."""
import multiprocessing
import sys
import time

import monty


def main():
    workers, what, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        # Each process loads and compiles the function once.
        pool.starmap(monty.task, [(0, 1000)] * 2 * workers, chunksize=1)
        begin = time.perf_counter()
        if what == "trials":
            results = pool.starmap(monty.task, monty.ranges(count), chunksize=1)
            monty.report(time.perf_counter() - begin, results)
        else:
            pool.map(monty.nothing, range(count), chunksize=1)
            print(f"seconds {time.perf_counter() - begin:.6f}")


if __name__ == "__main__":
    main()
