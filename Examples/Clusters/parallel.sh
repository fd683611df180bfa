#!/bin/sh
# GNU parallel: a shard for each core at a time. With --sshlogin, the cores of several machines.
#
#     sh parallel.sh >result.txt
#
# A task that fails is tried three times. Run the script again after an interruption: complete parts stay.

tasks=${TASKS:-8}
seq "$tasks" | parallel --retries 3 \
    potluck run monty-hall --trials "${TRIALS:-1e9}" --seed 1 \
    --cores 1 --shard "{}/$tasks" --partial parts/ >&2 &&
    potluck merge parts/
