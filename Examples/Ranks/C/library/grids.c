// Grids: communicators whose ranks have places, the last dimension running fastest.

#include <stdlib.h>
#include <string.h>

#include "inside.h"

// Finds sizes whose product is the number of ranks, the largest first: as small a first one as there can be, then as small
// a second one, and so on.
static bool divide(int ranks, int dimensions, int most, int sizes[]) {
    if (dimensions == 0) return ranks == 1;
    for (int size = 1; size <= ranks && size <= most; size++) {
        if (ranks % size != 0) continue;
        sizes[0] = size;
        if (divide(ranks / size, dimensions - 1, size, sizes + 1)) return true;
    }
    return false;
}

// Fills in the sizes that are 0: as equal as possible, and the largest first.
int MPI_Dims_create(int ranks, int dimensions, int sizes[]) {
    int left = ranks, open = 0;
    for (int d = 0; d < dimensions; d++) {
        if (sizes[d] < 0 || (sizes[d] > 0 && left % sizes[d] != 0)) {
            return potluck_fail(MPI_COMM_WORLD, MPI_ERR_DIMS, __func__, "%d ranks do not fit the sizes", ranks);
        }
        if (sizes[d] > 0) left /= sizes[d];
        open += sizes[d] == 0;
    }
    int *found = potluck_memory(open * sizeof *found);
    divide(left, open, left, found);
    for (int d = 0, next = 0; d < dimensions; d++) {
        if (sizes[d] == 0) sizes[d] = found[next++];
    }
    free(found);
    return MPI_SUCCESS;
}

static struct grid *new_grid(int dimensions) {
    struct grid *made = potluck_memory(sizeof *made);
    int *numbers = potluck_memory(2 * dimensions * sizeof *numbers);
    *made = (struct grid){dimensions, numbers, numbers + dimensions};
    return made;
}

int MPI_Cart_create(MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int reorder, MPI_Comm *made) {
    (void)reorder;
    TRY(potluck_check(__func__, comm));
    int ranks = 1;
    for (int d = 0; d < dimensions; d++) ranks *= sizes[d];
    if (ranks > comm->size || ranks < 1) {
        return potluck_fail(comm, MPI_ERR_DIMS, __func__, "the grid has %d places for %d ranks", ranks, comm->size);
    }
    TRY(MPI_Comm_split(comm, comm->rank < ranks ? 0 : MPI_UNDEFINED, comm->rank, made));
    if (!*made) return MPI_SUCCESS;
    struct grid *grid = (*made)->grid = new_grid(dimensions);
    for (int d = 0; d < dimensions; d++) {
        grid->sizes[d] = sizes[d];
        grid->periods[d] = periods[d] != 0;
    }
    return MPI_SUCCESS;
}

static int check(const char *call, MPI_Comm comm) {
    TRY(potluck_check(call, comm));
    if (!comm->grid) return potluck_fail(comm, MPI_ERR_TOPOLOGY, call, "the communicator is no grid");
    return MPI_SUCCESS;
}

static void coordinates(const struct grid *grid, int rank, int count, int place[]) {
    for (int d = grid->dimensions - 1; d >= 0; d--) {
        if (d < count) place[d] = rank % grid->sizes[d];
        rank /= grid->sizes[d];
    }
}

int MPI_Cart_coords(MPI_Comm comm, int rank, int dimensions, int place[]) {
    TRY(check(__func__, comm));
    if (rank < 0 || rank >= comm->size) {
        return potluck_fail(comm, MPI_ERR_RANK, __func__, "there is no rank %d; ranks are 0 to %d", rank, comm->size - 1);
    }
    coordinates(comm->grid, rank, dimensions, place);
    return MPI_SUCCESS;
}

// The rank at the place; MPI_PROC_NULL outside.
static int rank_at(const struct grid *grid, const int place[]) {
    int rank = 0;
    for (int d = 0; d < grid->dimensions; d++) {
        int size = grid->sizes[d], at = place[d];
        if (grid->periods[d]) at = (at % size + size) % size;
        if (at < 0 || at >= size) return MPI_PROC_NULL;
        rank = rank * size + at;
    }
    return rank;
}

int MPI_Cart_rank(MPI_Comm comm, const int place[], int *rank) {
    TRY(check(__func__, comm));
    *rank = rank_at(comm->grid, place);
    if (*rank < 0) return potluck_fail(comm, MPI_ERR_ARG, __func__, "the place is outside the grid");
    return MPI_SUCCESS;
}

int MPI_Cart_shift(MPI_Comm comm, int dimension, int steps, int *from, int *to) {
    TRY(check(__func__, comm));
    const struct grid *grid = comm->grid;
    if (dimension < 0 || dimension >= grid->dimensions) {
        return potluck_fail(comm, MPI_ERR_DIMS, __func__, "there is no dimension %d", dimension);
    }
    int *place = potluck_memory(grid->dimensions * sizeof *place);
    coordinates(grid, comm->rank, grid->dimensions, place);
    place[dimension] += steps;
    *to = rank_at(grid, place);
    place[dimension] -= 2 * steps;
    *from = rank_at(grid, place);
    free(place);
    return MPI_SUCCESS;
}

int MPI_Cart_get(MPI_Comm comm, int dimensions, int sizes[], int periods[], int place[]) {
    TRY(check(__func__, comm));
    for (int d = 0; d < dimensions && d < comm->grid->dimensions; d++) {
        sizes[d] = comm->grid->sizes[d];
        periods[d] = comm->grid->periods[d];
    }
    coordinates(comm->grid, comm->rank, dimensions, place);
    return MPI_SUCCESS;
}

// The ranks that differ only in the kept dimensions stay together.
int MPI_Cart_sub(MPI_Comm comm, const int kept[], MPI_Comm *made) {
    TRY(check(__func__, comm));
    const struct grid *grid = comm->grid;
    int *place = potluck_memory(grid->dimensions * sizeof *place), color = 0, dimensions = 0;
    coordinates(grid, comm->rank, grid->dimensions, place);
    for (int d = 0; d < grid->dimensions; d++) {
        if (!kept[d]) color = color * grid->sizes[d] + place[d];
        dimensions += kept[d] != 0;
    }
    free(place);
    TRY(MPI_Comm_split(comm, color, comm->rank, made));
    struct grid *part = (*made)->grid = new_grid(dimensions);
    for (int d = 0, next = 0; d < grid->dimensions; d++) {
        if (!kept[d]) continue;
        part->sizes[next] = grid->sizes[d];
        part->periods[next++] = grid->periods[d];
    }
    return MPI_SUCCESS;
}

int MPI_Cartdim_get(MPI_Comm comm, int *dimensions) {
    TRY(check(__func__, comm));
    *dimensions = comm->grid->dimensions;
    return MPI_SUCCESS;
}

int MPI_Topo_test(MPI_Comm comm, int *kind) {
    TRY(potluck_check(__func__, comm));
    *kind = potluck_topology(comm);
    return MPI_SUCCESS;
}
