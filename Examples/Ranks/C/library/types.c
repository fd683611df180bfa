// Types of values. Each is a list of the stretches of memory that a value has.

#include <stdlib.h>
#include <string.h>

#include "inside.h"

struct float_int { float value; int place; };
struct double_int { double value; int place; };
struct long_int { long value; int place; };
struct short_int { short value; int place; };
struct long_double_int { long double value; int place; };

#define PLAIN(symbol, constant, type) \
    struct potluck_type potluck_##symbol = { \
        kind_##symbol, constant, sizeof(type), 0, sizeof(type), 0, sizeof(type), 1, \
        (const struct piece[]){{0, sizeof(type)}}, 1, \
    };
// A value and a place; between and behind them there may be padding, which does not travel.
#define PAIR(symbol, constant, type, first) \
    struct potluck_type potluck_##symbol = { \
        kind_##symbol, constant, sizeof(first) + sizeof(int), 0, sizeof(type), 0, offsetof(type, place) + sizeof(int), 2, \
        (const struct piece[]){{0, sizeof(first)}, {offsetof(type, place), sizeof(int)}}, 2, \
    };

PLAIN(char, "MPI_CHAR", char)
PLAIN(signed_char, "MPI_SIGNED_CHAR", signed char)
PLAIN(unsigned_char, "MPI_UNSIGNED_CHAR", unsigned char)
PLAIN(byte, "MPI_BYTE", char)
PLAIN(short, "MPI_SHORT", short)
PLAIN(unsigned_short, "MPI_UNSIGNED_SHORT", unsigned short)
PLAIN(int, "MPI_INT", int)
PLAIN(unsigned, "MPI_UNSIGNED", unsigned)
PLAIN(long, "MPI_LONG", long)
PLAIN(unsigned_long, "MPI_UNSIGNED_LONG", unsigned long)
PLAIN(long_long, "MPI_LONG_LONG", long long)
PLAIN(unsigned_long_long, "MPI_UNSIGNED_LONG_LONG", unsigned long long)
PLAIN(float, "MPI_FLOAT", float)
PLAIN(double, "MPI_DOUBLE", double)
PLAIN(long_double, "MPI_LONG_DOUBLE", long double)
PLAIN(logical, "MPI_C_BOOL", bool)
PLAIN(float_complex, "MPI_C_FLOAT_COMPLEX", float _Complex)
PLAIN(double_complex, "MPI_C_DOUBLE_COMPLEX", double _Complex)
PLAIN(long_double_complex, "MPI_C_LONG_DOUBLE_COMPLEX", long double _Complex)
PLAIN(two_int, "MPI_2INT", int[2])
PAIR(float_int, "MPI_FLOAT_INT", struct float_int, float)
PAIR(double_int, "MPI_DOUBLE_INT", struct double_int, double)
PAIR(long_int, "MPI_LONG_INT", struct long_int, long)
PAIR(short_int, "MPI_SHORT_INT", struct short_int, short)
PAIR(long_double_int, "MPI_LONG_DOUBLE_INT", struct long_double_int, long double)
struct potluck_type potluck_packed = {
    kind_byte, "MPI_PACKED", 1, 0, 1, 0, 1, 1, (const struct piece[]){{0, 1}}, 1,
};

// The predefined type of a kind.
MPI_Datatype potluck_basic(enum kind kind) {
    static const MPI_Datatype all[] = {
        MPI_CHAR, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_BYTE, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_INT, MPI_UNSIGNED,
        MPI_LONG, MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE,
        MPI_C_BOOL, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_FLOAT_INT, MPI_DOUBLE_INT,
        MPI_LONG_INT, MPI_2INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT,
    };
    return all[kind - kind_char];
}

// The values of such a type lie in memory as they travel.
bool potluck_is_plain(MPI_Datatype type) {
    return type->count == 0 || (type->count == 1 && type->pieces->place == 0 && type->extent == (MPI_Aint)type->bytes);
}

size_t potluck_pack(const void *from, int count, MPI_Datatype type, void *to) {
    if (potluck_is_plain(type)) {
        memcpy(to, from, count * type->bytes);
        return count * type->bytes;
    }
    char *next = to;
    for (int i = 0; i < count; i++) {
        const char *value = (const char *)from + i * type->extent;
        for (int p = 0; p < type->count; p++) {
            memcpy(next, value + type->pieces[p].place, type->pieces[p].bytes);
            next += type->pieces[p].bytes;
        }
    }
    return next - (char *)to;
}

// There may be fewer bytes than values.
void potluck_unpack(const void *from, size_t bytes, void *to, int count, MPI_Datatype type) {
    if (potluck_is_plain(type)) {
        size_t wanted = count * type->bytes;
        memcpy(to, from, wanted < bytes ? wanted : bytes);
        return;
    }
    const char *next = from;
    for (int i = 0; i < count && bytes > 0; i++) {
        char *value = (char *)to + i * type->extent;
        for (int p = 0; p < type->count && bytes > 0; p++) {
            size_t part = type->pieces[p].bytes < bytes ? type->pieces[p].bytes : bytes;
            memcpy(value + type->pieces[p].place, next, part);
            next += part;
            bytes -= part;
        }
    }
}

