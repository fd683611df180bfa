// Reductions. The bits of a result depend on the number of ranks alone: the range of ranks is halved at the largest power
// of two below its size, and the halves are combined in rank order.

#include <stdlib.h>

#include "inside.h"

// In step s, each rank whose number has bit s sends what it has to the rank without that bit.
void potluck_reduce_to_first(MPI_Comm comm, enum call call, void *values, int count, MPI_Datatype type, MPI_Op op) {
    void *memory, *right = potluck_room(count, type, &memory);
    for (int step = 1; step < comm->size; step *= 2) {
        if (comm->rank & step) {
            potluck_give(comm, call, comm->rank - step, values, count, type);
            break;
        }
        if (comm->rank + step >= comm->size) continue;
        potluck_take(comm, call, comm->rank + step, right, count, type);
        potluck_combine(op, values, right, count, type);
        potluck_copy(right, count, type, values, count, type);
    }
    free(memory);
}

static int check(const char *call, const void *sent, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    TRY(potluck_check(call, comm));
    TRY(potluck_check_op(call, comm, op, type));
    return potluck_check_values(call, comm, sent, count, type);
}

int MPI_Reduce(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    TRY(potluck_check_root(__func__, comm, root));
    const void *own = sent == MPI_IN_PLACE ? buffer : sent;
    TRY(check(__func__, own, count, type, op, comm));
    void *memory, *values = potluck_room(count, type, &memory);
    potluck_copy(own, count, type, values, count, type);
    potluck_reduce_to_first(comm, call_reduce, values, count, type, op);
    if (comm->rank == root && root == 0) potluck_copy(values, count, type, buffer, count, type);
    if (comm->rank == 0 && root != 0) potluck_give(comm, call_reduce, root, values, count, type);
    if (comm->rank == root && root != 0) potluck_take(comm, call_reduce, 0, buffer, count, type);
    free(memory);
    return MPI_SUCCESS;
}

int MPI_Allreduce(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    TRY(check(__func__, sent, count, type, op, comm));
    if (sent != MPI_IN_PLACE) potluck_copy(sent, count, type, buffer, count, type);
    potluck_reduce_to_first(comm, call_all_reduce, buffer, count, type, op);
    potluck_broadcast(comm, call_all_reduce, buffer, count, type, 0);
    return MPI_SUCCESS;
}

// The parts of a prefix that are powers of two, largest first. A prefix of 13 ranks has parts of 8, 4 and 1. No
// communicator has 2³² ranks.
enum { most_parts = 32 };
struct prefix {
    int count;
    int sizes[most_parts];
    void *values[most_parts], *memory[most_parts];
};

// Adds the values of the next rank.
static void extend(struct prefix *prefix, const void *values, int count, MPI_Datatype type, MPI_Op op) {
    int last = prefix->count++;
    prefix->sizes[last] = 1;
    prefix->values[last] = potluck_room(count, type, &prefix->memory[last]);
    potluck_copy(values, count, type, prefix->values[last], count, type);
    for (; last > 0 && prefix->sizes[last - 1] == prefix->sizes[last]; last--) {
        potluck_combine(op, prefix->values[last - 1], prefix->values[last], count, type);
        free(prefix->memory[last - 1]);
        prefix->sizes[last - 1] *= 2;
        prefix->values[last - 1] = prefix->values[last];
        prefix->memory[last - 1] = prefix->memory[last];
        prefix->count--;
    }
}

static void total(const struct prefix *prefix, void *result, int count, MPI_Datatype type, MPI_Op op) {
    int last = prefix->count - 1;
    potluck_copy(prefix->values[last], count, type, result, count, type);
    for (int i = last - 1; i >= 0; i--) potluck_combine(op, prefix->values[i], result, count, type);
}

void potluck_fold(int ranks, void *const values[], void *result, int count, MPI_Datatype type, MPI_Op op) {
    struct prefix prefix = {0};
    for (int rank = 0; rank < ranks; rank++) extend(&prefix, values[rank], count, type, op);
    if (ranks > 0) total(&prefix, result, count, type, op);
    for (int i = 0; i < prefix.count; i++) free(prefix.memory[i]);
}

// Rank 0 combines the values of all ranks and sends each rank its prefix. A prefix has the bits of a reduction over as
// many ranks.
static void scan(MPI_Comm comm, const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op,
                 bool isExclusive) {
    if (comm->rank > 0) {
        potluck_give(comm, call_scan, 0, sent, count, type);
        potluck_take(comm, call_scan, 0, buffer, count, type);
        return;
    }
    struct prefix prefix = {0};
    void *memory, *values = potluck_room(count, type, &memory);
    extend(&prefix, sent, count, type, op);
    if (!isExclusive && sent != buffer) potluck_copy(sent, count, type, buffer, count, type);
    for (int rank = 1; rank < comm->size; rank++) {
        void *newMemory, *new = potluck_room(count, type, &newMemory);
        potluck_take(comm, call_scan, rank, new, count, type);
        if (isExclusive) total(&prefix, values, count, type, op);
        extend(&prefix, new, count, type, op);
        if (!isExclusive) total(&prefix, values, count, type, op);
        potluck_give(comm, call_scan, rank, values, count, type);
        free(newMemory);
    }
    for (int i = 0; i < prefix.count; i++) free(prefix.memory[i]);
    free(memory);
}

int MPI_Scan(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    TRY(check(__func__, sent, count, type, op, comm));
    scan(comm, sent == MPI_IN_PLACE ? buffer : sent, buffer, count, type, op, false);
    return MPI_SUCCESS;
}

int MPI_Exscan(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    TRY(check(__func__, sent, count, type, op, comm));
    scan(comm, sent == MPI_IN_PLACE ? buffer : sent, buffer, count, type, op, true);
    return MPI_SUCCESS;
}

int MPI_Reduce_scatter(const void *sent, void *buffer, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    int count = 0;
    TRY(potluck_check(__func__, comm));
    int *places = potluck_memory(comm->size * sizeof *places);
    for (int rank = 0; rank < comm->size; rank++) {
        places[rank] = count;
        count += counts[rank];
    }
    TRY(check(__func__, sent, count, type, op, comm));
    void *memory, *values = potluck_room(count, type, &memory);
    potluck_copy(sent == MPI_IN_PLACE ? buffer : sent, count, type, values, count, type);
    potluck_reduce_to_first(comm, call_reduce_scatter, values, count, type, op);
    int error = MPI_Scatterv(values, counts, places, type, buffer, counts[comm->rank], type, 0, comm);
    free(memory);
    free(places);
    return error;
}

int MPI_Reduce_scatter_block(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    TRY(potluck_check(__func__, comm));
    int *counts = potluck_memory(comm->size * sizeof *counts);
    for (int rank = 0; rank < comm->size; rank++) counts[rank] = count;
    int error = MPI_Reduce_scatter(sent, buffer, counts, type, op, comm);
    free(counts);
    return error;
}
