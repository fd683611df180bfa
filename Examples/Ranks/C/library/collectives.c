// Collective calls that move values.

#include <stdlib.h>
#include <string.h>

#include "inside.h"

// In step s, each rank tells the one s further and hears from the one s before. No call here waits in a send, so that
// ranks whose buffers are full can meet, too.
int MPI_Barrier(MPI_Comm comm) {
    TRY(potluck_check(__func__, comm));
    for (int step = 1; step < comm->size; step *= 2) {
        int to = comm->members[(comm->rank + step) % comm->size];
        host_send(to, call_barrier, potluck_context(comm, channel_collective), 0, 0, buffered);
        potluck_take(comm, call_barrier, (comm->rank - step + comm->size) % comm->size, 0, 0, MPI_BYTE);
    }
    return potluck_exchange_all_writes(comm);
}

// Each rank hears from the one without its lowest bit, counted from the root, and tells those with lower bits.
void potluck_broadcast(MPI_Comm comm, enum call call, void *buffer, int count, MPI_Datatype type, int root) {
    int size = comm->size, place = (comm->rank - root + size) % size, step = 1;
    while (step < size && !(place & step)) step *= 2;
    if (place > 0) potluck_take(comm, call, (place - step + root) % size, buffer, count, type);
    for (step /= 2; step > 0; step /= 2) {
        if (place + step < size) potluck_give(comm, call, (place + step + root) % size, buffer, count, type);
    }
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    TRY(potluck_check_root(__func__, comm, root));
    TRY(potluck_check_values(__func__, comm, buffer, count, type));
    potluck_broadcast(comm, call_broadcast, buffer, count, type, root);
    return MPI_SUCCESS;
}

// The parts of a buffer, one for each rank: either as listed or all of one size and type.
struct parts {
    char *buffer;
    MPI_Datatype type;
    const int *counts, *places;
    int count;
    const MPI_Datatype *types;  // with places in bytes
};

static int count_of(const struct parts *parts, int rank) { return parts->counts ? parts->counts[rank] : parts->count; }

static MPI_Datatype type_of(const struct parts *parts, int rank) { return parts->types ? parts->types[rank] : parts->type; }

static void *part(const struct parts *parts, int rank) {
    MPI_Aint place = parts->places ? parts->places[rank] : (MPI_Aint)rank * parts->count;
    return parts->buffer + place * (parts->types ? 1 : parts->type->extent);
}

static int check_parts(const char *call, MPI_Comm comm, const struct parts *parts) {
    for (int rank = 0; rank < comm->size; rank++) {
        TRY(potluck_check_values(call, comm, parts->buffer, count_of(parts, rank), type_of(parts, rank)));
    }
    return MPI_SUCCESS;
}

static int scatter(const char *call, const struct parts *parts, void *buffer, int count, MPI_Datatype type, int root,
                   MPI_Comm comm) {
    if (comm->rank != root) {
        TRY(potluck_check_values(call, comm, buffer, count, type));
        potluck_take(comm, call_scatter, root, buffer, count, type);
        return MPI_SUCCESS;
    }
    TRY(check_parts(call, comm, parts));
    for (int rank = 0; rank < comm->size; rank++) {
        if (rank != root) potluck_give(comm, call_scatter, rank, part(parts, rank), count_of(parts, rank), parts->type);
    }
    if (buffer == MPI_IN_PLACE) return MPI_SUCCESS;
    TRY(potluck_check_values(call, comm, buffer, count, type));
    potluck_copy(part(parts, root), count_of(parts, root), parts->type, buffer, count, type);
    return MPI_SUCCESS;
}

int MPI_Scatter(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                int root, MPI_Comm comm) {
    TRY(potluck_check_root(__func__, comm, root));
    struct parts parts = {(char *)sent, sentType, 0, 0, sentCount, 0};
    return scatter(__func__, &parts, buffer, count, type, root, comm);
}

int MPI_Scatterv(const void *sent, const int counts[], const int places[], MPI_Datatype sentType, void *buffer, int count,
                 MPI_Datatype type, int root, MPI_Comm comm) {
    TRY(potluck_check_root(__func__, comm, root));
    struct parts parts = {(char *)sent, sentType, counts, places, 0, 0};
    return scatter(__func__, &parts, buffer, count, type, root, comm);
}

static int gather(const char *call, const void *sent, int sentCount, MPI_Datatype sentType, const struct parts *parts,
                  int root, MPI_Comm comm) {
    if (comm->rank != root) {
        TRY(potluck_check_values(call, comm, sent, sentCount, sentType));
        potluck_give(comm, call_gather, root, sent, sentCount, sentType);
        return MPI_SUCCESS;
    }
    TRY(check_parts(call, comm, parts));
    for (int rank = 0; rank < comm->size; rank++) {
        if (rank != root) potluck_take(comm, call_gather, rank, part(parts, rank), count_of(parts, rank), parts->type);
    }
    if (sent == MPI_IN_PLACE) return MPI_SUCCESS;
    TRY(potluck_check_values(call, comm, sent, sentCount, sentType));
    potluck_copy(sent, sentCount, sentType, part(parts, root), count_of(parts, root), parts->type);
    return MPI_SUCCESS;
}

int MPI_Gather(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
               int root, MPI_Comm comm) {
    TRY(potluck_check_root(__func__, comm, root));
    struct parts parts = {buffer, type, 0, 0, count, 0};
    return gather(__func__, sent, sentCount, sentType, &parts, root, comm);
}

