// What ranks order of another one's memory: puts, gets and accumulations.

#include <stdlib.h>
#include <string.h>

#include "window.h"

enum deed { deed_put, deed_get, deed_accumulate, deed_fetch, deed_swap };

// The head of an order. Its pieces and its data follow, each aligned.
struct order {
    enum deed deed;
    int pieces, count;
    enum kind kind;  // of an accumulation
    MPI_Op op;       // predefined, and so at the same place in all ranks
    size_t bytes;    // of the data
};
enum { alignment = 16 };

void *potluck_grow(struct bytes *bytes, size_t count) {
    if (bytes->used + count > bytes->room) {
        size_t room = 2 * (bytes->used + count);
        char *more = realloc(bytes->at, room);
        if (!more) potluck_fail(0, MPI_ERR_OTHER, "MPI", "no memory for %zu bytes", room);
        bytes->at = more;
        bytes->room = room;
    }
    void *new = bytes->at + bytes->used;
    bytes->used += count;
    return new;
}

static size_t aligned(size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

static int order(const char *call, enum deed deed, const void *data, size_t bytes, int rank, MPI_Aint place, int count,
                 MPI_Datatype type, MPI_Op op, MPI_Win win) {
    struct target *target = &win->targets[rank];
    bool isPlain = potluck_is_plain(type), isDynamic = win->flavor == MPI_WIN_FLAVOR_DYNAMIC;
    MPI_Aint start = place * target->unit, end = start;
    MPI_Aint first = start;
    for (int i = 0; i < count && type->bytes > 0; i++) {
        MPI_Aint low = start + i * type->extent + type->low, high = start + i * type->extent + type->high;
        first = low < first ? low : first;
        end = high > end ? high : end;
    }
    if (!isDynamic && count > 0 && (first < 0 || end > target->bytes)) {
        return potluck_fail(win->comm, MPI_ERR_RMA_RANGE, call, "rank %d has %ld bytes in the window, and bytes %ld to %ld are "
                            "wanted", rank, target->bytes, first, end - 1);
    }
    int pieces = isPlain ? 1 : count * type->count;
    struct order *made = potluck_grow(&target->orders, aligned(sizeof *made));
    *made = (struct order){deed, pieces, count, type->kind, op, bytes};
    struct piece *piece = potluck_grow(&target->orders, aligned(pieces * sizeof *piece));
    if (isPlain) *piece = (struct piece){start, count * type->bytes};
    for (int i = 0; i < count && !isPlain; i++) {
        for (int p = 0; p < type->count; p++) {
            *piece++ = (struct piece){start + i * type->extent + type->pieces[p].place, type->pieces[p].bytes};
        }
    }
    char *copy = potluck_grow(&target->orders, aligned(bytes));
    if (bytes > 0) memcpy(copy, data, bytes);
    return MPI_SUCCESS;
}

// An order with values, as they travel.
static int order_values(const char *call, enum deed deed, const void *from, int count, MPI_Datatype type, int rank,
                        MPI_Aint place, int otherCount, MPI_Datatype other, MPI_Op op, MPI_Win win) {
    size_t bytes = count * type->bytes;
    char *packed = potluck_memory(bytes);
    potluck_pack(from, count, type, packed);
    int error = order(call, deed, packed, bytes, rank, place, otherCount, other, op, win);
    free(packed);
    return error;
}

static void want(struct target *target, void *buffer, int count, MPI_Datatype type) {
    struct wanted *made = potluck_memory(sizeof *made);
    *made = (struct wanted){buffer, count, type, 0};
    *target->last = made;
    target->last = &made->next;
    target->answer += count * type->bytes;
}

void potluck_settle(struct target *target, const char *answer) {
    while (target->first) {
        struct wanted *done = target->first;
        size_t bytes = done->count * done->type->bytes;
        potluck_unpack(answer, bytes, done->buffer, done->count, done->type);
        answer += bytes;
        target->first = done->next;
        free(done);
    }
    target->last = &target->first;
    target->answer = 0;
    target->orders.used = 0;
}

// The bytes of a piece in this rank's memory.
static char *place_of(MPI_Win win, int origin, struct piece piece) {
    if (win->flavor != MPI_WIN_FLAVOR_DYNAMIC) return win->base + piece.place;
    char *at = (char *)piece.place;
    for (struct region *region = win->regions; region; region = region->next) {
        if (at >= region->at && at + piece.bytes <= region->at + region->bytes) return at;
    }
    potluck_fail(0, MPI_ERR_RMA_RANGE, "MPI_Win_attach", "rank %d wants %zu bytes of memory that is not attached", origin,
                 piece.bytes);
    return 0;
}

static void read_pieces(MPI_Win win, int origin, const struct order *order, const struct piece *pieces, char *to) {
    for (int p = 0; p < order->pieces; p++) {
        memcpy(to, place_of(win, origin, pieces[p]), pieces[p].bytes);
        to += pieces[p].bytes;
    }
}

static void write_pieces(MPI_Win win, int origin, const struct order *order, const struct piece *pieces, const char *from) {
    for (int p = 0; p < order->pieces; p++) {
        memcpy(place_of(win, origin, pieces[p]), from, pieces[p].bytes);
        from += pieces[p].bytes;
    }
}

static size_t total(const struct order *order, const struct piece *pieces) {
    size_t bytes = 0;
    for (int p = 0; p < order->pieces; p++) bytes += pieces[p].bytes;
    return bytes;
}

// Combines the values in this rank's memory with those of the order.
static void accumulate(MPI_Win win, int origin, const struct order *order, const struct piece *pieces, const char *data) {
    if (order->op == MPI_NO_OP) return;
    if (order->op == MPI_REPLACE) {
        write_pieces(win, origin, order, pieces, data);
        return;
    }
    MPI_Datatype type = potluck_basic(order->kind);
    size_t bytes = order->count * type->bytes;
    char *packed = potluck_memory(bytes);
    void *memory[2], *given = potluck_room(order->count, type, &memory[0]);
    void *here = potluck_room(order->count, type, &memory[1]);
    read_pieces(win, origin, order, pieces, packed);
    potluck_unpack(packed, bytes, here, order->count, type);
    potluck_unpack(data, bytes, given, order->count, type);
    potluck_combine(order->op, here, given, order->count, type);
    potluck_pack(given, order->count, type, packed);
    write_pieces(win, origin, order, pieces, packed);
    free(packed);
    free(memory[0]);
    free(memory[1]);
}

void potluck_obey(MPI_Win win, int origin, const char *orders, size_t bytes, struct bytes *answer) {
    const char *end = orders + bytes;
    while (orders < end) {
        const struct order *order = (const struct order *)orders;
        const struct piece *pieces = (const struct piece *)(orders + aligned(sizeof *order));
        const char *data = (const char *)pieces + aligned(order->pieces * sizeof *pieces);
        size_t length = total(order, pieces);
        char *old = 0;
        if (order->deed != deed_put && order->deed != deed_accumulate) {
            old = potluck_grow(answer, length);
            read_pieces(win, origin, order, pieces, old);
        }
        if (order->deed == deed_put) write_pieces(win, origin, order, pieces, data);
        if (order->deed == deed_accumulate || order->deed == deed_fetch) accumulate(win, origin, order, pieces, data);
        // The value to compare with comes first.
        if (order->deed == deed_swap && memcmp(old, data, length) == 0) {
            write_pieces(win, origin, order, pieces, data + length);
        }
        orders = data + aligned(order->bytes);
    }
}

static int check(const char *call, MPI_Win win, const void *buffer, int count, MPI_Datatype type, int rank, int otherCount,
                 MPI_Datatype other) {
    if (!win) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_WIN, call, "the window is MPI_WIN_NULL");
    TRY(potluck_check(call, win->comm));
    TRY(potluck_check_values(call, win->comm, buffer, count, type));
    TRY(potluck_check_values(call, win->comm, win, otherCount, other));
    if (rank != MPI_PROC_NULL) TRY(potluck_check_root(call, win->comm, rank));
    if (count * type->bytes == otherCount * other->bytes) return MPI_SUCCESS;
    return potluck_fail(win->comm, MPI_ERR_TRUNCATE, call, "the values here have %zu bytes, and those of rank %d %zu",
                        count * type->bytes, rank, otherCount * other->bytes);
}

