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

// The compiler lets a program come here that is about to use a null pointer.
_Noreturn void __ubsan_handle_type_mismatch_v1_abort(const struct check *check, const void *pointer) {
    (void)pointer;
    // The compiler knows the author's file under this name.
    bool isOwn = strcmp(check->place.file, "Author.c") == 0;
    fflush(stdout);
    fprintf(stderr, "%s%s:%u: a null pointer is %s", isOwn ? potluck_name : check->place.file, isOwn ? ".c" : "",
            check->place.line, check->kind == reads ? "read" : check->kind == writes ? "written" : "used");
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
