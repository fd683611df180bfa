// Messages that do not block.

#include <stdlib.h>
#include <string.h>

#include "inside.h"

struct potluck_request {
    // A request that MPI_Start may start again is inactive in between; any other one ends with its message.
    enum { inactive, active, complete } state;
    bool isPersistent, isReceive;
    int handle;  // the host's number while active
    MPI_Comm comm;
    void *buffer;
    int count;
    MPI_Datatype type;
    int peer, tag;
    enum mode mode;
    void *packed;  // of a receive whose type has gaps, while active
    MPI_Status status;
};

static const MPI_Status nothing = {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0};

static void start_send(MPI_Request request) {
    const void *buffer = request->buffer;
    size_t bytes = request->count * request->type->bytes;
    void *packed = 0;
    if (!potluck_is_plain(request->type)) {
        buffer = packed = potluck_memory(bytes);
        potluck_pack(request->buffer, request->count, request->type, packed);
    }
    request->handle = host_isend(request->comm->members[request->peer], request->tag, 2 * request->comm->number, buffer,
                                 bytes, request->mode);
    free(packed);
}

static void start_receive(MPI_Request request) {
    size_t capacity = request->count * request->type->bytes;
    void *buffer = request->buffer;
    if (!potluck_is_plain(request->type)) buffer = request->packed = potluck_memory(capacity);
    int from = request->peer < 0 ? MPI_ANY_SOURCE : request->comm->members[request->peer];
    request->handle = host_ireceive(from, request->tag, 2 * request->comm->number, buffer, capacity);
}

static void start(MPI_Request request) {
    request->status = nothing;
    request->state = active;
    if (request->peer == MPI_PROC_NULL) {
        if (request->isReceive) request->status.MPI_SOURCE = MPI_PROC_NULL;
        request->state = complete;
    } else if (request->isReceive) {
        start_receive(request);
    } else {
        start_send(request);
    }
}

// The host has completed the request.
static void finish(MPI_Request request, const int *found) {
    request->state = complete;
    request->status.potluck_bytes = found[status_bytes];
    if (!request->isReceive) return;
    request->status.MPI_SOURCE = potluck_source(request->comm, found[status_source]);
    request->status.MPI_TAG = found[status_tag];
    if (!request->packed) return;
    potluck_unpack(request->packed, found[status_bytes], request->buffer, request->count, request->type);
    free(request->packed);
    request->packed = 0;
}

static bool is_pending(MPI_Request request) { return request && request->state == active; }
static bool is_idle(MPI_Request request) { return !request || request->state == inactive; }

static void await(MPI_Request request) {
    if (!is_pending(request)) return;
    int found[status_parts];
    host_wait(&request->handle, 1, found);
    finish(request, found);
}

static bool look(MPI_Request request) {
    int found[status_parts];
    if (is_pending(request) && host_test(request->handle, found)) finish(request, found);
    return !is_pending(request);
}

// Hands a complete request to the program, which then has no request, or an inactive one.
static void retire(MPI_Request *request, MPI_Status *status) {
    if (status) {
        int error = status->MPI_ERROR;
        *status = is_idle(*request) ? nothing : (*request)->status;
        status->MPI_ERROR = error;
    }
    if (!*request) return;
    if ((*request)->isPersistent) {
        (*request)->state = inactive;
    } else {
        free(*request);
        *request = MPI_REQUEST_NULL;
    }
}

static int make(const char *call, const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                enum mode mode, bool isReceive, bool isPersistent, MPI_Request *request) {
    TRY(potluck_check_message(call, comm, buffer, count, type, peer, tag, isReceive));
    *request = potluck_memory(sizeof **request);
    **request = (struct potluck_request){
        .state = inactive, .isPersistent = isPersistent, .isReceive = isReceive, .comm = comm, .buffer = (void *)buffer,
        .count = count, .type = type, .peer = peer, .tag = tag, .mode = mode,
    };
    if (!isPersistent) start(*request);
    return MPI_SUCCESS;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
    return make(__func__, buffer, count, type, to, tag, comm, standard, false, false, request);
}

