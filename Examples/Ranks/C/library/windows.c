// Windows: memory that other ranks may use, and the epochs in which they do.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "window.h"

static int check(const char *call, MPI_Win win) {
    if (!win) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_WIN, call, "the window is MPI_WIN_NULL");
    return potluck_check(call, win->comm);
}

static int create(const char *call, void *base, MPI_Aint bytes, int unit, int flavor, MPI_Comm comm, MPI_Win *made) {
    TRY(potluck_check(call, comm));
    if (bytes < 0) return potluck_fail(comm, MPI_ERR_SIZE, call, "the size is %ld; it must not be negative", bytes);
    if (unit < 1) return potluck_fail(comm, MPI_ERR_DISP, call, "the unit is %d; it must be at least 1", unit);
    MPI_Win win = *made = potluck_memory(sizeof *win);
    *win = (struct potluck_win){
        .comm = potluck_new_comm(comm, potluck_next_number(comm), comm->size, comm->rank, comm->members), .base = base,
        .bytes = bytes, .unit = unit, .flavor = flavor, .targets = potluck_memory(comm->size * sizeof *win->targets),
    };
    MPI_Aint own[] = {bytes, unit}, *all = potluck_memory(comm->size * sizeof own);
    TRY(MPI_Allgather(own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, win->comm));
    for (int rank = 0; rank < comm->size; rank++) {
        struct target *target = &win->targets[rank];
        *target = (struct target){.bytes = all[2 * rank], .unit = all[2 * rank + 1], .last = &target->first};
    }
    free(all);
    return MPI_SUCCESS;
}

int MPI_Win_create(void *base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win) {
    (void)info;
    return create(__func__, base, bytes, unit, MPI_WIN_FLAVOR_CREATE, comm, win);
}

int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win) {
    (void)info;
    void *memory = bytes < 0 ? 0 : potluck_memory(bytes);
    *(void **)base = memory;
    return create(__func__, memory, bytes, unit, MPI_WIN_FLAVOR_ALLOCATE, comm, win);
}

// Each rank has a memory of its own, so only a rank can share memory with itself.
int MPI_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win) {
    (void)info;
    TRY(potluck_check(__func__, comm));
    if (comm->size > 1) {
        return potluck_fail(comm, MPI_ERR_RMA_SHARED, __func__, "ranks share no memory; use MPI_Win_allocate, MPI_Put and "
                            "MPI_Get");
    }
    void *memory = bytes < 0 ? 0 : potluck_memory(bytes);
    *(void **)base = memory;
    return create(__func__, memory, bytes, unit, MPI_WIN_FLAVOR_SHARED, comm, win);
}

int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *bytes, int *unit, void *base) {
    (void)rank;
    TRY(check(__func__, win));
    if (win->flavor != MPI_WIN_FLAVOR_SHARED) {
        return potluck_fail(win->comm, MPI_ERR_RMA_FLAVOR, __func__, "the window is not of MPI_Win_allocate_shared");
    }
    *bytes = win->bytes;
    *unit = win->unit;
    *(void **)base = win->base;
    return MPI_SUCCESS;
}

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win) {
    (void)info;
    return create(__func__, MPI_BOTTOM, 0, 1, MPI_WIN_FLAVOR_DYNAMIC, comm, win);
}

int MPI_Win_attach(MPI_Win win, void *base, MPI_Aint bytes) {
    TRY(check(__func__, win));
    if (win->flavor != MPI_WIN_FLAVOR_DYNAMIC) {
        return potluck_fail(win->comm, MPI_ERR_RMA_FLAVOR, __func__, "the window is not of MPI_Win_create_dynamic");
    }
    struct region *region = potluck_memory(sizeof *region);
    *region = (struct region){base, bytes, win->regions};
    win->regions = region;
    return MPI_SUCCESS;
}

int MPI_Win_detach(MPI_Win win, const void *base) {
    TRY(check(__func__, win));
    for (struct region **place = &win->regions; *place; place = &(*place)->next) {
        if ((*place)->at != base) continue;
        struct region *gone = *place;
        *place = gone->next;
        free(gone);
        return MPI_SUCCESS;
    }
    return potluck_fail(win->comm, MPI_ERR_ARG, __func__, "this memory is not attached");
}

