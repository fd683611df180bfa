#!/bin/sh
# Slurm: one allocation, in which srun starts a task for each shard. The merge follows in the same job.
#
#     sbatch --wait --output=result.txt slurm-step.sh
#
# It takes a whole node, and starts a task on each of its cores. For more nodes: sbatch --nodes=4.
# Use this if all tasks can begin at the same time; otherwise an array waits less.

#SBATCH --job-name=monty-hall
#SBATCH --nodes=1
#SBATCH --exclusive

srun --ntasks-per-node="$SLURM_CPUS_ON_NODE" --cpus-per-task=1 \
    potluck run monty-hall --trials "${TRIALS:-1e9}" --seed 1 \
    --cores 1 --shard auto --partial parts/ &&
    potluck merge parts/
