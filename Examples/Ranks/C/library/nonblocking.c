// Collective calls that do not block. Each rank sends what it has straight to the ranks that need it.

#include <stdlib.h>

#include "inside.h"

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    TRY(potluck_check(__func__, comm));
    *request = potluck_later(comm, call_barrier, 2 * comm->size, 0, 0);
    for (int step = 1; step < comm->size; step++) {
        potluck_later_give(*request, (comm->rank + step) % comm->size, 0, 0, 0, MPI_BYTE);
        potluck_later_take(*request, (comm->rank - step + comm->size) % comm->size, 0, 0, 0, MPI_BYTE);
    }
    potluck_later_ready(*request);
    return MPI_SUCCESS;
}

int MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
    TRY(potluck_check_root(__func__, comm, root));
    TRY(potluck_check_values(__func__, comm, buffer, count, type));
    *request = potluck_later(comm, call_broadcast, comm->size, 0, 0);
    for (int rank = 0; rank < comm->size && comm->rank == root; rank++) {
        if (rank != root) potluck_later_give(*request, rank, 0, buffer, count, type);
    }
    if (comm->rank != root) potluck_later_take(*request, root, 0, buffer, count, type);
    potluck_later_ready(*request);
    return MPI_SUCCESS;
}

// What a rank gives each rank, or gets of each: none, the same of each, parts of one size, or parts as listed.
struct share {
    enum { no_share, same_share, equal_shares, listed_shares } kind;
    char *buffer;
    int count;
    MPI_Datatype type;
    const int *counts, *places;
    const MPI_Datatype *types;  // with places in bytes
};

static int count_of(struct share share, int rank) { return share.counts ? share.counts[rank] : share.count; }

static MPI_Datatype type_of(struct share share, int rank) { return share.types ? share.types[rank] : share.type; }

static void *part_of(struct share share, int rank) {
    if (share.kind == same_share) return share.buffer;
    MPI_Aint place = share.places ? share.places[rank] : (MPI_Aint)rank * share.count;
    return share.buffer + place * (share.types ? 1 : share.type->extent);
}

// Gives each rank its share of `given`, and takes the shares of all in `taken`: from the root alone, to it alone, or, with
// a negative root, from all to all. A rank's own part is copied unless it is in place.
static int exchange(const char *name, enum call call, struct share given, struct share taken, int root, bool isInPlace,
                    MPI_Comm comm, MPI_Request *request) {
    for (int rank = 0; rank < comm->size; rank++) {
        bool isUsed = given.kind != same_share || rank == 0;
        if (given.kind != no_share && isUsed && !(isInPlace && given.buffer == MPI_IN_PLACE)) {
            TRY(potluck_check_values(name, comm, given.buffer, count_of(given, rank), type_of(given, rank)));
        }
        isUsed = taken.kind != same_share || rank == 0;
        if (taken.kind != no_share && isUsed && !(isInPlace && taken.buffer == MPI_IN_PLACE)) {
            TRY(potluck_check_values(name, comm, taken.buffer, count_of(taken, rank), type_of(taken, rank)));
        }
    }
    *request = potluck_later(comm, call, 2 * comm->size, 0, 0);
    // What is in place is sent before something else can come to the same place: the host copies it.
    for (int step = 1; step < comm->size; step++) {
        int to = (comm->rank + step) % comm->size;
        bool isWanted = given.kind == same_share ? root < 0 || to == root : given.kind != no_share;
        if (isWanted) potluck_later_give(*request, to, 0, part_of(given, to), count_of(given, to), type_of(given, to));
    }
    int own = comm->rank;
    if (!isInPlace && given.kind != no_share && taken.kind != no_share) {
        potluck_copy(part_of(given, own), count_of(given, own), type_of(given, own), part_of(taken, own),
                     count_of(taken, own), type_of(taken, own));
    }
    for (int step = 1; step < comm->size; step++) {
        int from = (own - step + comm->size) % comm->size;
        bool isWanted = taken.kind == same_share ? root < 0 || from == root : taken.kind != no_share;
        if (isWanted) {
            potluck_later_take(*request, from, 0, part_of(taken, from), count_of(taken, from), type_of(taken, from));
        }
    }
    potluck_later_ready(*request);
    return MPI_SUCCESS;
}

static const struct share none = {no_share, 0, 0, 0, 0, 0, 0};

static struct share same(const void *buffer, int count, MPI_Datatype type) {
    return (struct share){same_share, (char *)buffer, count, type, 0, 0, 0};
}

static struct share equal(const void *buffer, int count, MPI_Datatype type) {
    return (struct share){equal_shares, (char *)buffer, count, type, 0, 0, 0};
}

