#!/bin/sh
# Slurm: as many rounds as a precision needs. Each round is an array, and sbatch waits for its end.
#
#     sh slurm-campaign.sh >result.txt
#
# Run it on a login node, in tmux for example. If it is stopped, run it again: it continues with what is there.
# {} is a file with the commands of a round, one in each line, and {n} is their number. A task runs its line.

potluck campaign monty-hall --until "${PRECISION:-2e-5}" --seed 1 --shards "${TASKS:-8}" --folder rounds \
    --submit 'sbatch --wait --array=1-{n} --cpus-per-task=1 --output=round-%a.log \
        --wrap "sed -n \${SLURM_ARRAY_TASK_ID}p {} | sh"'
