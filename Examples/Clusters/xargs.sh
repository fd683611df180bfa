#!/bin/sh
# xargs: a shard for each core at a time, with what every Linux system has.
#
#     sh xargs.sh >result.txt
#
# Run it again after an interruption: complete parts stay, and a task that was killed continues.

tasks=${TASKS:-8}
seq "$tasks" | xargs -P "$(nproc)" -I '{}' \
    potluck run monty-hall --trials "${TRIALS:-1e9}" --seed 1 \
    --cores 1 --shard "{}/$tasks" --partial parts/ >&2 &&
    potluck merge parts/
