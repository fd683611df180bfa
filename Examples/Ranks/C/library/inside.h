// What the files of the library share.

#ifndef POTLUCK_INSIDE_H
#define POTLUCK_INSIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "../potluck_mpi.h"

// The imports of a module with ranks. They know only ranks of the world, and bytes.

#define IMPORT(name) __attribute__((import_module("potluck_comm"), import_name(#name)))

IMPORT(rank) int host_rank(void);
IMPORT(size) int host_size(void);
IMPORT(time) double host_time(void);
IMPORT(log) void host_log(const char *text, size_t bytes);
IMPORT(error) void host_error(const char *text, size_t bytes);
IMPORT(abort) void host_abort(int code) __attribute__((noreturn));
IMPORT(send) void host_send(int to, int tag, int context, const void *from, size_t bytes, int mode);
IMPORT(isend) int host_isend(int to, int tag, int context, const void *from, size_t bytes, int mode);
IMPORT(receive) void host_receive(int from, int tag, int context, void *to, size_t capacity, int *status);
IMPORT(ireceive) int host_ireceive(int from, int tag, int context, void *to, size_t capacity);
IMPORT(probe) int host_probe(int from, int tag, int context, int waits, int *status);
IMPORT(wait) int host_wait(const int *requests, int count, int *status);
IMPORT(test) int host_test(int request, int *status);

// How long a send waits.
enum mode { standard = 0, synchronous = 1, buffered = 2 };
// The parts of a status of the host.
enum { status_source, status_tag, status_bytes, status_parts };

struct grid {
    int dimensions;
    int *sizes;
    int *periods;
};

// A communicator has four contexts, of which three are used. Those of collective calls are odd, as the host expects.
enum channel { channel_messages = 0, channel_collective = 1, channel_later = 3, channels = 4 };

struct potluck_comm {
    int number;
    int size;
    int rank;
    int *members;  // the rank in the world of each rank
    struct grid *grid;
    struct graph *graph;
    struct attribute *attributes;
    MPI_Errhandler handler;
    char name[MPI_MAX_OBJECT_NAME];
};

struct potluck_group {
    int size;
    int *members;  // ranks of the world
};

struct potluck_handler {
    bool returns;
};

// A stretch of memory in a value of a type.
struct piece {
    MPI_Aint place;
    size_t bytes;
};

enum kind {
    derived, kind_char, kind_signed_char, kind_unsigned_char, kind_byte, kind_short, kind_unsigned_short, kind_int,
    kind_unsigned, kind_long, kind_unsigned_long, kind_long_long, kind_unsigned_long_long, kind_float, kind_double,
    kind_long_double, kind_logical, kind_float_complex, kind_double_complex, kind_long_double_complex, kind_float_int, kind_double_int, kind_long_int,
    kind_two_int, kind_short_int, kind_long_double_int,
};

struct potluck_type {
    enum kind kind;
    const char *name;
    size_t bytes;  // that a value has in a message
    MPI_Aint lower, extent;
    MPI_Aint low, high;  // the bounds of its pieces
    int count;
    const struct piece *pieces;
    int parts;  // the number of basic values
    struct attribute *attributes;
};

struct potluck_op {
    MPI_User_function *function;
    const char *name;  // of a predefined one
    bool (*combine)(enum kind kind, const void *in, void *inout, int count);
};

// Errors. Each returns the code if the communicator's handler wants it returned, and ends the program otherwise.