int MPI_Win_free(MPI_Win *freed) {
    MPI_Win win = *freed;
    TRY(check(__func__, win));
    for (int rank = 0; rank < win->comm->size; rank++) {
        if (win->targets[rank].orders.used == 0) continue;
        return potluck_fail(win->comm, MPI_ERR_RMA_SYNC, __func__, "a call for rank %d has not been done; end the epoch with "
                            "MPI_Win_fence or MPI_Win_complete first", rank);
    }
    TRY(potluck_drop_attributes(win, &win->attributes));
    TRY(MPI_Barrier(win->comm));
    while (win->regions) TRY(MPI_Win_detach(win, win->regions->at));
    for (int rank = 0; rank < win->comm->size; rank++) free(win->targets[rank].orders.at);
    if (win->flavor == MPI_WIN_FLAVOR_ALLOCATE || win->flavor == MPI_WIN_FLAVOR_SHARED) free(win->base);
    free(win->targets);
    free(win);
    *freed = MPI_WIN_NULL;
    return MPI_SUCCESS;
}

// All ranks exchange their orders, do them, and exchange the answers.
int MPI_Win_fence(int assertion, MPI_Win win) {
    (void)assertion;
    TRY(check(__func__, win));
    int size = win->comm->size, *numbers = potluck_memory(6 * size * sizeof *numbers);
    int *given = numbers, *givenPlaces = given + size, *taken = givenPlaces + size, *takenPlaces = taken + size;
    int *answers = takenPlaces + size, *answerPlaces = answers + size;
    for (int rank = 0; rank < size; rank++) given[rank] = win->targets[rank].orders.used;
    TRY(MPI_Alltoall(given, 1, MPI_INT, taken, 1, MPI_INT, win->comm));
    struct bytes sent = {0}, received = {0}, answer = {0}, answered = {0};
    for (int rank = 0; rank < size; rank++) {
        givenPlaces[rank] = sent.used;
        memcpy(potluck_grow(&sent, given[rank]), win->targets[rank].orders.at, given[rank]);
        takenPlaces[rank] = received.used;
        potluck_grow(&received, taken[rank]);
    }
    TRY(MPI_Alltoallv(sent.at, given, givenPlaces, MPI_BYTE, received.at, taken, takenPlaces, MPI_BYTE, win->comm));
    for (int rank = 0; rank < size; rank++) {
        answerPlaces[rank] = answer.used;
        potluck_obey(win, rank, received.at + takenPlaces[rank], taken[rank], &answer);
        answers[rank] = answer.used - answerPlaces[rank];
        taken[rank] = win->targets[rank].answer;
        takenPlaces[rank] = answered.used;
        potluck_grow(&answered, taken[rank]);
    }
    TRY(MPI_Alltoallv(answer.at, answers, answerPlaces, MPI_BYTE, answered.at, taken, takenPlaces, MPI_BYTE, win->comm));
    for (int rank = 0; rank < size; rank++) potluck_settle(&win->targets[rank], answered.at + takenPlaces[rank]);
    free(sent.at);
    free(received.at);
    free(answer.at);
    free(answered.at);
    free(numbers);
    return MPI_SUCCESS;
}

// Epochs of some ranks: those that open their memory tell those that use it. Messages of the window's communicator are
// posts, orders and answers. A rank that waits here serves whichever comes.

enum { tag_post, tag_orders, tag_answer };

static int serve(MPI_Win win) {
    MPI_Status status;
    TRY(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, win->comm, &status));
    int origin = status.MPI_SOURCE, bytes = status.potluck_bytes;
    struct target *target = &win->targets[origin];
    char *message = potluck_memory(bytes);
    TRY(MPI_Recv(message, bytes, MPI_BYTE, origin, status.MPI_TAG, win->comm, MPI_STATUS_IGNORE));
    if (status.MPI_TAG == tag_post) {
        target->posts++;
    } else if (status.MPI_TAG == tag_orders) {
        struct bytes answer = {0};
        potluck_obey(win, origin, message, bytes, &answer);
        TRY(MPI_Bsend(answer.at, answer.used, MPI_BYTE, origin, tag_answer, win->comm));
        free(answer.at);
        target->isExpected = false;
    } else {
        potluck_settle(target, message);
        target->isStarted = false;
    }
    free(message);
    return MPI_SUCCESS;
}

