// Collective calls in which each rank hears only from its neighbours.

#include "inside.h"

// A value or a part for each neighbour.
struct parts {
    char *buffer;
    int count;
    MPI_Datatype type;
    const int *counts, *places;
    const MPI_Aint *bytePlaces;
    const MPI_Datatype *types;
    bool isSame;  // for all neighbours
};

static int count_of(const struct parts *parts, int i) { return parts->counts ? parts->counts[i] : parts->count; }
static MPI_Datatype type_of(const struct parts *parts, int i) { return parts->types ? parts->types[i] : parts->type; }

static void *part_of(const struct parts *parts, int i) {
    if (parts->bytePlaces) return parts->buffer + parts->bytePlaces[i];
    MPI_Aint place = parts->isSame ? 0 : parts->places ? parts->places[i] : (MPI_Aint)i * parts->count;
    return parts->buffer + place * parts->type->extent;
}

static int begin(const char *name, enum call call, struct parts given, struct parts taken, MPI_Comm comm,
                 MPI_Request *request) {
    struct neighbours found;
    TRY(potluck_neighbours(name, comm, &found));
    for (int i = 0; i < found.outCount; i++) {
        TRY(potluck_check_values(name, comm, given.buffer, count_of(&given, i), type_of(&given, i)));
    }
    for (int i = 0; i < found.inCount; i++) {
        TRY(potluck_check_values(name, comm, taken.buffer, count_of(&taken, i), type_of(&taken, i)));
    }
    *request = potluck_later(comm, call, found.inCount + found.outCount, 0, 0);
    // In a grid, what goes to the rank before comes there from the rank after. Both may be the same rank.
    for (int i = 0; i < found.outCount; i++) {
        if (found.out[i] == MPI_PROC_NULL) continue;
        potluck_later_give(*request, found.out[i], found.isGrid ? i ^ 1 : 0, part_of(&given, i), count_of(&given, i),
                           type_of(&given, i));
    }
    for (int i = 0; i < found.inCount; i++) {
        if (found.in[i] == MPI_PROC_NULL) continue;
        potluck_later_take(*request, found.in[i], found.isGrid ? i : 0, part_of(&taken, i), count_of(&taken, i),
                           type_of(&taken, i));
    }
    potluck_forget_neighbours(&found);
    potluck_later_ready(*request);
    return MPI_SUCCESS;
}

int MPI_Ineighbor_allgather(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count,
                            MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    struct parts given = {.buffer = (char *)sent, .count = sentCount, .type = sentType, .isSame = true};
    struct parts taken = {.buffer = buffer, .count = count, .type = type};
    return begin(__func__, call_neighbour_gather, given, taken, comm, request);
}

int MPI_Ineighbor_allgatherv(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, const int counts[],
                             const int places[], MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    struct parts given = {.buffer = (char *)sent, .count = sentCount, .type = sentType, .isSame = true};
    struct parts taken = {.buffer = buffer, .type = type, .counts = counts, .places = places};
    return begin(__func__, call_neighbour_gather, given, taken, comm, request);
}

int MPI_Ineighbor_alltoall(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count,
                           MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    struct parts given = {.buffer = (char *)sent, .count = sentCount, .type = sentType};
    struct parts taken = {.buffer = buffer, .count = count, .type = type};
    return begin(__func__, call_neighbour_exchange, given, taken, comm, request);
}

int MPI_Ineighbor_alltoallv(const void *sent, const int sentCounts[], const int sentPlaces[], MPI_Datatype sentType,
                            void *buffer, const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm,
                            MPI_Request *request) {
    struct parts given = {.buffer = (char *)sent, .type = sentType, .counts = sentCounts, .places = sentPlaces};
    struct parts taken = {.buffer = buffer, .type = type, .counts = counts, .places = places};
    return begin(__func__, call_neighbour_exchange, given, taken, comm, request);
}

int MPI_Ineighbor_alltoallw(const void *sent, const int sentCounts[], const MPI_Aint sentPlaces[],
                            const MPI_Datatype sentTypes[], void *buffer, const int counts[], const MPI_Aint places[],
                            const MPI_Datatype types[], MPI_Comm comm, MPI_Request *request) {
    struct parts given = {.buffer = (char *)sent, .counts = sentCounts, .bytePlaces = sentPlaces, .types = sentTypes};
    struct parts taken = {.buffer = buffer, .counts = counts, .bytePlaces = places, .types = types};
    return begin(__func__, call_neighbour_exchange, given, taken, comm, request);
}

// Those that block.

static int end(int error, MPI_Request *request) {
    TRY(error);
    return MPI_Wait(request, MPI_STATUS_IGNORE);
}

int MPI_Neighbor_allgather(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count,
                           MPI_Datatype type, MPI_Comm comm) {
    MPI_Request request;
    return end(MPI_Ineighbor_allgather(sent, sentCount, sentType, buffer, count, type, comm, &request), &request);
}

int MPI_Neighbor_allgatherv(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, const int counts[],
                            const int places[], MPI_Datatype type, MPI_Comm comm) {
    MPI_Request request;
    return end(MPI_Ineighbor_allgatherv(sent, sentCount, sentType, buffer, counts, places, type, comm, &request), &request);
}

int MPI_Neighbor_alltoall(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count,
                          MPI_Datatype type, MPI_Comm comm) {
    MPI_Request request;
    return end(MPI_Ineighbor_alltoall(sent, sentCount, sentType, buffer, count, type, comm, &request), &request);
}

int MPI_Neighbor_alltoallv(const void *sent, const int sentCounts[], const int sentPlaces[], MPI_Datatype sentType,
                           void *buffer, const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm) {
    MPI_Request request;
    return end(MPI_Ineighbor_alltoallv(sent, sentCounts, sentPlaces, sentType, buffer, counts, places, type, comm, &request),
               &request);
}

int MPI_Neighbor_alltoallw(const void *sent, const int sentCounts[], const MPI_Aint sentPlaces[],
                           const MPI_Datatype sentTypes[], void *buffer, const int counts[], const MPI_Aint places[],
                           const MPI_Datatype types[], MPI_Comm comm) {
    MPI_Request request;
    return end(MPI_Ineighbor_alltoallw(sent, sentCounts, sentPlaces, sentTypes, buffer, counts, places, types, comm,
                                       &request), &request);
}
