// What a wrong use of memory says. Address 0 is memory like any other in WebAssembly, so a program that does not look at
// what malloc gave it would go on with wrong numbers.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "module.h"

// What the last call wanted for which there was no memory; 0 if there was memory for all.
static size_t refused;

// Says once that there is no memory. C lets the program continue.
static void *got(const char *call, void *memory, size_t bytes) {
    if (memory || bytes == 0) return memory;
    if (!refused) {
        fflush(stdout);
        fprintf(stderr, "%s.c: %s finds no memory for %zu bytes; this rank has %zu MiB, and --plugin-memory gives it more\n",
                potluck_name, call, bytes, (size_t)__builtin_wasm_memory_size(0) / 16);
    }
    refused = bytes;
    return memory;
}

static size_t product(size_t count, size_t bytes) {
    size_t all;
    return __builtin_mul_overflow(count, bytes, &all) ? SIZE_MAX : all;
}

// The linker lets calls of `malloc` come to `__wrap_malloc`, and those of `__real_malloc` to the C library.

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);

void *__wrap_malloc(size_t bytes) { return got("malloc", __real_malloc(bytes), bytes); }

void *__wrap_calloc(size_t count, size_t bytes) {
    return got("calloc", __real_calloc(count, bytes), product(count, bytes));
}

void *__wrap_realloc(void *memory, size_t bytes) { return got("realloc", __real_realloc(memory, bytes), bytes); }

// What clang writes for each check of a pointer.
struct place {
    const char *file;
    uint32_t line, column;
};
struct check {
    struct place place;
    const void *type;
    uint8_t alignment, kind;
};
enum { reads = 0, writes = 1 };
// What a program ends with on Linux that uses such a pointer.
enum { segmentation_fault = 139 };

// Begins a line on stderr with the author's file and the line.
static void say_place(const struct place *place) {
    // The compiler knows the main file under this name, and the others below a folder.
    const char *slash = strchr(place->file, '/'), *file = slash ? slash + 1 : place->file;
    bool isOwn = strcmp(file, "Author.c") == 0;
    fflush(stdout);
    fprintf(stderr, "%s%s:%u: ", isOwn ? potluck_name : file, isOwn ? ".c" : "", place->line);
}

// What clang writes of a type: its width as a power of two is in the upper bits.
struct value_type {
    uint16_t kind, info;
    char name[];
};
struct shift {
    struct place place;
    const struct value_type *left, *right;
};

// The compiler lets a program come here that shifts a value by as many bits as it has, or more. It is an error of the
// program where its result does not matter, too, so only a long is stopped, which is wider on most other machines.
void __ubsan_handle_shift_out_of_bounds(const struct shift *shift, uintptr_t left, uintptr_t right) {
    (void)left;
    // Such as 'unsigned long', or 'word' (aka 'unsigned long').
    const char *name = shift->left->name;
    if (!strstr(name, "long'") || strstr(name, "long long'") || shift->left->info >> 1 != 5) return;
    bool isWide = shift->right->info >> 1 > 5;
    say_place(&shift->place);
    fprintf(stderr, "a long is shifted by %lld bits, but it has 32 here; use long long\n",
            isWide ? *(const long long *)right : (long long)(int)right);
    potluck_flush();
    host_abort(EXIT_FAILURE);
}

// The compiler lets a program come here that is about to use a null pointer.
_Noreturn void __ubsan_handle_type_mismatch_v1_abort(const struct check *check, const void *pointer) {
    (void)pointer;
    say_place(&check->place);
    fprintf(stderr, "a null pointer is %s", check->kind == reads ? "read" : check->kind == writes ? "written" : "used");
    if (refused) fprintf(stderr, "; there was no memory for %zu bytes", refused);
    fprintf(stderr, "\n");
    potluck_flush();
    host_abort(segmentation_fault);
}

// The compiler leaves out checks of addresses that no null pointer can have, such as p[1], and knows nothing of memset. So
// the first 64 KiB belong to nothing, as on Linux, and are filled with ones: as a number that is -1 or NaN, and as a pointer
// it leads out of the memory. What was written there is found when the rank ends. The stack grows towards them.
enum { zone = 1 << 16 };
static const uint64_t ones = UINT64_MAX;

// Of memory that begins at 0 the compiler would say that it is not there.
static uint64_t *zone_start(void) {
    static volatile uintptr_t start = 0;
    return (uint64_t *)start;
}

void potluck_mark_zone(void) {
    uint64_t *word = zone_start();
    for (size_t i = 0; i < zone / sizeof ones; i++) word[i] = ones;
}

void potluck_check_zone(void) {
    const uint64_t *word = zone_start();
    for (size_t i = 0; i < zone / sizeof ones; i++) {
        if (word[i] == ones) continue;
        fflush(stdout);
        fprintf(stderr, "%s.c: something was written through a null pointer, at address %zu, or the stack is full\n",
                potluck_name, i * sizeof ones);
        potluck_flush();
        host_abort(segmentation_fault);
    }
}
