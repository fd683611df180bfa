// Reductions that do not block. A rank that wants a result gets the values of all others and combines them itself, in rank
// order, so that the bits are those of the calls that block.

#include <stdlib.h>
#include <string.h>

#include "inside.h"

// Values of the first ranks, and where their combination belongs.
struct fold {
    int ranks, count;
    MPI_Datatype type;
    struct potluck_op op;  // the program may free its own before the end
    void *result;
    void **values, **memory;
};

static struct fold *new_fold(int ranks, int count, MPI_Datatype type, MPI_Op op, void *result) {
    struct fold *made = potluck_memory(sizeof *made);
    *made = (struct fold){
        .ranks = ranks, .count = count, .type = type, .op = *op, .result = result,
        .values = potluck_memory(ranks * sizeof(void *)), .memory = potluck_memory(ranks * sizeof(void *)),
    };
    for (int rank = 0; rank < ranks; rank++) made->values[rank] = potluck_room(count, type, &made->memory[rank]);
    return made;
}

static void fold(void *state) {
    struct fold *fold = state;
    potluck_fold(fold->ranks, fold->values, fold->result, fold->count, fold->type, &fold->op);
    for (int rank = 0; rank < fold->ranks; rank++) free(fold->memory[rank]);
    free(fold->memory);
    free(fold->values);
    free(fold);
}

static int check(const char *name, const void *own, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    TRY(potluck_check_op(name, comm, op, type));
    return potluck_check_values(name, comm, own, count, type);
}

// Takes the values of the first `ranks` ranks, of which this rank has its own.
static void take(MPI_Request request, struct fold *fold, const void *own, MPI_Comm comm) {
    for (int rank = 0; rank < fold->ranks; rank++) {
        if (rank == comm->rank) {
            potluck_copy(own, fold->count, fold->type, fold->values[rank], fold->count, fold->type);
        } else {
            potluck_later_take(request, rank, 0, fold->values[rank], fold->count, fold->type);
        }
    }
}

int MPI_Ireduce(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request *request) {
    TRY(potluck_check_root(__func__, comm, root));
    const void *own = sent == MPI_IN_PLACE ? buffer : sent;
    TRY(check(__func__, own, count, type, op, comm));
    if (comm->rank == root) {
        struct fold *state = new_fold(comm->size, count, type, op, buffer);
        *request = potluck_later(comm, call_reduce, comm->size, fold, state);
        take(*request, state, own, comm);
    } else {
        *request = potluck_later(comm, call_reduce, 1, 0, 0);
        potluck_later_give(*request, root, 0, own, count, type);
    }
    potluck_later_ready(*request);
    return MPI_SUCCESS;
}

int MPI_Iallreduce(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request) {
    TRY(potluck_check(__func__, comm));
    const void *own = sent == MPI_IN_PLACE ? buffer : sent;
    TRY(check(__func__, own, count, type, op, comm));
    struct fold *state = new_fold(comm->size, count, type, op, buffer);
    *request = potluck_later(comm, call_all_reduce, 2 * comm->size, fold, state);
    for (int step = 1; step < comm->size; step++) {
        potluck_later_give(*request, (comm->rank + step) % comm->size, 0, own, count, type);
    }
    take(*request, state, own, comm);
    potluck_later_ready(*request);
    return MPI_SUCCESS;
}

static int scan(const char *name, const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                bool isExclusive, MPI_Request *request) {
    TRY(potluck_check(name, comm));
    const void *own = sent == MPI_IN_PLACE ? buffer : sent;
    TRY(check(name, own, count, type, op, comm));
    struct fold *state = new_fold(comm->rank + !isExclusive, count, type, op, buffer);
    *request = potluck_later(comm, call_scan, 2 * comm->size, fold, state);
    for (int rank = comm->rank + 1; rank < comm->size; rank++) potluck_later_give(*request, rank, 0, own, count, type);
    take(*request, state, own, comm);
    potluck_later_ready(*request);
    return MPI_SUCCESS;
}

int MPI_Iscan(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request *request) {
    return scan(__func__, sent, buffer, count, type, op, comm, false, request);
}

int MPI_Iexscan(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request *request) {
    return scan(__func__, sent, buffer, count, type, op, comm, true, request);
}

static int reduce_scatter(const char *name, const void *sent, void *buffer, const int *counts, int each, MPI_Datatype type,
                          MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    TRY(potluck_check(name, comm));
    const char *own = sent == MPI_IN_PLACE ? buffer : sent;
    int count = 0;
    for (int rank = 0; rank < comm->size; rank++) count += counts ? counts[rank] : each;
    TRY(check(name, own, count, type, op, comm));
    struct fold *state = new_fold(comm->size, counts ? counts[comm->rank] : each, type, op, buffer);
    *request = potluck_later(comm, call_reduce_scatter, 2 * comm->size, fold, state);
    const char *part = own, *mine = own;
    for (int rank = 0; rank < comm->size; rank++) {
        int share = counts ? counts[rank] : each;
        if (rank == comm->rank) mine = part;
        if (rank != comm->rank) potluck_later_give(*request, rank, 0, part, share, type);
        part += share * type->extent;
    }
    take(*request, state, mine, comm);
    potluck_later_ready(*request);
    return MPI_SUCCESS;
}

int MPI_Ireduce_scatter(const void *sent, void *buffer, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                        MPI_Request *request) {
    return reduce_scatter(__func__, sent, buffer, counts, 0, type, op, comm, request);
}

int MPI_Ireduce_scatter_block(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request *request) {
    return reduce_scatter(__func__, sent, buffer, 0, count, type, op, comm, request);
}
