// Prints how long messages, barriers and reductions take with MPI. `measure.swift` measures the same with the kit.
//
//     mpicc -O2 measure.c -o measure && mpirun -n 8 measure TURNS
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;
static double begin;

static void start(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
}

static void print(const char *name, int turns, double scale) {
    double each = (MPI_Wtime() - begin) / turns * scale;
    if (rank == 0) printf("%s %.9f\n", name, each);
}

static void exchange(const char *name, char *bytes, int count, int turns) {
    start();
    for (int turn = 0; turn < turns; turn++) {
        if (rank == 0) MPI_Send(bytes, count, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(bytes, count, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(bytes, count, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    print(name, turns, 0.5);
}

int main(int count, char **words) {
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int turns = count > 1 ? atoi(words[1]) : 2000, numbers = 1 << 17;
    char *bytes = calloc(1 << 20, 1);
    double *values = calloc(numbers, sizeof(double)), *sums = calloc(numbers, sizeof(double));
    if (size == 2) {
        exchange("small", bytes, 8, turns * 10);
        exchange("large", bytes, 1 << 20, turns / 10 ? turns / 10 : 1);
    }
    start();
    for (int turn = 0; turn < turns; turn++) MPI_Barrier(MPI_COMM_WORLD);
    print("barrier", turns, 1);
    int few = turns / 50 ? turns / 50 : 1;
    start();
    for (int turn = 0; turn < few; turn++) MPI_Allreduce(values, sums, numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    print("reduce", few, 1);
    MPI_Finalize();
}
