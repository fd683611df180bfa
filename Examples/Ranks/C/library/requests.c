// Messages that do not block.

#include <stdlib.h>
#include <string.h>

#include "inside.h"

// A message of a collective call that does not block.
struct part {
    int handle;  // the host's number; 0 when it is done
    int from;    // MPI_PROC_NULL if this rank sends it
    void *buffer, *packed;
    int count;
    MPI_Datatype type;
};

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
    // Of a collective call:
    struct part *parts;
    int partCount, left;  // the number of messages, and of those that are not done
    enum call call;
    void (*finish)(void *state);
    void *argument;
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
    request->handle = host_isend(request->comm->members[request->peer], request->tag,
                                 potluck_context(request->comm, channel_messages), buffer, bytes, request->mode);
    free(packed);
}

static void start_receive(MPI_Request request) {
    size_t capacity = request->count * request->type->bytes;
    void *buffer = request->buffer;
    if (!potluck_is_plain(request->type)) buffer = request->packed = potluck_memory(capacity);
    int from = request->peer < 0 ? MPI_ANY_SOURCE : request->comm->members[request->peer];
    request->handle = host_ireceive(from, request->tag, potluck_context(request->comm, channel_messages), buffer,
                                    capacity);
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

// The number of the host's requests that belong to this one, and each of them: 0 if it is done.
static int handle_count(MPI_Request request) { return !is_pending(request) ? 0 : request->parts ? request->partCount : 1; }
static int handle(MPI_Request request, int i) { return request->parts ? request->parts[i].handle : request->handle; }

// The host has completed a message of a collective call.
static void finish_part(MPI_Request request, struct part *part, const int *found) {
    part->handle = 0;
    request->left--;
    if (part->from != MPI_PROC_NULL) potluck_check_taken(request->call, part->from, found, part->count * part->type->bytes);
    if (part->packed) potluck_unpack(part->packed, found[status_bytes], part->buffer, part->count, part->type);
    free(part->packed);
    potluck_later_ready(request);
}

static void finish_handle(MPI_Request request, int i, const int *found) {
    if (request->parts) {
        finish_part(request, &request->parts[i], found);
    } else {
        finish(request, found);
    }
}

static void await(MPI_Request request) {
    for (int i = 0, count = handle_count(request); i < count; i++) {
        int found[status_parts], number = handle(request, i);
        if (number == 0) continue;
        host_wait(&number, 1, found);
        finish_handle(request, i, found);
    }
}

static bool look(MPI_Request request) {
    for (int i = 0, count = handle_count(request); i < count; i++) {
        int found[status_parts], number = handle(request, i);
        if (number != 0 && host_test(number, found)) finish_handle(request, i, found);
    }
    return !is_pending(request);
}

MPI_Request potluck_later(MPI_Comm comm, enum call call, int most, void (*finish)(void *), void *state) {
    MPI_Request made = potluck_memory(sizeof *made);
    *made = (struct potluck_request){
        .state = active, .comm = comm, .call = call, .parts = potluck_memory(most * sizeof *made->parts),
        .finish = finish, .argument = state, .status = nothing,
    };
    return made;
}

MPI_Request potluck_done(size_t bytes) {
    MPI_Request made = potluck_later(0, 0, 0, 0, 0);
    made->state = complete;
    made->status.potluck_bytes = bytes;
    return made;
}

// Messages of one call and rank that go different ways have different tags.
static int tag_of(MPI_Request request, int way) { return request->call + way * calls; }

void potluck_later_give(MPI_Request request, int to, int way, const void *buffer, int count, MPI_Datatype type) {
    size_t bytes = count * type->bytes;
    void *packed = 0;
    if (!potluck_is_plain(type)) {
        packed = potluck_memory(bytes);
        potluck_pack(buffer, count, type, packed);
        buffer = packed;
    }
    int number = host_isend(request->comm->members[to], tag_of(request, way), potluck_context(request->comm, channel_later),
                            buffer, bytes, standard);
    free(packed);
    request->parts[request->partCount++] = (struct part){.handle = number, .from = MPI_PROC_NULL};
    request->left++;
}

void potluck_later_take(MPI_Request request, int from, int way, void *buffer, int count, MPI_Datatype type) {
    size_t capacity = count * type->bytes;
    void *packed = potluck_is_plain(type) ? 0 : potluck_memory(capacity);
    int number = host_ireceive(request->comm->members[from], tag_of(request, way),
                               potluck_context(request->comm, channel_later), packed ? packed : buffer, capacity);
    request->parts[request->partCount++] = (struct part){number, from, buffer, packed, count, type};
    request->left++;
}

// Completes the request if all its messages are done.
void potluck_later_ready(MPI_Request request) {
    if (request->left > 0) return;
    if (request->finish) request->finish(request->argument);
    request->state = complete;
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
        free((*request)->parts);
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
    for (;;) {
        int most = 0, found[status_parts];
        for (int i = 0; i < count; i++) {
            if (requests[i] && requests[i]->state == complete) return i;
            most += handle_count(requests[i]);
        }
        if (most == 0) return -1;
        int *handles = potluck_memory(most * sizeof *handles), next = 0;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < handle_count(requests[i]); j++) handles[next++] = handle(requests[i], j);
        }
        int place = host_wait(handles, most, found), owner = 0;
        free(handles);
        while (place >= handle_count(requests[owner])) place -= handle_count(requests[owner++]);
        finish_handle(requests[owner], place, found);
    }
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
    free((*request)->parts);
    free(*request);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

// A message that is sent is on its way, so the call comes too late for it, as MPI allows.
int MPI_Cancel(MPI_Request *request) {
    if (is_idle(*request)) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_REQUEST, __func__, "nothing is under way");
    if (!look(*request) && (*request)->isReceive) {
        return potluck_fail((*request)->comm, MPI_ERR_REQUEST, __func__,
                            "a receive that waits cannot be cancelled; send it a message that says so");
    }
    return MPI_SUCCESS;
}

int MPI_Test_cancelled(const MPI_Status *status, int *flag) {
    (void)status;
    *flag = false;
    return MPI_SUCCESS;
}

int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
    *flag = look(request);
    if (*flag && status) {
        int error = status->MPI_ERROR;
        *status = is_idle(request) ? nothing : request->status;
        status->MPI_ERROR = error;
    }
    return MPI_SUCCESS;
}
