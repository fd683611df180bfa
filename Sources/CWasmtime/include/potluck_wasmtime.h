// The little of wasmtime's C interface that the sandbox needs. The library is opened while the program runs, so that
// everything built in works where it is missing; for the same reason none of its headers is needed to build.
//
// It must be the version named here: the layouts in potluck_wasmtime.c are that version's.

#ifndef POTLUCK_WASMTIME_H
#define POTLUCK_WASMTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POTLUCK_WASMTIME_VERSION "50.0.1"
// The SHA-256 of the library in that version's wheel on the Python package index. Empty for a processor that has no wheel.
#if defined __x86_64__
#define POTLUCK_WASMTIME_HASH "3127ca42fe7cdd3f0a43a358e79177dcfedd46c1746329826403b9d854de6178"
#elif defined __aarch64__
#define POTLUCK_WASMTIME_HASH "4777b787fcc6651c98130ccc7c8ce9160faba5f3b34918886785a43094026fc9"
#else
#define POTLUCK_WASMTIME_HASH ""
#endif

typedef struct potluck_wasmtime_engine potluck_wasmtime_engine;
typedef struct potluck_wasmtime_module potluck_wasmtime_module;
typedef struct potluck_wasmtime_instance potluck_wasmtime_instance;

// Where a function says why it failed. Always ends with a zero.
typedef struct {
    char text[512];
} potluck_wasmtime_message;

typedef enum {
    POTLUCK_WASMTIME_OK,
    // The module did something that WebAssembly forbids; the message says what.
    POTLUCK_WASMTIME_TRAP,
    // The call took more of its thread's time than it may.
    POTLUCK_WASMTIME_TIME,
    // There is no export of that name, or it is not such a function.
    POTLUCK_WASMTIME_EXPORT,
    // What was to be compiled is no module; the message says why.
    POTLUCK_WASMTIME_REFUSED,
    // Compiling took more memory than it may, or crashed the compiler.
    POTLUCK_WASMTIME_CRASH,
    // The system gives no process to compile in; the message says why.
    POTLUCK_WASMTIME_NO_PROCESS,
} potluck_wasmtime_outcome;

// Opens the library, once for the program, and makes an engine. `stack` is how many octets of stack a call may use. Code of
// an engine with `canonical_nans` makes what is not a number with the same bits on every processor. NULL where that fails.
potluck_wasmtime_engine *potluck_wasmtime_open(
    const char *library, size_t stack, bool canonical_nans, potluck_wasmtime_message *why);

// The engine's clock goes on by one. Only at such moments does anybody look at how long a call takes.
void potluck_wasmtime_tick(potluck_wasmtime_engine *engine);

// Compiles a module. NULL where it is none.
potluck_wasmtime_module *potluck_wasmtime_compile(
    potluck_wasmtime_engine *engine, const uint8_t *bytes, size_t count, potluck_wasmtime_message *why);

// Compiles a module in a process of its own, which may take so long by the wall's clock and so much memory, and is gone
// when this returns. Gives the machine code as `potluck_wasmtime_compiled` does, or NULL and why.
uint8_t *potluck_wasmtime_compile_apart(
    potluck_wasmtime_engine *engine, const uint8_t *bytes, size_t count, int64_t nanoseconds, uint64_t memory,
    size_t *size, potluck_wasmtime_outcome *outcome, potluck_wasmtime_message *why);

// Takes back what `potluck_wasmtime_compiled` gave, which must be exactly that: it is machine code, and is trusted. NULL
// where it is of another version of the library or for another CPU.
potluck_wasmtime_module *potluck_wasmtime_restore(
    potluck_wasmtime_engine *engine, const uint8_t *bytes, size_t count, potluck_wasmtime_message *why);

// The machine code, for the caller to free(). NULL where there is no memory for it.
uint8_t *potluck_wasmtime_compiled(potluck_wasmtime_module *module, size_t *count);

size_t potluck_wasmtime_imports(potluck_wasmtime_module *module);
void potluck_wasmtime_module_free(potluck_wasmtime_module *module);

// A memory of its own, of at most so many octets. It belongs to one thread at a time. NULL where its start fails, with
// the outcome.
potluck_wasmtime_instance *potluck_wasmtime_instance_make(
    potluck_wasmtime_module *module, uint64_t memory, int64_t nanoseconds, potluck_wasmtime_outcome *outcome,
    potluck_wasmtime_message *why);
void potluck_wasmtime_instance_free(potluck_wasmtime_instance *instance);

// Calls `name` with whole numbers of 32 bits, and takes a number of 32 or, if `wide`, 64 bits from it. It may use
// `nanoseconds` of the thread's time.
potluck_wasmtime_outcome potluck_wasmtime_call(
    potluck_wasmtime_instance *instance, const char *name, const uint32_t *arguments, size_t count, bool wide,
    uint64_t *result, int64_t nanoseconds, potluck_wasmtime_message *why);

// Whether any call so far, or the start, has made what is not a number of numbers.
bool potluck_wasmtime_made_nan(const potluck_wasmtime_instance *instance);

bool potluck_wasmtime_exports(potluck_wasmtime_instance *instance, const char *name);

// The memory as it is now; NULL where the module exports none. Any call may move it.
uint8_t *potluck_wasmtime_memory(potluck_wasmtime_instance *instance, size_t *count);

#endif
