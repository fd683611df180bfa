// A number travels around the ring of ranks, and each rank adds its own. Run it with: potluck launch -n 4 ring.c -- 3
// The argument is the number of rounds.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;

    long long number = 0;
    for (int round = 0; round < rounds; round++) {
        // Rank 0 begins each round and ends it. With a single rank, it sends the number to itself.
        if (rank > 0) MPI_Recv(&number, 1, MPI_LONG_LONG, previous, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        number += rank;
        MPI_Send(&number, 1, MPI_LONG_LONG, next, round, MPI_COMM_WORLD);
        if (rank == 0) {
            MPI_Recv(&number, 1, MPI_LONG_LONG, previous, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf("round %d: %lld\n", round + 1, number);
        }
    }
    MPI_Finalize();
    return 0;
}
