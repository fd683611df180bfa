// The functions that the module exports, and their records (docs/PLUGINS.md).

#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

typedef unsigned long long slot;
#define EXPORT(name) __attribute__((export_name(#name))) name

// The numbers of the interface.
enum { interface = 2, ranks = 5, ready = 0, wrong_count = 1 };
enum { unknown_fault = 0, stopped = 3 };

static int fault = unknown_fault;
static slot answer[64];
static size_t used;
// The length of a number as text: 17 digits, a sign, a point, an exponent and a space.
enum { longest_number = 32 };

unsigned long long potluck_seed;
int potluck_argument_count;
char **potluck_arguments;
const char *potluck_input = "";
size_t potluck_input_bytes;

extern void __wasm_call_ctors(void);
extern void __wasm_call_dtors(void);
extern int __main_void(void);

static void put(slot number) { answer[used++] = number; }

static void put_text(const char *text) {
    size_t length = strlen(text), slots = (length + 7) / 8;
    put(length);
    memset(&answer[used], 0, slots * sizeof(slot));
    memcpy(&answer[used], text, length);
    used += slots;
}

static slot give(void) { return (slot)(size_t)answer << 32 | used * sizeof(slot); }

int EXPORT(potluck_abi)(void) { return interface; }

int EXPORT(potluck_fault)(void) { return fault; }

void potluck_stop(void) {
    fault = stopped;
    __builtin_trap();
}

void *EXPORT(potluck_alloc)(size_t bytes) {
    static void *request;
    free(request);
    return request = aligned_alloc(16, (bytes + 16) & ~(size_t)15);
}

slot EXPORT(potluck_describe)(void) {
    used = 0;
    put(ranks);
    put(0);  // random numbers of its own
    put_text(potluck_name);
    put_text("An MPI program in C");
    put_text(potluck_hash);
    put(0);  // parameters
    put(0);  // fields
    put(0);  // readings
    put(1);  // inputs
    put_text("stdin");
    put_text("the numbers that rank 0 reads from its standard input");
    return give();
}

// Writes the rows of a table as text, for scanf.
static void take_input(const slot *given) {
    slot rows = given[0], columns = given[1];
    size_t count = rows * columns;
    const double *values = (const double *)(given + 2);
    char *text = malloc(count * longest_number + 1), *next = text;
    if (!text) return;
    for (size_t i = 0; i < count; i++) {
        next += sprintf(next, "%.17g%c", values[i], (i + 1) % columns == 0 ? '\n' : ' ');
    }
    potluck_input = text;
    potluck_input_bytes = next - text;
}

slot EXPORT(potluck_configure)(const slot *given, size_t bytes) {
    used = 0;
    if (bytes < 2 * sizeof(slot) || given[0] != 0) {
        put(wrong_count);
    } else {
        if (given[1] > 0) take_input(given + 2);
        put(ready);
    }
    return give();
}

// The program's name comes first, as its file has it without the ending.
static void take_arguments(const slot *given) {
    potluck_seed = given[1];
    potluck_argument_count = given[2] + 1;
    potluck_arguments = potluck_memory((potluck_argument_count + 1) * sizeof *potluck_arguments);
    potluck_arguments[0] = (char *)potluck_name;
    const slot *next = given + 3;
    for (int i = 1; i < potluck_argument_count; i++) {
        size_t length = *next++;
        potluck_arguments[i] = potluck_memory(length + 1);
        memcpy(potluck_arguments[i], next, length);
        potluck_arguments[i][length] = 0;
        next += (length + 7) / 8;
    }
    potluck_arguments[potluck_argument_count] = 0;
}

slot EXPORT(potluck_main)(const slot *given, size_t bytes) {
    if (bytes < 3 * sizeof(slot) || given[0] != ranks) __builtin_trap();
    take_arguments(given);
    potluck_mark_zone();
    __wasm_call_ctors();
    int code = __main_void();
    __wasm_call_dtors();
    potluck_check_zone();
    potluck_flush();
    used = 0;
    put(ranks);
    put((slot)(long long)code);
    put(0);  // no output: what the program prints is its log
    return give();
}
