// The product of two square matrices. Rank 0 hands out rows of A and all of B, and gathers rows of the product. Run it
// with: potluck launch -n 3 matrix.c -- 3
// The argument is the number of rows.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

// The matrices have 1, 2, 3, … by rows, and the same numbers from the last one down.
static void fill(double *a, double *b, int count) {
    for (int i = 0; i < count; i++) {
        a[i] = i + 1;
        b[i] = count - i;
    }
}

static void multiply(const double *a, const double *b, double *product, int rows, int size) {
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < size; column++) product[row * size + column] = 0;
        for (int k = 0; k < size; k++) {
            double factor = a[row * size + k];
            for (int column = 0; column < size; column++) product[row * size + column] += factor * b[k * size + column];
        }
    }
}

int main(int argc, char **argv) {
    int rank, ranks, size = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    // The first ranks have one row more if it does not come out even.
    int counts[ranks], places[ranks], place = 0;
    for (int i = 0; i < ranks; i++) {
        counts[i] = (size / ranks + (i < size % ranks)) * size;
        places[i] = place;
        place += counts[i];
    }
    double *b = malloc(size * size * sizeof *b), *a = NULL, *product = NULL;
    double *own = malloc((counts[rank] + 1) * sizeof *own), *done = malloc((counts[rank] + 1) * sizeof *done);
    if (rank == 0) {
        a = malloc(size * size * sizeof *a);
        product = malloc(size * size * sizeof *product);
        fill(a, b, size * size);
    }
    double start = MPI_Wtime();
    MPI_Bcast(b, size * size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatterv(a, counts, places, MPI_DOUBLE, own, counts[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    multiply(own, b, done, counts[rank] / size, size);
    MPI_Gatherv(done, counts[rank], MPI_DOUBLE, product, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);

    if (rank == 0 && size <= 10) {
        for (int i = 0; i < size * size; i++) printf("%g%c", product[i], (i + 1) % size == 0 ? '\n' : ' ');
    } else if (rank == 0) {
        printf("%d rows in %.3f s\n", size, MPI_Wtime() - start);
    }
    free(a), free(b), free(own), free(done), free(product);
    MPI_Finalize();
    return 0;
}
