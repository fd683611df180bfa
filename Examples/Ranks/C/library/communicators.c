// Communicators.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

enum { world_number = 0, self_number = 1 };

struct potluck_comm potluck_world = {.number = world_number, .handler = &potluck_fatal, .name = "MPI_COMM_WORLD"};
struct potluck_comm potluck_self = {.number = self_number, .handler = &potluck_fatal, .name = "MPI_COMM_SELF"};

// The highest number of a communicator that this rank was in.
static int highest = self_number;

void potluck_begin(void) {
    potluck_world.rank = host_rank();
    potluck_world.size = host_size();
    potluck_world.members = potluck_memory(potluck_world.size * sizeof(int));
    for (int rank = 0; rank < potluck_world.size; rank++) potluck_world.members[rank] = rank;
    potluck_self.rank = 0;
    potluck_self.size = 1;
    potluck_self.members = &potluck_world.members[potluck_world.rank];
}

// A number that no member has used. All ranks of `comm` call it.
int potluck_next_number(MPI_Comm comm) {
    int number = highest;
    potluck_reduce_to_first(comm, call_new_comm, &number, 1, MPI_INT, MPI_MAX);
    potluck_broadcast(comm, call_new_comm, &number, 1, MPI_INT, 0);
    return number + 1;
}

MPI_Comm potluck_new_comm(MPI_Comm parent, int number, int size, int rank, int *members) {
    if (number > highest) highest = number;
    MPI_Comm made = potluck_memory(sizeof *made);
    *made = (struct potluck_comm){
        .number = number, .size = size, .rank = rank, .members = members, .handler = parent->handler,
    };
    return made;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank) {
    TRY(potluck_check(__func__, comm));
    *rank = comm->rank;
    return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *size) {
    TRY(potluck_check(__func__, comm));
    *size = comm->size;
    return MPI_SUCCESS;
}

// What a rank wants of a split.
struct wish {
    int color, key, rank;
};

static int by_key(const void *first, const void *second) {
    const struct wish *a = first, *b = second;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
    TRY(potluck_check(__func__, comm));
    if (color < 0 && color != MPI_UNDEFINED) {
        return potluck_fail(comm, MPI_ERR_ARG, __func__, "the color is %d; it must not be negative", color);
    }
    struct wish own = {color, key, comm->rank}, *wishes = potluck_memory(comm->size * sizeof own);
    MPI_Allgather(&own, sizeof own, MPI_BYTE, wishes, sizeof own, MPI_BYTE, comm);
    int number = potluck_next_number(comm), size = 0, rank = 0;
    *made = MPI_COMM_NULL;
    if (color != MPI_UNDEFINED) {
        qsort(wishes, comm->size, sizeof own, by_key);
        int *members = potluck_memory(comm->size * sizeof *members);
        for (int i = 0; i < comm->size; i++) {
            if (wishes[i].color != color) continue;
            if (wishes[i].rank == comm->rank) rank = size;
            members[size++] = comm->members[wishes[i].rank];
        }
        *made = potluck_new_comm(comm, number, size, rank, members);
    }
    free(wishes);
    return MPI_SUCCESS;
}

// All ranks are in one process, so all of them could share memory. None does.
int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made) {
    (void)info;
    return MPI_Comm_split(comm, kind == MPI_UNDEFINED ? MPI_UNDEFINED : 0, key, made);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
    TRY(potluck_check(__func__, comm));
    *made = potluck_new_comm(comm, potluck_next_number(comm), comm->size, comm->rank, comm->members);
    (*made)->grid = comm->grid;
    (*made)->graph = comm->graph;
    return potluck_copy_attributes(comm, comm->attributes, &(*made)->attributes);
}

// The communicator of a group, for its members.
static MPI_Comm comm_of(MPI_Comm parent, MPI_Group group, int number) {
    int rank;
    MPI_Group_rank(group, &rank);
    if (rank == MPI_UNDEFINED) return MPI_COMM_NULL;
    int *members = potluck_memory(group->size * sizeof *members);
    memcpy(members, group->members, group->size * sizeof *members);
    return potluck_new_comm(parent, number, group->size, rank, members);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made) {
    TRY(potluck_check(__func__, comm));
    if (!group) return potluck_fail(comm, MPI_ERR_GROUP, __func__, "the group is MPI_GROUP_NULL");
    *made = comm_of(comm, group, potluck_next_number(comm));
    return MPI_SUCCESS;
}

// Other ranks need not call this. The members agree on a number in a context that they have already.
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made) {
    (void)tag;
    TRY(potluck_check(__func__, comm));
    if (!group) return potluck_fail(comm, MPI_ERR_GROUP, __func__, "the group is MPI_GROUP_NULL");
    *made = comm_of(comm, group, comm->number);
    if (!*made) return MPI_SUCCESS;
    int number = potluck_next_number(*made);
    *made = potluck_new_comm(comm, number, (*made)->size, (*made)->rank, (*made)->members);
    return MPI_SUCCESS;
}

// A request under way may still need the communicator, so it stays in memory. It is small.
int MPI_Comm_free(MPI_Comm *comm) {
    TRY(potluck_check(__func__, *comm));
    if (*comm == MPI_COMM_WORLD || *comm == MPI_COMM_SELF) {
        return potluck_fail(*comm, MPI_ERR_COMM, __func__, "%s cannot be freed", (*comm)->name);
    }
    TRY(potluck_drop_attributes(*comm, &(*comm)->attributes));
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

// Messages under way do not need the communicator, so nobody has to wait here.
int MPI_Comm_disconnect(MPI_Comm *comm) { return MPI_Comm_free(comm); }

int MPI_Comm_compare(MPI_Comm first, MPI_Comm second, int *result) {
    TRY(potluck_check(__func__, first));
    TRY(potluck_check(__func__, second));
    struct potluck_group a = {first->size, first->members}, b = {second->size, second->members};
    TRY(MPI_Group_compare(&a, &b, result));
    if (*result == MPI_IDENT && first != second) *result = MPI_CONGRUENT;
    return MPI_SUCCESS;
}

int MPI_Comm_set_name(MPI_Comm comm, const char *name) {
    TRY(potluck_check(__func__, comm));
    snprintf(comm->name, sizeof comm->name, "%s", name);
    return MPI_SUCCESS;
}

int MPI_Comm_get_name(MPI_Comm comm, char *name, int *length) {
    TRY(potluck_check(__func__, comm));
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", comm->name);
    return MPI_SUCCESS;
}

int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag) {
    static int greatestTag = INT_MAX, isGlobal = true, nobody = MPI_PROC_NULL, first = 0, lastCode = MPI_ERR_LASTCODE;
    TRY(potluck_check(__func__, comm));
    int *found = key == MPI_TAG_UB ? &greatestTag : key == MPI_WTIME_IS_GLOBAL ? &isGlobal
               : key == MPI_HOST || key == MPI_IO ? &nobody : key == MPI_APPNUM ? &first
               : key == MPI_UNIVERSE_SIZE ? &potluck_world.size : key == MPI_LASTUSEDCODE ? &lastCode : 0;
    *flag = found != 0;
    if (found) {
        *(int **)value = found;
    } else {
        *flag = potluck_get_attribute(comm->attributes, key, value);
    }
    return MPI_SUCCESS;
}

int MPI_Comm_test_inter(MPI_Comm comm, int *flag) {
    TRY(potluck_check(__func__, comm));
    *flag = false;
    return MPI_SUCCESS;
}