int potluck_fail(MPI_Comm comm, int class, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int potluck_check(const char *call, MPI_Comm comm);
int potluck_check_root(const char *call, MPI_Comm comm, int root);
int potluck_check_values(const char *call, MPI_Comm comm, const void *buffer, int count, MPI_Datatype type);
int potluck_check_message(const char *call, MPI_Comm comm, const void *buffer, int count, MPI_Datatype type, int peer,
                          int tag, bool isReceived);
void *potluck_memory(size_t bytes);

// Leaves the function with the error, if there is one.
#define TRY(expression) \
    do { \
        int error_ = (expression); \
        if (error_) return error_; \
    } while (0)

// Attributes of communicators, windows and types.

struct attribute;
int potluck_copy_attributes(void *from, struct attribute *attributes, struct attribute **copy);
int potluck_drop_attributes(void *object, struct attribute **attributes);
int potluck_set_attribute(void *object, struct attribute **attributes, int key, void *value);
bool potluck_get_attribute(const struct attribute *attributes, int key, void *value);
int potluck_drop_attribute(void *object, struct attribute **attributes, int key);

// Values and bytes.

// A stretch of bytes that grows.
struct bytes {
    char *at;
    size_t used, room;
};
void *potluck_grow(struct bytes *bytes, size_t count);

extern const char potluck_unnamed[];  // the name of a type that has none
MPI_Datatype potluck_basic(enum kind kind);
bool potluck_is_plain(MPI_Datatype type);
size_t potluck_pack(const void *from, int count, MPI_Datatype type, void *to);
void potluck_unpack(const void *from, size_t bytes, void *to, int count, MPI_Datatype type);
void *potluck_room(int count, MPI_Datatype type, void **memory);
void potluck_copy(const void *from, int fromCount, MPI_Datatype fromType, void *to, int count, MPI_Datatype type);

// Messages of collective calls. Their tag says which call they belong to. A rank that receives one with another tag knows
// that some rank made another call.

enum call {
    call_barrier, call_broadcast, call_scatter, call_gather, call_all_gather, call_all_to_all, call_reduce, call_scan,
    call_all_reduce, call_reduce_scatter, call_new_comm, call_neighbour_gather, call_neighbour_exchange, calls,
};
int potluck_context(MPI_Comm comm, enum channel channel);
int potluck_source(MPI_Comm comm, int world);
void potluck_give(MPI_Comm comm, enum call call, int to, const void *buffer, int count, MPI_Datatype type);
void potluck_take(MPI_Comm comm, enum call call, int from, void *buffer, int count, MPI_Datatype type);
void potluck_check_taken(enum call call, int from, const int *found, size_t capacity);
void potluck_broadcast(MPI_Comm comm, enum call call, void *buffer, int count, MPI_Datatype type, int root);
// Combines the values of all ranks in rank order; the result is in `values` of rank 0.
void potluck_reduce_to_first(MPI_Comm comm, enum call call, void *values, int count, MPI_Datatype type, MPI_Op op);
// Combines values of the first ranks in rank order, with the bits of a reduction over as many.
void potluck_fold(int ranks, void *const values[], void *result, int count, MPI_Datatype type, MPI_Op op);
// inout = in op inout
void potluck_combine(MPI_Op op, const void *in, void *inout, int count, MPI_Datatype type);
int potluck_check_op(const char *call, MPI_Comm comm, MPI_Op op, MPI_Datatype type);

// Collective calls that do not block. All their messages begin when the call is made, so no rank has to come back for
// another one to go on. `finish` gets `state` when they have arrived. `way` tells messages of one call and rank apart.

MPI_Request potluck_later(MPI_Comm comm, enum call call, int most, void (*finish)(void *), void *state);
void potluck_later_give(MPI_Request request, int to, int way, const void *buffer, int count, MPI_Datatype type);
void potluck_later_take(MPI_Request request, int from, int way, void *buffer, int count, MPI_Datatype type);
void potluck_later_ready(MPI_Request request);
// A request that is complete when it is made.
MPI_Request potluck_done(size_t bytes);

// Files.

int potluck_exchange_all_writes(MPI_Comm comm);
void potluck_tell_lost_files(void);

// The ranks that a communicator's topology gives each rank as neighbours.

struct neighbours {
    int inCount, outCount;
    int *in, *out;
    bool isGrid;
};
int potluck_topology(MPI_Comm comm);
int potluck_neighbours(const char *call, MPI_Comm comm, struct neighbours *found);
void potluck_forget_neighbours(struct neighbours *found);

// Communicators.

void potluck_begin(void);
MPI_Comm potluck_new_comm(MPI_Comm parent, int number, int size, int rank, int *members);
int potluck_next_number(MPI_Comm comm);
void potluck_state(bool *isInitialized, bool *isFinalized);

#endif
