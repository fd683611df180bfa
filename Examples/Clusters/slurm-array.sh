#!/bin/sh
# Slurm: an array of eight tasks. A second job merges their parts after all of them have succeeded.
#
#     array=$(sbatch --parsable slurm-array.sh)
#     sbatch --wait --dependency=afterok:$array --kill-on-invalid-dep=yes \
#         --output=result.txt --wrap 'potluck merge parts/'
#
# If a task fails, submit the array again: complete parts stay, and a task that was killed continues.

#SBATCH --job-name=monty-hall
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --output=monty-hall-%a.log
#SBATCH --open-mode=append

exec potluck run monty-hall --trials "${TRIALS:-1e9}" --seed 1 \
    --cores "$SLURM_CPUS_PER_TASK" --shard auto --partial parts/