// Calls `act` for each rank of the group, by its number in the window.
static int each(const char *call, MPI_Group group, MPI_Win win, int act(MPI_Win win, int rank)) {
    TRY(check(call, win));
    if (!group) return potluck_fail(win->comm, MPI_ERR_GROUP, call, "the group is MPI_GROUP_NULL");
    for (int i = 0; i < group->size; i++) {
        int rank = potluck_source(win->comm, group->members[i]);
        if (rank < 0) return potluck_fail(win->comm, MPI_ERR_RANK, call, "rank %d of the group is not in the window", i);
        TRY(act(win, rank));
    }
    return MPI_SUCCESS;
}

static int post(MPI_Win win, int rank) {
    win->targets[rank].isExpected = true;
    return MPI_Bsend(0, 0, MPI_BYTE, rank, tag_post, win->comm);
}

static int start(MPI_Win win, int rank) {
    while (win->targets[rank].posts == 0) TRY(serve(win));
    win->targets[rank].posts--;
    win->targets[rank].isStarted = true;
    return MPI_SUCCESS;
}

int MPI_Win_post(MPI_Group group, int assertion, MPI_Win win) {
    (void)assertion;
    return each(__func__, group, win, post);
}

int MPI_Win_start(MPI_Group group, int assertion, MPI_Win win) {
    (void)assertion;
    return each(__func__, group, win, start);
}

int MPI_Win_complete(MPI_Win win) {
    TRY(check(__func__, win));
    for (int rank = 0; rank < win->comm->size; rank++) {
        struct target *target = &win->targets[rank];
        if (!target->isStarted) continue;
        TRY(MPI_Bsend(target->orders.at, target->orders.used, MPI_BYTE, rank, tag_orders, win->comm));
    }
    for (int rank = 0; rank < win->comm->size; rank++) {
        while (win->targets[rank].isStarted) TRY(serve(win));
    }
    return MPI_SUCCESS;
}

int MPI_Win_wait(MPI_Win win) {
    TRY(check(__func__, win));
    for (int rank = 0; rank < win->comm->size; rank++) {
        while (win->targets[rank].isExpected) TRY(serve(win));
    }
    return MPI_SUCCESS;
}

int MPI_Win_test(MPI_Win win, int *flag) {
    TRY(check(__func__, win));
    for (int isThere = true; isThere;) {
        TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, win->comm, &isThere, MPI_STATUS_IGNORE));
        if (isThere) TRY(serve(win));
    }
    *flag = true;
    for (int rank = 0; rank < win->comm->size; rank++) *flag &= !win->targets[rank].isExpected;
    return MPI_SUCCESS;
}

// What a program can ask of a window.

int MPI_Win_get_group(MPI_Win win, MPI_Group *group) {
    TRY(check(__func__, win));
    return MPI_Comm_group(win->comm, group);
}

int MPI_Win_get_attr(MPI_Win win, int key, void *value, int *flag) {
    static int model = MPI_WIN_SEPARATE;
    TRY(check(__func__, win));
    void *found = key == MPI_WIN_BASE ? win->base : key == MPI_WIN_SIZE ? (void *)&win->bytes
                : key == MPI_WIN_DISP_UNIT ? (void *)&win->unit : key == MPI_WIN_CREATE_FLAVOR ? (void *)&win->flavor
                : key == MPI_WIN_MODEL ? (void *)&model : 0;
    if (key == MPI_WIN_BASE || found) {
        *(void **)value = found;
        *flag = true;
    } else {
        *flag = potluck_get_attribute(win->attributes, key, value);
    }
    return MPI_SUCCESS;
}

int MPI_Win_set_name(MPI_Win win, const char *name) {
    TRY(check(__func__, win));
    snprintf(win->name, sizeof win->name, "%s", name);
    return MPI_SUCCESS;
}

int MPI_Win_get_name(MPI_Win win, char *name, int *length) {
    TRY(check(__func__, win));
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", win->name);
    return MPI_SUCCESS;
}

int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler handler) {
    TRY(check(__func__, win));
    return MPI_Comm_set_errhandler(win->comm, handler);
}

int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *handler) {
    TRY(check(__func__, win));
    return MPI_Comm_get_errhandler(win->comm, handler);
}

int MPI_Win_set_info(MPI_Win win, MPI_Info info) {
    (void)info;
    return check(__func__, win);
}

int MPI_Win_get_info(MPI_Win win, MPI_Info *info) {
    TRY(check(__func__, win));
    return MPI_Info_create(info);
}
