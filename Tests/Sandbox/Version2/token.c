// The program of token.wasm, which `potluck build` made when version 2 was frozen. It uses our MPI, and the C library,
// which asks for lines, arguments, input and time.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv) {
    int rank, size, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;

    double scale = 1;
    if (rank == 0 && scanf("%lf", &scale) != 1) scale = 1;
    MPI_Bcast(&scale, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < argc; i++) printf("argument %d: %s\n", i, argv[i]);

    MPI_Request requests[2];
    MPI_Status statuses[2];
    int own = 10 * rank;
    MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Issend(&own, 1, MPI_INT, next, 4, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    int source = statuses[0].MPI_SOURCE;
    printf("%d of rank %d, which is %s\n", token, source, source == previous ? "the one before" : "wrong");

    double part = scale * (token + rank), sum;
    MPI_Reduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    // The calendar begins at a second that the seed chooses.
    if (rank == 0) printf("the sum is %.17g, and %d\n", sum, time(NULL) >= 1000000007 && MPI_Wtime() >= 0);
    MPI_Finalize();
    if (rank == 1) exit(0);
    return 0;
}