// Room for values of a type. Returns where the first one begins; `memory` is to be freed.
void *potluck_room(int count, MPI_Datatype type, void **memory) {
    size_t bytes = count > 0 ? type->high - type->low + (count - 1) * type->extent : 0;
    *memory = potluck_memory(bytes);
    memset(*memory, 0, bytes);
    return (char *)*memory - type->low;
}

void potluck_copy(const void *from, int fromCount, MPI_Datatype fromType, void *to, int count, MPI_Datatype type) {
    size_t bytes = fromCount * fromType->bytes;
    if (potluck_is_plain(fromType) && potluck_is_plain(type)) {
        memmove(to, from, bytes);
        return;
    }
    void *packed = potluck_memory(bytes);
    potluck_pack(from, fromCount, fromType, packed);
    potluck_unpack(packed, bytes, to, count, type);
    free(packed);
}

// A type under construction: values of other types at places.
struct draft {
    struct potluck_type type;
    struct piece *pieces;
    int room;
    bool isEmpty;
};

const char potluck_unnamed[] = "a derived type";

static struct draft draft(void) {
    struct draft made = {.type = {.kind = derived, .name = potluck_unnamed}, .isEmpty = true};
    return made;
}

static void append(struct draft *draft, struct piece piece) {
    if (piece.bytes == 0) return;
    struct potluck_type *type = &draft->type;
    if (type->count > 0) {
        struct piece *last = &draft->pieces[type->count - 1];
        if (last->place + (MPI_Aint)last->bytes == piece.place) {
            last->bytes += piece.bytes;
            return;
        }
    }
    if (type->count == draft->room) {
        draft->room = draft->room ? 2 * draft->room : 4;
        draft->pieces = realloc(draft->pieces, draft->room * sizeof piece);
        if (!draft->pieces) potluck_fail(0, MPI_ERR_OTHER, "MPI_Type", "no memory for %d pieces", draft->room);
    }
    draft->pieces[type->count++] = piece;
}

static MPI_Aint least(MPI_Aint a, MPI_Aint b) { return a < b ? a : b; }
static MPI_Aint most(MPI_Aint a, MPI_Aint b) { return a > b ? a : b; }

static void add(struct draft *draft, MPI_Datatype part, int count, MPI_Aint place) {
    struct potluck_type *type = &draft->type;
    for (int i = 0; i < count; i++, place += part->extent) {
        for (int p = 0; p < part->count; p++) {
            append(draft, (struct piece){part->pieces[p].place + place, part->pieces[p].bytes});
        }
        MPI_Aint end = most(type->lower + type->extent, part->lower + part->extent + place);
        bool isFirst = draft->isEmpty;
        type->lower = isFirst ? part->lower + place : least(type->lower, part->lower + place);
        type->extent = isFirst ? part->extent : end - type->lower;
        type->low = isFirst ? part->low + place : least(type->low, part->low + place);
        type->high = isFirst ? part->high + place : most(type->high, part->high + place);
        type->bytes += part->bytes;
        type->parts += part->parts;
        draft->isEmpty = false;
    }
}

static int give(struct draft draft, MPI_Datatype *made) {
    *made = potluck_memory(sizeof **made);
    **made = draft.type;
    (*made)->pieces = draft.pieces;
    return MPI_SUCCESS;
}

static int check(const char *call, int count, MPI_Datatype type) {
    if (count < 0) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_COUNT, call, "the count %d is negative", count);
    if (!type) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_TYPE, call, "the type is MPI_DATATYPE_NULL");
    return MPI_SUCCESS;
}

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *made) {
    TRY(check(__func__, count, type));
    struct draft new = draft();
    add(&new, type, count, 0);
    return give(new, made);
}

int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype *made) {
    TRY(check(__func__, count, type));
    struct draft new = draft();
    for (int i = 0; i < count; i++) add(&new, type, length, i * stride);
    return give(new, made);
}

int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype *made) {
    TRY(check(__func__, count, type));
    return MPI_Type_create_hvector(count, length, stride * type->extent, type, made);
}

int MPI_Type_indexed(int count, const int lengths[], const int places[], MPI_Datatype type, MPI_Datatype *made) {
    TRY(check(__func__, count, type));
    struct draft new = draft();
    for (int i = 0; i < count; i++) add(&new, type, lengths[i], places[i] * type->extent);
    return give(new, made);
}

int MPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint places[], MPI_Datatype type,
                             MPI_Datatype *made) {
    TRY(check(__func__, count, type));
    struct draft new = draft();
    for (int i = 0; i < count; i++) add(&new, type, lengths[i], places[i]);
    return give(new, made);
}

