// Messages that block.

#include <stdlib.h>

#include "inside.h"

int potluck_context(MPI_Comm comm, enum channel channel) { return channels * comm->number + channel; }

static int context(MPI_Comm comm, bool isCollective) {
    return potluck_context(comm, isCollective ? channel_collective : channel_messages);
}

int potluck_source(MPI_Comm comm, int world) {
    for (int rank = 0; rank < comm->size; rank++) {
        if (comm->members[(world + rank) % comm->size] == world) return (world + rank) % comm->size;
    }
    return MPI_UNDEFINED;
}

static void send_values(MPI_Comm comm, bool isCollective, int to, int tag, const void *buffer, int count,
                        MPI_Datatype type, enum mode mode) {
    int peer = comm->members[to];
    if (potluck_is_plain(type)) {
        host_send(peer, tag, context(comm, isCollective), buffer, count * type->bytes, mode);
        return;
    }
    void *packed = potluck_memory(count * type->bytes);
    potluck_pack(buffer, count, type, packed);
    host_send(peer, tag, context(comm, isCollective), packed, count * type->bytes, mode);
    free(packed);
}

static void receive_values(MPI_Comm comm, bool isCollective, int from, int tag, void *buffer, int count,
                           MPI_Datatype type, int *status) {
    int peer = from < 0 ? from : comm->members[from];
    size_t capacity = count * type->bytes;
    if (potluck_is_plain(type)) {
        host_receive(peer, tag, context(comm, isCollective), buffer, capacity, status);
        return;
    }
    void *packed = potluck_memory(capacity);
    host_receive(peer, tag, context(comm, isCollective), packed, capacity, status);
    potluck_unpack(packed, status[status_bytes], buffer, count, type);
    free(packed);
}

void potluck_give(MPI_Comm comm, enum call call, int to, const void *buffer, int count, MPI_Datatype type) {
    send_values(comm, true, to, call, buffer, count, type, standard);
}

// The names of the calls for sentences; those with an array of counts have the same messages.
static const char *const names[] = {
    "MPI_Barrier", "MPI_Bcast", "MPI_Scatter", "MPI_Gather", "MPI_Allgather", "MPI_Alltoall", "MPI_Reduce", "MPI_Scan",
    "MPI_Allreduce", "MPI_Reduce_scatter", "MPI_Comm_split or another call that makes a communicator",
    "MPI_Neighbor_allgather", "MPI_Neighbor_alltoall",
};

// Ends the program if a message of a collective call has another length than this rank expects. A program may leave room
// in the buffer of a scatter, although MPI does not allow it. Elsewhere it is a mistake.
void potluck_check_taken(enum call call, int from, const int *found, size_t capacity) {
    bool isLenient = call == call_scatter || call == call_gather || call == call_all_to_all;
    size_t bytes = found[status_bytes];
    if (isLenient ? bytes > capacity : bytes != capacity) {
        potluck_fail(0, MPI_ERR_TRUNCATE, names[call], "rank %d gives %zu bytes, but this rank expects %zu; all ranks must "
                     "give the same count", from, bytes, capacity);
    }
}

void potluck_take(MPI_Comm comm, enum call call, int from, void *buffer, int count, MPI_Datatype type) {
    int status[status_parts];
    host_probe(comm->members[from], MPI_ANY_TAG, context(comm, true), true, status);
    if (status[status_tag] != (int)call) {
        potluck_fail(0, MPI_ERR_OTHER, names[call], "rank %d called %s instead; all ranks must make the same calls in the "
                     "same order", from, names[status[status_tag]]);
    }
    potluck_check_taken(call, from, status, count * type->bytes);
    receive_values(comm, true, from, call, buffer, count, type, status);
}

