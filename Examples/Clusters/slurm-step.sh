#!/bin/sh
# Slurm: one allocation, in which srun starts a task for each shard. The merge follows in the same job.
#
#     sbatch --wait --output=result.txt slurm-step.sh
#
# Use this if all tasks can begin at the same time; otherwise an array waits less.

#SBATCH --job-name=monty-hall
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=1

# Newer versions of srun do not take the number of cores from the allocation.
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" \
    potluck run monty-hall --trials "${TRIALS:-1e9}" --seed 1 \
    --cores "$SLURM_CPUS_PER_TASK" --shard auto --partial parts/ &&
    potluck merge parts/
