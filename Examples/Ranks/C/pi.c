// Pi as the area under 4 / (1 + x²), each rank taking every size-th strip. Run it with: potluck launch -n 4 pi.c -- 1000
// The argument is the number of strips.

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, strips = 1000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && argc > 1) strips = atoi(argv[1]);
    MPI_Bcast(&strips, 1, MPI_INT, 0, MPI_COMM_WORLD);

    double width = 1.0 / strips, part = 0, pi;
    for (int strip = rank; strip < strips; strip += size) {
        double x = (strip + 0.5) * width;
        part += 4 / (1 + x * x) * width;
    }
    MPI_Reduce(&part, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("pi is about %.10f, which is wrong by %.1e\n", pi, fabs(pi - acos(-1)));
    MPI_Finalize();
    return 0;
}