static struct share listed(const void *buffer, const int counts[], const int places[], MPI_Datatype type) {
    return (struct share){listed_shares, (char *)buffer, 0, type, counts, places, 0};
}

static struct share typed(const void *buffer, const int counts[], const int places[], const MPI_Datatype types[]) {
    return (struct share){listed_shares, (char *)buffer, 0, 0, counts, places, types};
}

static int scatter(const char *name, struct share given, struct share taken, int root, MPI_Comm comm,
                   MPI_Request *request) {
    bool isRoot = comm->rank == root;
    return exchange(name, call_scatter, isRoot ? given : none, taken, root, isRoot && taken.buffer == MPI_IN_PLACE, comm,
                    request);
}

static int gather(const char *name, struct share given, struct share taken, int root, MPI_Comm comm,
                  MPI_Request *request) {
    bool isRoot = comm->rank == root;
    return exchange(name, call_gather, given, isRoot ? taken : none, root, isRoot && given.buffer == MPI_IN_PLACE, comm,
                    request);
}

static int all_gather(const char *name, struct share given, struct share taken, MPI_Comm comm, MPI_Request *request) {
    bool isInPlace = given.buffer == MPI_IN_PLACE;
    if (isInPlace) {
        TRY(potluck_check_values(name, comm, taken.buffer, count_of(taken, comm->rank), taken.type));
        given = same(part_of(taken, comm->rank), count_of(taken, comm->rank), taken.type);
    }
    return exchange(name, call_all_gather, given, taken, -1, isInPlace, comm, request);
}

static int all_to_all(const char *name, struct share given, struct share taken, MPI_Comm comm, MPI_Request *request) {
    bool isInPlace = given.buffer == MPI_IN_PLACE;
    return exchange(name, call_all_to_all, isInPlace ? taken : given, taken, -1, isInPlace, comm, request);
}

int MPI_Iscatter(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                 int root, MPI_Comm comm, MPI_Request *request) {
    TRY(potluck_check_root(__func__, comm, root));
    return scatter(__func__, equal(sent, sentCount, sentType), same(buffer, count, type), root, comm, request);
}

int MPI_Iscatterv(const void *sent, const int counts[], const int places[], MPI_Datatype sentType, void *buffer, int count,
                  MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
    TRY(potluck_check_root(__func__, comm, root));
    return scatter(__func__, listed(sent, counts, places, sentType), same(buffer, count, type), root, comm, request);
}

int MPI_Igather(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                int root, MPI_Comm comm, MPI_Request *request) {
    TRY(potluck_check_root(__func__, comm, root));
    return gather(__func__, same(sent, sentCount, sentType), equal(buffer, count, type), root, comm, request);
}

int MPI_Igatherv(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, const int counts[],
                 const int places[], MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
    TRY(potluck_check_root(__func__, comm, root));
    return gather(__func__, same(sent, sentCount, sentType), listed(buffer, counts, places, type), root, comm, request);
}

int MPI_Iallgather(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                   MPI_Comm comm, MPI_Request *request) {
    TRY(potluck_check(__func__, comm));
    return all_gather(__func__, same(sent, sentCount, sentType), equal(buffer, count, type), comm, request);
}

int MPI_Iallgatherv(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, const int counts[],
                    const int places[], MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    TRY(potluck_check(__func__, comm));
    return all_gather(__func__, same(sent, sentCount, sentType), listed(buffer, counts, places, type), comm, request);
}

int MPI_Ialltoall(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                  MPI_Comm comm, MPI_Request *request) {
    TRY(potluck_check(__func__, comm));
    return all_to_all(__func__, equal(sent, sentCount, sentType), equal(buffer, count, type), comm, request);
}

int MPI_Ialltoallv(const void *sent, const int sentCounts[], const int sentPlaces[], MPI_Datatype sentType, void *buffer,
                   const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm, MPI_Request *request) {
    TRY(potluck_check(__func__, comm));
    return all_to_all(__func__, listed(sent, sentCounts, sentPlaces, sentType), listed(buffer, counts, places, type), comm,
                      request);
}

int MPI_Ialltoallw(const void *sent, const int sentCounts[], const int sentPlaces[], const MPI_Datatype sentTypes[],
                   void *buffer, const int counts[], const int places[], const MPI_Datatype types[], MPI_Comm comm,
                   MPI_Request *request) {
    TRY(potluck_check(__func__, comm));
    return all_to_all(__func__, typed(sent, sentCounts, sentPlaces, sentTypes), typed(buffer, counts, places, types), comm,
                      request);
}