int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
    return make(__func__, buffer, count, type, to, tag, comm, synchronous, false, false, request);
}

int MPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
    return make(__func__, buffer, count, type, to, tag, comm, buffered, false, false, request);
}

int MPI_Irsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
    return make(__func__, buffer, count, type, to, tag, comm, standard, false, false, request);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    return make(__func__, buffer, count, type, from, tag, comm, standard, true, false, request);
}

int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request) {
    return make(__func__, buffer, count, type, to, tag, comm, standard, false, true, request);
}

int MPI_Ssend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request) {
    return make(__func__, buffer, count, type, to, tag, comm, synchronous, false, true, request);
}

int MPI_Bsend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request) {
    return make(__func__, buffer, count, type, to, tag, comm, buffered, false, true, request);
}

int MPI_Rsend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request) {
    return make(__func__, buffer, count, type, to, tag, comm, standard, false, true, request);
}

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
    return make(__func__, buffer, count, type, from, tag, comm, standard, true, true, request);
}

int MPI_Start(MPI_Request *request) {
    if (!*request || !(*request)->isPersistent || (*request)->state != inactive) {
        return potluck_fail(MPI_COMM_WORLD, MPI_ERR_REQUEST, __func__, "the request cannot be started");
    }
    start(*request);
    return MPI_SUCCESS;
}

int MPI_Startall(int count, MPI_Request requests[]) {
    for (int i = 0; i < count; i++) TRY(MPI_Start(&requests[i]));
    return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    await(*request);
    retire(request, status);
    return MPI_SUCCESS;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    for (int i = 0; i < count; i++) MPI_Wait(&requests[i], statuses ? &statuses[i] : 0);
    return MPI_SUCCESS;
}

// Returns the index of a complete request, -1 if there is none to wait for.
static int await_any(int count, MPI_Request requests[]) {
    bool isAnyPending = false;
    for (int i = 0; i < count; i++) {
        if (requests[i] && requests[i]->state == complete) return i;
        isAnyPending |= is_pending(requests[i]);
    }
    if (!isAnyPending) return -1;
    int *handles = potluck_memory(count * sizeof *handles), found[status_parts];
    for (int i = 0; i < count; i++) handles[i] = is_pending(requests[i]) ? requests[i]->handle : 0;
    int index = host_wait(handles, count, found);
    free(handles);
    finish(requests[index], found);
    return index;
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
    int found = await_any(count, requests);
    *index = found < 0 ? MPI_UNDEFINED : found;
    if (found >= 0) {
        retire(&requests[found], status);
    } else if (status) {
        *status = nothing;
    }
    return MPI_SUCCESS;
}

int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
    bool isAnyThere = false;
    *done = 0;
    for (int i = 0; i < count; i++) {
        if (is_idle(requests[i])) continue;
        isAnyThere = true;
        if (!look(requests[i])) continue;
        retire(&requests[i], statuses ? &statuses[*done] : 0);
        indices[(*done)++] = i;
    }
    if (!isAnyThere) *done = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
    await_any(count, requests);
    return MPI_Testsome(count, requests, done, indices, statuses);
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    *flag = look(*request);
    if (*flag) retire(request, status);
    return MPI_SUCCESS;
}

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
    *flag = true;
    for (int i = 0; i < count; i++) *flag &= look(requests[i]);
    for (int i = 0; *flag && i < count; i++) retire(&requests[i], statuses ? &statuses[i] : 0);
    return MPI_SUCCESS;
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
    bool isAnyThere = false;
    *index = MPI_UNDEFINED;
    for (int i = 0; i < count; i++) {
        if (is_idle(requests[i])) continue;
        isAnyThere = true;
        if (!look(requests[i])) continue;
        *index = i;
        *flag = true;
        retire(&requests[i], status);
        return MPI_SUCCESS;
    }
    *flag = !isAnyThere;
    if (*flag && status) *status = nothing;
    return MPI_SUCCESS;
}

// A message under way is completed first: the host may write to the buffer until then.
int MPI_Request_free(MPI_Request *request) {
    if (!*request) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_REQUEST, __func__, "the request is MPI_REQUEST_NULL");
    await(*request);
    free(*request);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}