int MPI_Gatherv(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, const int counts[],
                const int places[], MPI_Datatype type, int root, MPI_Comm comm) {
    TRY(potluck_check_root(__func__, comm, root));
    struct parts parts = {buffer, type, counts, places, 0, 0};
    return gather(__func__, sent, sentCount, sentType, &parts, root, comm);
}

// Rank 0 gathers the parts and broadcasts them, packed without what lies between them.
static int all_gather(const char *name, const void *sent, int sentCount, MPI_Datatype sentType, struct parts *parts,
                      MPI_Comm comm) {
    TRY(check_parts(name, comm, parts));
    if (sent == MPI_IN_PLACE) {
        sent = part(parts, comm->rank);
        sentCount = count_of(parts, comm->rank);
        sentType = parts->type;
    }
    size_t bytes = 0;
    for (int rank = 0; rank < comm->size; rank++) bytes += count_of(parts, rank) * parts->type->bytes;
    char *packed = potluck_memory(bytes), *next = packed;
    enum call call = call_all_gather;
    if (comm->rank > 0) {
        TRY(potluck_check_values(name, comm, sent, sentCount, sentType));
        potluck_give(comm, call, 0, sent, sentCount, sentType);
    } else {
        potluck_copy(sent, sentCount, sentType, packed, sentCount * sentType->bytes, MPI_BYTE);
        for (int rank = 1; rank < comm->size; rank++) {
            next += count_of(parts, rank - 1) * parts->type->bytes;
            potluck_take(comm, call, rank, next, count_of(parts, rank) * parts->type->bytes, MPI_BYTE);
        }
    }
    potluck_broadcast(comm, call, packed, bytes, MPI_BYTE, 0);
    next = packed;
    for (int rank = 0; rank < comm->size; rank++) {
        size_t share = count_of(parts, rank) * parts->type->bytes;
        potluck_unpack(next, share, part(parts, rank), count_of(parts, rank), parts->type);
        next += share;
    }
    free(packed);
    return MPI_SUCCESS;
}

int MPI_Allgather(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                  MPI_Comm comm) {
    TRY(potluck_check(__func__, comm));
    struct parts parts = {buffer, type, 0, 0, count, 0};
    return all_gather(__func__, sent, sentCount, sentType, &parts, comm);
}

int MPI_Allgatherv(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, const int counts[],
                   const int places[], MPI_Datatype type, MPI_Comm comm) {
    TRY(potluck_check(__func__, comm));
    struct parts parts = {buffer, type, counts, places, 0, 0};
    return all_gather(__func__, sent, sentCount, sentType, &parts, comm);
}

// Sends a part of a collective call without waiting. The host has copied the values when it returns.
static int begin_to_give(MPI_Comm comm, int to, const struct parts *parts) {
    MPI_Datatype type = type_of(parts, to);
    int count = count_of(parts, to), context = potluck_context(comm, channel_collective);
    size_t bytes = count * type->bytes;
    void *packed = 0;
    if (!potluck_is_plain(type)) {
        packed = potluck_memory(bytes);
        potluck_pack(part(parts, to), count, type, packed);
    }
    int request = host_isend(comm->members[to], call_all_to_all, context, packed ? packed : part(parts, to), bytes, standard);
    free(packed);
    return request;
}

// In step s, each rank sends to the one s further and receives from the one s before.
static int all_to_all(const char *call, const struct parts *given, const struct parts *parts, MPI_Comm comm) {
    TRY(check_parts(call, comm, given));
    TRY(check_parts(call, comm, parts));
    int size = comm->size, own = comm->rank;
    int *requests = potluck_memory(size * sizeof *requests);
    for (int step = 1; step < size; step++) requests[step] = begin_to_give(comm, (own + step) % size, given);
    potluck_copy(part(given, own), count_of(given, own), type_of(given, own), part(parts, own), count_of(parts, own),
                 type_of(parts, own));
    for (int step = 1; step < size; step++) {
        int from = (own - step + size) % size, status[status_parts];
        potluck_take(comm, call_all_to_all, from, part(parts, from), count_of(parts, from), type_of(parts, from));
        host_wait(&requests[step], 1, status);
    }
    free(requests);
    return MPI_SUCCESS;
}

int MPI_Alltoall(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                 MPI_Comm comm) {
    TRY(potluck_check(__func__, comm));
    struct parts parts = {buffer, type, 0, 0, count, 0};
    struct parts given = {(char *)sent, sentType, 0, 0, sentCount, 0};
    return all_to_all(__func__, sent == MPI_IN_PLACE ? &parts : &given, &parts, comm);
}

int MPI_Alltoallv(const void *sent, const int sentCounts[], const int sentPlaces[], MPI_Datatype sentType, void *buffer,
                  const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm) {
    TRY(potluck_check(__func__, comm));
    struct parts parts = {buffer, type, counts, places, 0, 0};
    struct parts given = {(char *)sent, sentType, sentCounts, sentPlaces, 0, 0};
    return all_to_all(__func__, sent == MPI_IN_PLACE ? &parts : &given, &parts, comm);
}

int MPI_Alltoallw(const void *sent, const int sentCounts[], const int sentPlaces[], const MPI_Datatype sentTypes[],
                  void *buffer, const int counts[], const int places[], const MPI_Datatype types[], MPI_Comm comm) {
    TRY(potluck_check(__func__, comm));
    struct parts parts = {buffer, 0, counts, places, 0, types};
    struct parts given = {(char *)sent, 0, sentCounts, sentPlaces, 0, sentTypes};
    return all_to_all(__func__, sent == MPI_IN_PLACE ? &parts : &given, &parts, comm);
}
