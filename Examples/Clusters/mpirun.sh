#!/bin/sh
# MPI: one process for each shard. Potluck needs no MPI library; it only reads the variables that mpirun sets.
#
#     sh mpirun.sh >result.txt
#
# Open MPI starts a process for each of its slots. TASKS=8 asks for eight; without so many slots, mpirun refuses them.
# With a host file, the folder parts/ must be one that all machines share.
# If a process fails, mpirun ends the others. Run it again: they continue.

mpirun ${TASKS:+-n "$TASKS"} potluck run monty-hall --trials "${TRIALS:-1e9}" --seed 1 \
    --cores 1 --quiet --shard auto --partial parts/ >&2 &&
    potluck merge parts/