static int check_op(const char *call, MPI_Win win, MPI_Op op, MPI_Datatype type) {
    if (!op) return potluck_fail(win->comm, MPI_ERR_OP, call, "the operation is MPI_OP_NULL");
    if (op == MPI_REPLACE || op == MPI_NO_OP) return MPI_SUCCESS;
    if (op->function) return potluck_fail(win->comm, MPI_ERR_OP, call, "it combines with predefined operations only");
    return potluck_check_op(call, win->comm, op, type);
}

int MPI_Put(const void *from, int count, MPI_Datatype type, int rank, MPI_Aint place, int otherCount, MPI_Datatype other,
            MPI_Win win) {
    TRY(check(__func__, win, from, count, type, rank, otherCount, other));
    if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
    return order_values(__func__, deed_put, from, count, type, rank, place, otherCount, other, 0, win);
}

int MPI_Get(void *to, int count, MPI_Datatype type, int rank, MPI_Aint place, int otherCount, MPI_Datatype other,
            MPI_Win win) {
    TRY(check(__func__, win, to, count, type, rank, otherCount, other));
    if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
    TRY(order(__func__, deed_get, 0, 0, rank, place, otherCount, other, 0, win));
    want(&win->targets[rank], to, count, type);
    return MPI_SUCCESS;
}

