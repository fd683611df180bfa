// Operations of reductions: inout = in op inout. `in` has the values of lower ranks.

#include <stdlib.h>

#include "inside.h"

#define INTEGERS(CASE) \
    CASE(char, char) CASE(signed_char, signed char) CASE(unsigned_char, unsigned char) CASE(short, short) \
    CASE(unsigned_short, unsigned short) CASE(int, int) CASE(unsigned, unsigned) CASE(long, long) \
    CASE(unsigned_long, unsigned long) CASE(long_long, long long) CASE(unsigned_long_long, unsigned long long)
#define REALS(CASE) CASE(float, float) CASE(double, double) CASE(long_double, long double)
#define COMPLEX(CASE) CASE(float_complex, float _Complex) CASE(double_complex, double _Complex) \
    CASE(long_double_complex, long double _Complex)
#define LOGICAL(CASE) INTEGERS(CASE) CASE(logical, bool)
#define BITS(CASE) INTEGERS(CASE) CASE(byte, unsigned char)

// A function that combines values of the listed kinds by an expression of a and b.
#define OPERATION(name, kinds, CASE) \
    static bool combine_##name(enum kind kind, const void *in, void *inout, int count) { \
        switch (kind) { \
            kinds(CASE) \
            default: return false; \
        } \
        return true; \
    }
#define EACH(symbol, type, expression) \
    case kind_##symbol: { \
        const type *left = in; \
        type *right = inout; \
        for (int i = 0; i < count; i++) { \
            type a = left[i], b = right[i]; \
            right[i] = (expression); \
        } \
        break; \
    }

#define NUMBERS(CASE) INTEGERS(CASE) REALS(CASE)
#define ALL_NUMBERS(CASE) NUMBERS(CASE) COMPLEX(CASE)
#define LARGER(symbol, type) EACH(symbol, type, b > a ? b : a)
#define SMALLER(symbol, type) EACH(symbol, type, b < a ? b : a)
#define PLUS(symbol, type) EACH(symbol, type, a + b)
#define TIMES(symbol, type) EACH(symbol, type, a * b)
#define BOTH(symbol, type) EACH(symbol, type, a && b)
#define EITHER(symbol, type) EACH(symbol, type, a || b)
#define ONE(symbol, type) EACH(symbol, type, !a != !b)
#define BITS_OF_BOTH(symbol, type) EACH(symbol, type, a & b)
#define BITS_OF_EITHER(symbol, type) EACH(symbol, type, a | b)
#define BITS_OF_ONE(symbol, type) EACH(symbol, type, a ^ b)

OPERATION(max, NUMBERS, LARGER)
OPERATION(min, NUMBERS, SMALLER)
OPERATION(sum, ALL_NUMBERS, PLUS)
OPERATION(prod, ALL_NUMBERS, TIMES)
OPERATION(land, LOGICAL, BOTH)
OPERATION(lor, LOGICAL, EITHER)
OPERATION(lxor, LOGICAL, ONE)
OPERATION(band, BITS, BITS_OF_BOTH)
OPERATION(bor, BITS, BITS_OF_EITHER)
OPERATION(bxor, BITS, BITS_OF_ONE)

// Pairs of a value and a place. Of equal values the lower place counts.
#define PAIRS(CASE) \
    CASE(float_int, float) CASE(double_int, double) CASE(long_int, long) CASE(two_int, int) CASE(short_int, short) \
    CASE(long_double_int, long double)
#define EACH_PAIR(symbol, type, sign) \
    case kind_##symbol: { \
        struct pair { type value; int place; } *right = inout; \
        const struct pair *left = in; \
        for (int i = 0; i < count; i++) { \
            bool isEqual = left[i].value == right[i].value; \
            if (isEqual ? left[i].place < right[i].place : left[i].value sign right[i].value) right[i] = left[i]; \
        } \
        break; \
    }
#define LARGEST(symbol, type) EACH_PAIR(symbol, type, >)
#define SMALLEST(symbol, type) EACH_PAIR(symbol, type, <)

OPERATION(maxloc, PAIRS, LARGEST)
OPERATION(minloc, PAIRS, SMALLEST)

#define PREDEFINED(symbol, constant) struct potluck_op potluck_##symbol = {0, constant, combine_##symbol};

PREDEFINED(max, "MPI_MAX")
PREDEFINED(min, "MPI_MIN")
PREDEFINED(sum, "MPI_SUM")
PREDEFINED(prod, "MPI_PROD")
PREDEFINED(land, "MPI_LAND")
PREDEFINED(lor, "MPI_LOR")
PREDEFINED(lxor, "MPI_LXOR")
PREDEFINED(band, "MPI_BAND")
PREDEFINED(bor, "MPI_BOR")
PREDEFINED(bxor, "MPI_BXOR")
PREDEFINED(maxloc, "MPI_MAXLOC")
PREDEFINED(minloc, "MPI_MINLOC")

// These are for windows only.
static bool combine_nothing(enum kind kind, const void *in, void *inout, int count) {
    (void)kind, (void)in, (void)inout, (void)count;
    return false;
}
struct potluck_op potluck_replace = {0, "MPI_REPLACE", combine_nothing};
struct potluck_op potluck_no_op = {0, "MPI_NO_OP", combine_nothing};

void potluck_combine(MPI_Op op, const void *in, void *inout, int count, MPI_Datatype type) {
    if (op->function) {
        op->function((void *)in, inout, &count, &type);
    } else {
        op->combine(type->kind, in, inout, count);
    }
}

int potluck_check_op(const char *call, MPI_Comm comm, MPI_Op op, MPI_Datatype type) {
    if (!op) return potluck_fail(comm, MPI_ERR_OP, call, "the operation is MPI_OP_NULL");
    if (!type) return potluck_fail(comm, MPI_ERR_TYPE, call, "the type is MPI_DATATYPE_NULL");
    if (!op->function && !op->combine(type->kind, 0, 0, 0)) {
        return potluck_fail(comm, MPI_ERR_OP, call, "%s does not combine values of %s", op->name, type->name);
    }
    return MPI_SUCCESS;
}

// Values are combined in rank order in any case, so it does not matter whether the operation commutes.
int MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op) {
    (void)commutes;
    *op = potluck_memory(sizeof **op);
    **op = (struct potluck_op){function, "an operation", 0};
    return MPI_SUCCESS;
}

int MPI_Op_free(MPI_Op *op) {
    free(*op);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

int MPI_Reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op) {
    TRY(potluck_check_op(__func__, MPI_COMM_WORLD, op, type));
    potluck_combine(op, in, inout, count, type);
    return MPI_SUCCESS;
}
