/* Monty Hall and empty tasks with MPI: measure trials BLOCKS | tasks COUNT. Prints names and values.
 *
 * Rank 0 gives out the work and takes the results in; all other ranks compute. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../References/monty-hall.c"

/* Each worker has this many tasks at a time, so that it need not wait for the next one. */
enum { IN_HAND = 2, TASK = 1, END = 2 };

typedef struct {
    uint64_t stay, swap, kilobytes;
} answer;

static uint64_t resident(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long all = 0, resident = 0;
    if (file && fscanf(file, "%lu %lu", &all, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return resident * 4;
}

/* Gives out tasks of `each` blocks, which may be none. */
static answer host(int workers, uint64_t tasks, uint64_t each) {
    answer sum = {0}, one;
    uint64_t given = 0, back = 0;
    MPI_Status status;
    for (int turn = 0; turn < IN_HAND; turn++)
        for (int rank = 1; rank <= workers && given < tasks; rank++, given++) {
            uint64_t task[2] = {given * each, each};
            MPI_Send(task, 2, MPI_UINT64_T, rank, TASK, MPI_COMM_WORLD);
        }
    for (; back < tasks; back++) {
        MPI_Recv(&one, 3, MPI_UINT64_T, MPI_ANY_SOURCE, TASK, MPI_COMM_WORLD, &status);
        sum.stay += one.stay, sum.swap += one.swap;
        if (one.kilobytes > sum.kilobytes) sum.kilobytes = one.kilobytes;
        if (given < tasks) {
            uint64_t task[2] = {given++ * each, each};
            MPI_Send(task, 2, MPI_UINT64_T, status.MPI_SOURCE, TASK, MPI_COMM_WORLD);
        }
    }
    for (int rank = 1; rank <= workers; rank++) MPI_Send(NULL, 0, MPI_UINT64_T, rank, END, MPI_COMM_WORLD);
    return sum;
}

static void work(void) {
    uint64_t task[2];
    MPI_Status status;
    for (;;) {
        MPI_Recv(task, 2, MPI_UINT64_T, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == END) return;
        uint64_t counts[2] = {0, 0};
        if (task[1]) reference(2015, task[0], task[1], 3, counts);
        answer one = {counts[0], counts[1], task[1] ? resident() : 0};
        MPI_Send(&one, 3, MPI_UINT64_T, 0, TASK, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 3 || size < 2) {
        fprintf(stderr, "usage: mpirun -n 2|3|... measure trials BLOCKS | tasks COUNT\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    uint64_t count = strtoull(argv[2], NULL, 10);
    int plays = !strcmp(argv[1], "trials");
    /* Sixty-four tasks share the trials evenly and cost nothing. */
    uint64_t tasks = plays ? 64 : count, each = plays ? (count + 63) / 64 : 0;
    double begin = MPI_Wtime();
    if (rank > 0) work();
    else {
        answer sum = host(size - 1, tasks, each);
        double seconds = MPI_Wtime() - begin;
        printf("seconds %.6f\n", seconds);
        if (plays)
            printf("trials %llu\nstay %llu\nswap %llu\nkilobytes %llu\n", (unsigned long long)(tasks * each * BLOCK),
                   (unsigned long long)sum.stay, (unsigned long long)sum.swap, (unsigned long long)sum.kilobytes);
    }
    MPI_Finalize();
}