int MPI_Type_create_indexed_block(int count, int length, const int places[], MPI_Datatype type, MPI_Datatype *made) {
    TRY(check(__func__, count, type));
    struct draft new = draft();
    for (int i = 0; i < count; i++) add(&new, type, length, places[i] * type->extent);
    return give(new, made);
}

int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint places[], MPI_Datatype type,
                                   MPI_Datatype *made) {
    TRY(check(__func__, count, type));
    struct draft new = draft();
    for (int i = 0; i < count; i++) add(&new, type, length, places[i]);
    return give(new, made);
}

// The extent ends where the next struct of an array of C begins.
int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint places[], const MPI_Datatype types[],
                           MPI_Datatype *made) {
    struct draft new = draft();
    size_t alignment = 1;
    for (int i = 0; i < count; i++) {
        TRY(check(__func__, lengths[i], types[i]));
        add(&new, types[i], lengths[i], places[i]);
        size_t own = types[i]->kind == derived ? 1 : types[i]->pieces->bytes;
        if (own > alignment) alignment = own > 16 ? 16 : own;
    }
    size_t rest = new.type.extent % alignment;
    if (rest > 0) new.type.extent += alignment - rest;
    return give(new, made);
}

int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent, MPI_Datatype *made) {
    TRY(check(__func__, 0, type));
    struct draft new = draft();
    add(&new, type, 1, 0);
    new.type.lower = lower;
    new.type.extent = extent;
    return give(new, made);
}

int MPI_Type_create_subarray(int dimensions, const int sizes[], const int parts[], const int starts[], int order,
                             MPI_Datatype type, MPI_Datatype *made) {
    TRY(check(__func__, 0, type));
    // From the dimension whose neighbours are adjacent in memory to the one that strides farthest.
    MPI_Datatype now;
    MPI_Aint stride = type->extent, start = 0;
    TRY(MPI_Type_dup(type, &now));
    for (int i = 0; i < dimensions; i++) {
        int d = order == MPI_ORDER_C ? dimensions - 1 - i : i;
        TRY(MPI_Type_create_hvector(parts[d], 1, stride, now, &now));
        start += starts[d] * stride;
        stride *= sizes[d];
    }
    struct draft new = draft();
    add(&new, now, 1, start);
    new.type.lower = 0;
    new.type.extent = stride;
    return give(new, made);
}

int MPI_Type_dup(MPI_Datatype type, MPI_Datatype *made) {
    TRY(check(__func__, 0, type));
    *made = potluck_memory(sizeof **made);
    **made = *type;
    (*made)->attributes = 0;
    return potluck_copy_attributes(type, type->attributes, &(*made)->attributes);
}

int MPI_Type_commit(MPI_Datatype *type) { return check(__func__, 0, *type); }

// A request under way may still need the type, so it stays in memory. It is small.
int MPI_Type_free(MPI_Datatype *type) {
    TRY(check(__func__, 0, *type));
    TRY(potluck_drop_attributes(*type, &(*type)->attributes));
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int MPI_Type_size(MPI_Datatype type, int *bytes) {
    TRY(check(__func__, 0, type));
    *bytes = type->bytes;
    return MPI_SUCCESS;
}

int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) {
    TRY(check(__func__, 0, type));
    *lower = type->lower;
    *extent = type->extent;
    return MPI_SUCCESS;
}

int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent) {
    MPI_Aint lower;
    return MPI_Type_get_extent(type, &lower, extent);
}

int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent) {
    TRY(check(__func__, 0, type));
    *lower = type->low;
    *extent = type->high - type->low;
    return MPI_SUCCESS;
}

int MPI_Get_address(const void *place, MPI_Aint *address) {
    *address = (MPI_Aint)place;
    return MPI_SUCCESS;
}

MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint distance) { return base + distance; }
MPI_Aint MPI_Aint_diff(MPI_Aint first, MPI_Aint second) { return first - second; }

int MPI_Pack(const void *from, int count, MPI_Datatype type, void *packed, int bytes, int *place, MPI_Comm comm) {
    TRY(potluck_check_values(__func__, comm, from, count, type));
    if (count * type->bytes + *place > (size_t)bytes) {
        return potluck_fail(comm, MPI_ERR_TRUNCATE, __func__, "%d bytes are too few", bytes);
    }
    *place += potluck_pack(from, count, type, (char *)packed + *place);
    return MPI_SUCCESS;
}

int MPI_Unpack(const void *packed, int bytes, int *place, void *to, int count, MPI_Datatype type, MPI_Comm comm) {
    TRY(potluck_check_values(__func__, comm, to, count, type));
    size_t wanted = count * type->bytes;
    if (wanted + *place > (size_t)bytes) {
        return potluck_fail(comm, MPI_ERR_TRUNCATE, __func__, "%d bytes are too few", bytes);
    }
    potluck_unpack((const char *)packed + *place, wanted, to, count, type);
    *place += wanted;
    return MPI_SUCCESS;
}

int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *bytes) {
    TRY(potluck_check_values(__func__, comm, comm, count, type));
    *bytes = count * type->bytes;
    return MPI_SUCCESS;
}