int MPI_Accumulate(const void *from, int count, MPI_Datatype type, int rank, MPI_Aint place, int otherCount,
                   MPI_Datatype other, MPI_Op op, MPI_Win win) {
    TRY(check(__func__, win, from, count, type, rank, otherCount, other));
    TRY(check_op(__func__, win, op, other));
    if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
    return order_values(__func__, deed_accumulate, from, count, type, rank, place, otherCount, other, op, win);
}

int MPI_Get_accumulate(const void *from, int count, MPI_Datatype type, void *to, int resultCount, MPI_Datatype result,
                       int rank, MPI_Aint place, int otherCount, MPI_Datatype other, MPI_Op op, MPI_Win win) {
    // Nothing is given to a call that only reads.
    if (op == MPI_NO_OP) {
        from = to;
        count = resultCount;
        type = result;
    }
    TRY(check(__func__, win, from, count, type, rank, otherCount, other));
    TRY(check(__func__, win, to, resultCount, result, rank, otherCount, other));
    TRY(check_op(__func__, win, op, other));
    if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
    TRY(order_values(__func__, deed_fetch, from, count, type, rank, place, otherCount, other, op, win));
    want(&win->targets[rank], to, resultCount, result);
    return MPI_SUCCESS;
}

int MPI_Fetch_and_op(const void *from, void *to, MPI_Datatype type, int rank, MPI_Aint place, MPI_Op op, MPI_Win win) {
    return MPI_Get_accumulate(from, 1, type, to, 1, type, rank, place, 1, type, op, win);
}

int MPI_Compare_and_swap(const void *from, const void *compared, void *to, MPI_Datatype type, int rank, MPI_Aint place,
                         MPI_Win win) {
    TRY(check(__func__, win, from, 1, type, rank, 1, type));
    TRY(check(__func__, win, compared, 1, type, rank, 1, type));
    if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
    char *packed = potluck_memory(2 * type->bytes);
    potluck_pack(compared, 1, type, packed);
    potluck_pack(from, 1, type, packed + type->bytes);
    int error = order(__func__, deed_swap, packed, 2 * type->bytes, rank, place, 1, type, 0, win);
    free(packed);
    TRY(error);
    want(&win->targets[rank], to, 1, type);
    return MPI_SUCCESS;
}