// Tells the program about a message; it came from nowhere if `found` is NULL.
static void report(MPI_Comm comm, const int *found, int nowhere, MPI_Status *status) {
    if (!status) return;
    status->MPI_SOURCE = found ? potluck_source(comm, found[status_source]) : nowhere;
    status->MPI_TAG = found ? found[status_tag] : MPI_ANY_TAG;
    status->potluck_bytes = found ? found[status_bytes] : 0;
}

static int send(const char *call, const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                enum mode mode) {
    TRY(potluck_check_message(call, comm, buffer, count, type, to, tag, false));
    if (to != MPI_PROC_NULL) send_values(comm, false, to, tag, buffer, count, type, mode);
    return MPI_SUCCESS;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    return send(__func__, buffer, count, type, to, tag, comm, standard);
}

int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    return send(__func__, buffer, count, type, to, tag, comm, synchronous);
}

int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    return send(__func__, buffer, count, type, to, tag, comm, buffered);
}

// The host gains nothing from knowing that a receive waits.
int MPI_Rsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    return send(__func__, buffer, count, type, to, tag, comm, standard);
}

// The host has buffers of its own. The program only gets back what it attached.
static void *attached;
static int attached_bytes;

int MPI_Buffer_attach(void *buffer, int bytes) {
    attached = buffer;
    attached_bytes = bytes;
    return MPI_SUCCESS;
}

int MPI_Buffer_detach(void *buffer, int *bytes) {
    *(void **)buffer = attached;
    *bytes = attached_bytes;
    attached = 0;
    attached_bytes = 0;
    return MPI_SUCCESS;
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status) {
    TRY(potluck_check_message(__func__, comm, buffer, count, type, from, tag, true));
    int found[status_parts];
    bool isReal = from != MPI_PROC_NULL;
    if (isReal) receive_values(comm, false, from, tag, buffer, count, type, found);
    report(comm, isReal ? found : 0, MPI_PROC_NULL, status);
    return MPI_SUCCESS;
}

int MPI_Sendrecv(const void *sent, int sentCount, MPI_Datatype sentType, int to, int sentTag, void *buffer, int count,
                 MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status) {
    MPI_Request request;
    TRY(MPI_Isend(sent, sentCount, sentType, to, sentTag, comm, &request));
    TRY(MPI_Recv(buffer, count, type, from, tag, comm, status));
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// The host has copied the values when MPI_Isend returns, so that they may be overwritten.
int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int sentTag, int from, int tag,
                         MPI_Comm comm, MPI_Status *status) {
    return MPI_Sendrecv(buffer, count, type, to, sentTag, buffer, count, type, from, tag, comm, status);
}

static int probe(const char *call, int from, int tag, MPI_Comm comm, bool waits, int *flag, MPI_Status *status) {
    TRY(potluck_check_message(call, comm, comm, 0, MPI_BYTE, from, tag, true));
    if (from == MPI_PROC_NULL) {
        report(comm, 0, MPI_PROC_NULL, status);
        *flag = true;
        return MPI_SUCCESS;
    }
    int found[status_parts];
    *flag = host_probe(from < 0 ? from : comm->members[from], tag, context(comm, false), waits, found);
    if (*flag) report(comm, found, MPI_ANY_SOURCE, status);
    return MPI_SUCCESS;
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status) {
    int flag;
    return probe(__func__, from, tag, comm, true, &flag, status);
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
    return probe(__func__, from, tag, comm, false, flag, status);
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
    size_t bytes = status->potluck_bytes;
    if (type->bytes == 0) {
        *count = 0;
    } else {
        *count = bytes % type->bytes == 0 ? (int)(bytes / type->bytes) : MPI_UNDEFINED;
    }
    return MPI_SUCCESS;
}

// Counts basic values. A message that ends within a value counts as whole parts, if all parts have one size.
int MPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count) {
    size_t bytes = status->potluck_bytes, part = type->parts ? type->bytes / type->parts : 0;
    *count = part == 0 ? 0 : bytes % part == 0 ? (int)(bytes / part) : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
