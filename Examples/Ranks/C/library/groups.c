// Groups: lists of ranks of the world.

#include <stdlib.h>
#include <string.h>

#include "inside.h"

struct potluck_group potluck_nobody = {0, 0};

static int place_of(MPI_Group group, int member) {
    for (int rank = 0; rank < group->size; rank++) {
        if (group->members[rank] == member) return rank;
    }
    return MPI_UNDEFINED;
}

// A group with room for that many members.
static MPI_Group new_group(int room) {
    MPI_Group made = potluck_memory(sizeof *made);
    *made = (struct potluck_group){0, potluck_memory(room * sizeof(int))};
    return made;
}

static void append(MPI_Group group, int member) { group->members[group->size++] = member; }

// Hands a new group to the program.
static int give(MPI_Group group, MPI_Group *made) {
    *made = group->size > 0 ? group : MPI_GROUP_EMPTY;
    return MPI_SUCCESS;
}

static int check(const char *call, MPI_Group group) {
    if (!group) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_GROUP, call, "the group is MPI_GROUP_NULL");
    return MPI_SUCCESS;
}

static int check_ranks(const char *call, MPI_Group group, int count, const int ranks[]) {
    TRY(check(call, group));
    for (int i = 0; i < count; i++) {
        if (ranks[i] >= 0 && ranks[i] < group->size) continue;
        return potluck_fail(MPI_COMM_WORLD, MPI_ERR_RANK, call, "there is no rank %d; ranks are 0 to %d", ranks[i],
                            group->size - 1);
    }
    return MPI_SUCCESS;
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group *group) {
    TRY(potluck_check(__func__, comm));
    *group = new_group(comm->size);
    for (int rank = 0; rank < comm->size; rank++) append(*group, comm->members[rank]);
    return MPI_SUCCESS;
}

int MPI_Group_size(MPI_Group group, int *size) {
    TRY(check(__func__, group));
    *size = group->size;
    return MPI_SUCCESS;
}

int MPI_Group_rank(MPI_Group group, int *rank) {
    TRY(check(__func__, group));
    *rank = place_of(group, potluck_world.rank);
    return MPI_SUCCESS;
}

int MPI_Group_incl(MPI_Group group, int count, const int ranks[], MPI_Group *made) {
    TRY(check_ranks(__func__, group, count, ranks));
    MPI_Group new = new_group(count);
    for (int i = 0; i < count; i++) append(new, group->members[ranks[i]]);
    return give(new, made);
}

int MPI_Group_excl(MPI_Group group, int count, const int ranks[], MPI_Group *made) {
    TRY(check_ranks(__func__, group, count, ranks));
    MPI_Group new = new_group(group->size);
    for (int rank = 0; rank < group->size; rank++) {
        bool isOut = false;
        for (int i = 0; i < count; i++) isOut |= ranks[i] == rank;
        if (!isOut) append(new, group->members[rank]);
    }
    return give(new, made);
}

// Each range has a first rank, a last one and a step.
int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group *made) {
    TRY(check(__func__, group));
    MPI_Group new = new_group(group->size);
    for (int i = 0; i < count; i++) {
        int last = ranges[i][1], step = ranges[i][2];
        if (step == 0) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_ARG, __func__, "the step is 0");
        for (int rank = ranges[i][0]; step > 0 ? rank <= last : rank >= last; rank += step) {
            TRY(check_ranks(__func__, group, 1, &rank));
            if (new->size < group->size) append(new, group->members[rank]);
        }
    }
    return give(new, made);
}

int MPI_Group_union(MPI_Group first, MPI_Group second, MPI_Group *made) {
    TRY(check(__func__, first));
    TRY(check(__func__, second));
    MPI_Group new = new_group(first->size + second->size);
    for (int rank = 0; rank < first->size; rank++) append(new, first->members[rank]);
    for (int rank = 0; rank < second->size; rank++) {
        if (place_of(first, second->members[rank]) == MPI_UNDEFINED) append(new, second->members[rank]);
    }
    return give(new, made);
}

// The members of the first group that are in the second one, or that are not.
static int part(const char *call, MPI_Group first, MPI_Group second, bool isIn, MPI_Group *made) {
    TRY(check(call, first));
    TRY(check(call, second));
    MPI_Group new = new_group(first->size);
    for (int rank = 0; rank < first->size; rank++) {
        if ((place_of(second, first->members[rank]) != MPI_UNDEFINED) == isIn) append(new, first->members[rank]);
    }
    return give(new, made);
}

int MPI_Group_intersection(MPI_Group first, MPI_Group second, MPI_Group *made) {
    return part(__func__, first, second, true, made);
}

int MPI_Group_difference(MPI_Group first, MPI_Group second, MPI_Group *made) {
    return part(__func__, first, second, false, made);
}

int MPI_Group_translate_ranks(MPI_Group first, int count, const int ranks[], MPI_Group second, int found[]) {
    TRY(check_ranks(__func__, first, count, ranks));
    TRY(check(__func__, second));
    for (int i = 0; i < count; i++) found[i] = place_of(second, first->members[ranks[i]]);
    return MPI_SUCCESS;
}

int MPI_Group_compare(MPI_Group first, MPI_Group second, int *result) {
    TRY(check(__func__, first));
    TRY(check(__func__, second));
    *result = first->size == second->size ? MPI_IDENT : MPI_UNEQUAL;
    for (int rank = 0; rank < first->size && *result != MPI_UNEQUAL; rank++) {
        int place = place_of(second, first->members[rank]);
        if (place != rank) *result = place == MPI_UNDEFINED ? MPI_UNEQUAL : MPI_SIMILAR;
    }
    return MPI_SUCCESS;
}

int MPI_Group_free(MPI_Group *group) {
    TRY(check(__func__, *group));
    if (*group != MPI_GROUP_EMPTY) {
        free((*group)->members);
        free(*group);
    }
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
