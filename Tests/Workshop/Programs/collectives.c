// Calls every collective function and prints what it gives. The output for 4 ranks, sorted by rank, is in
// collectives.txt; for any number of ranks it is that of another MPI.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void show(const char *what, const int *values, int count) {
    printf("%s:", what);
    for (int i = 0; i < count; i++) printf(" %d", values[i]);
    printf("\n");
}

static void move(void) {
    int all[64], own[64], counts[64], places[64], place = 0;
    int number = rank == size - 1 ? 7 : 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(&number, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
    show("broadcast", &number, 1);
    for (int i = 0; i < 2 * size; i++) all[i] = i * i;
    MPI_Scatter(all, 2, MPI_INT, own, 2, MPI_INT, 0, MPI_COMM_WORLD);
    show("scatter", own, 2);
    own[0] += rank;
    MPI_Gather(own, 2, MPI_INT, all, 2, MPI_INT, size - 1, MPI_COMM_WORLD);
    if (rank == size - 1) show("gather", all, 2 * size);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    show("all gather", all, size);

    // Rank r has r + 1 numbers, and there is a gap behind them.
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        places[i] = place;
        place += i + 2;
    }
    for (int i = 0; i < place; i++) all[i] = -1;
    for (int i = 0; i <= rank; i++) own[i] = 10 * rank + i;
    MPI_Gatherv(own, rank + 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) show("gather v", all, place);
    MPI_Allgatherv(own, rank + 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    if (rank > 0) {
        for (int i = 0; i < size; i++) all[places[i] + counts[i]] = -1;
    }
    show("all gather v", all, place);
    MPI_Scatterv(all, counts, places, MPI_INT, own, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
    show("scatter v", own, rank + 1);
    for (int i = 0; i < 64; i++) own[i] = 100 * rank + i;
    MPI_Alltoall(own, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    show("all to all", all, size);
    MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    show("and back", all, size);

    // Everybody gets as many numbers from rank r as r says.
    int sent[64], from[64];
    place = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = rank;
        places[i] = i;
        sent[i] = i;
        from[i] = place;
        place += i;
    }
    MPI_Alltoallv(own, counts, places, MPI_INT, all, sent, from, MPI_INT, MPI_COMM_WORLD);
    show("all to all v", all, place);
}

// Digits behind each other: an operation whose order matters.
static void join(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)type;
    long long *left = in, *right = inout;
    for (int i = 0; i < *count; i++) {
        long long scale = 10;
        while (scale <= right[i]) scale *= 10;
        right[i] += left[i] * scale;
    }
}

static void reduce(void) {
    int own[] = {rank + 1, size - rank}, all[2] = {0, 0};
    MPI_Reduce(own, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) show("sum", all, 2);
    MPI_Reduce(own, all, 2, MPI_INT, MPI_PROD, size - 1, MPI_COMM_WORLD);
    if (rank == size - 1) show("product", all, 2);
    MPI_Allreduce(own, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    show("maximum", all, 2);
    MPI_Allreduce(own, all, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    show("minimum", all, 2);
    MPI_Allreduce(own, all, 2, MPI_INT, MPI_BXOR, MPI_COMM_WORLD);
    show("exclusive or", all, 2);
    int isEven = rank % 2 == 0;
    MPI_Allreduce(&isEven, all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    MPI_Allreduce(&isEven, all + 1, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    show("and, or", all, 2);

    struct { double value; int place; } height = {(rank * 3) % 4, rank}, highest, lowest;
    MPI_Allreduce(&height, &highest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Allreduce(&height, &lowest, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    printf("highest: %g at %d, lowest: %g at %d\n", highest.value, highest.place, lowest.value, lowest.place);

    MPI_Op joined;
    long long digit = rank + 1, digits;
    MPI_Op_create(join, 0, &joined);
    MPI_Allreduce(&digit, &digits, 1, MPI_LONG_LONG, joined, MPI_COMM_WORLD);
    printf("joined: %lld\n", digits);
    MPI_Scan(&digit, &digits, 1, MPI_LONG_LONG, joined, MPI_COMM_WORLD);
    printf("scan: %lld\n", digits);
    MPI_Exscan(&digit, &digits, 1, MPI_LONG_LONG, joined, MPI_COMM_WORLD);
    if (rank > 0) printf("scan before: %lld\n", digits);
    MPI_Op_free(&joined);

    int table[64], counts[64], part[64];
    for (int i = 0; i < 2 * size; i++) table[i] = i + rank;
    MPI_Reduce_scatter_block(table, part, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    show("reduce and scatter", part, 2);
    for (int i = 0; i < size; i++) counts[i] = i == size - 1 ? size + 1 : 1;
    MPI_Reduce_scatter(table, part, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    show("reduce and scatter v", part, counts[rank]);
    MPI_Allreduce(MPI_IN_PLACE, table, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    show("in place", table, 2);
}

// The rows of a matrix as columns.
static void derive(void) {
    int table[3][4], column[3] = {0, 0, 0}, bytes;
    MPI_Datatype columns;
    MPI_Type_vector(3, 1, 4, MPI_INT, &columns);
    MPI_Type_commit(&columns);
    for (int i = 0; i < 12; i++) table[i / 4][i % 4] = i + 100 * rank;
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Status status;
    MPI_Sendrecv(&table[0][1], 1, columns, next, 5, column, 3, MPI_INT, previous, 5, MPI_COMM_WORLD, &status);
    show("column", column, 3);
    MPI_Sendrecv(column, 3, MPI_INT, next, 6, &table[0][3], 1, columns, previous, 6, MPI_COMM_WORLD, &status);
    show("last column", (int[]){table[0][3], table[1][3], table[2][3]}, 3);
    MPI_Type_size(columns, &bytes);
    MPI_Type_free(&columns);
}

static void divide(void) {
    MPI_Comm half, grid, line;
    int sum, place[2], sizes[2] = {0, 0}, periods[2] = {1, 0}, from, to;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &sum);
    show("rank in its half, from behind", &sum, 1);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    show("sum of the half", &sum, 1);
    MPI_Comm_free(&half);

    MPI_Dims_create(size, 2, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, place);
    show("place", place, 2);
    for (int dimension = 0; dimension < 2; dimension++) {
        MPI_Cart_shift(grid, dimension, 1, &from, &to);
        // Other implementations have other numbers for nobody.
        show("neighbours", (int[]){from == MPI_PROC_NULL ? -1 : from, to == MPI_PROC_NULL ? -1 : to}, 2);
    }
    MPI_Cart_sub(grid, (int[]){0, 1}, &line);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, line);
    show("sum of the line", &sum, 1);
}

static void request(void) {
    int values[64], count, done = 0, index, flag = 0;
    MPI_Request requests[64], send;
    MPI_Status status;
    for (int i = 0; i < size; i++) MPI_Irecv(&values[i], 1, MPI_INT, i, 3, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < size; i++) {
        int value = 10 * rank + i;
        MPI_Issend(&value, 1, MPI_INT, i, 3, MPI_COMM_WORLD, &send);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
    while (MPI_Waitany(size, requests, &index, &status), index != MPI_UNDEFINED) done += status.MPI_SOURCE == index;
    show("received", values, size);
    show("in their places", &done, 1);

    // A message of any length from anybody.
    int next = (rank + 1) % size;
    MPI_Isend(values, rank + 1, MPI_INT, next, 4, MPI_COMM_WORLD, &send);
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    show("probe", (int[]){status.MPI_SOURCE, status.MPI_TAG, count}, 3);
    MPI_Recv(values, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!flag) MPI_Testall(1, &send, &flag, MPI_STATUSES_IGNORE);
    show("numbers", values, count);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    move();
    reduce();
    derive();
    divide();
    request();
    MPI_Finalize();
    return 0;
}
