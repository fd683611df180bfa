// The part of wasmtime's C interface that the sandbox needs. The library is opened at run time, so that everything
// built in works without it. For the same reason, building needs none of its headers.
//
// The library must have exactly this version: potluck_wasmtime.c contains the layouts of this version.

#ifndef POTLUCK_WASMTIME_H
#define POTLUCK_WASMTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POTLUCK_WASMTIME_VERSION "50.0.1"
// The SHA-256 of the library in this version's wheel on the Python package index.
// Empty for a processor without a wheel.
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

// Receives the reason of a failure. Always zero-terminated.
enum { potluck_wasmtime_most_places = 16 };
typedef struct {
    char text[512];
    // After a trap: where it happened and from where that was called, as offsets in the module's bytes.
    uint32_t places[potluck_wasmtime_most_places];
    size_t place_count;
} potluck_wasmtime_message;

typedef enum {
    POTLUCK_WASMTIME_OK,
    // The module did something that WebAssembly forbids. The message says what.
    POTLUCK_WASMTIME_TRAP,
    // The call exceeded its limit of thread time.
    POTLUCK_WASMTIME_TIME,
    // There is no export of this name, or it is not a function of this type.
    POTLUCK_WASMTIME_EXPORT,
    // The bytes to compile are not a valid module. The message says why.
    POTLUCK_WASMTIME_REFUSED,
    // Compiling exceeded its memory limit, or the compiler crashed.
    POTLUCK_WASMTIME_CRASH,
    // The system could not create a process to compile in. The message says why.
    POTLUCK_WASMTIME_NO_PROCESS,
} potluck_wasmtime_outcome;

// Opens the library, once for the program, and creates an engine. `stack` is the most bytes of stack that a call may
// use. With `canonical_nans`, compiled code gives every NaN the same bits on every processor. Returns NULL on failure.
potluck_wasmtime_engine *potluck_wasmtime_open(
    const char *library, size_t stack, bool canonical_nans, potluck_wasmtime_message *why);

// Advances the engine's clock by one. The time limits of calls are checked only at these ticks.
void potluck_wasmtime_tick(potluck_wasmtime_engine *engine);

// Compiles a module. Returns NULL if the bytes are not a valid module.
potluck_wasmtime_module *potluck_wasmtime_compile(
    potluck_wasmtime_engine *engine, const uint8_t *bytes, size_t count, potluck_wasmtime_message *why);

// Compiles a module in a separate process, which has ended when this function returns. The process may use
// `nanoseconds` of CPU time and `memory` bytes, and may stand still for half a minute. Returns the machine code
// like `potluck_wasmtime_compiled`, or NULL and the reason.
uint8_t *potluck_wasmtime_compile_apart(
    potluck_wasmtime_engine *engine, const uint8_t *bytes, size_t count, int64_t nanoseconds, uint64_t memory,
    size_t *size, potluck_wasmtime_outcome *outcome, potluck_wasmtime_message *why);

// Loads machine code that `potluck_wasmtime_compiled` returned. It must not have been changed, because it is trusted.
// Returns NULL if it was made by another version of the library or for another CPU.
potluck_wasmtime_module *potluck_wasmtime_restore(
    potluck_wasmtime_engine *engine, const uint8_t *bytes, size_t count, potluck_wasmtime_message *why);

// Returns the machine code, which the caller must free(), or NULL if there is not enough memory.
uint8_t *potluck_wasmtime_compiled(potluck_wasmtime_module *module, size_t *count);

// A function that modules may import: its name and the types of its parameters and of its result. `i` stands for an
// integer of 32 bits, `d` for a real number of 64 bits, and a result of 0 for none.
typedef struct {
    const char *name;
    const char *parameters;
    char result;
} potluck_wasmtime_import;

// The functions of one namespace, and the code that runs when a module calls one. `arguments` are integers, extended
// with their sign. The code stores the result, for a real number its bits, and returns false to end the module's call.
typedef struct {
    const char *space;
    const potluck_wasmtime_import *functions;
    size_t count;
    bool (*handle)(void *context, size_t function, const int64_t *arguments, uint64_t *result);
    void *context;
} potluck_wasmtime_imports;

// Returns whether the module imports only functions of this namespace. `any` tells whether it imports something. With
// NULL nothing may be imported.
bool potluck_wasmtime_imports_only(
    potluck_wasmtime_module *module, const potluck_wasmtime_imports *allowed, bool *any);
void potluck_wasmtime_module_free(potluck_wasmtime_module *module);

// Creates an instance with a memory of at most `memory` bytes. Only one thread at a time may use it. `imports` may be
// NULL; what it points to must live as long as the instance. Returns NULL and the outcome if its start function fails.
potluck_wasmtime_instance *potluck_wasmtime_instance_make(
    potluck_wasmtime_module *module, const potluck_wasmtime_imports *imports, uint64_t memory, int64_t nanoseconds,
    potluck_wasmtime_outcome *outcome, potluck_wasmtime_message *why);

// Ends the call under way and all later ones at the next tick. Any thread may do so.
void potluck_wasmtime_stop(potluck_wasmtime_instance *instance);
void potluck_wasmtime_instance_free(potluck_wasmtime_instance *instance);

// Calls `name` with 32-bit integers and stores its result, a number of 32 bits or, if `wide`,
// of 64 bits. The call may use `nanoseconds` of thread time.
potluck_wasmtime_outcome potluck_wasmtime_call(
    potluck_wasmtime_instance *instance, const char *name, const uint32_t *arguments, size_t count, bool wide,
    uint64_t *result, int64_t nanoseconds, potluck_wasmtime_message *why);

// Returns whether any call so far, or the start function, produced a NaN from numbers.
bool potluck_wasmtime_made_nan(const potluck_wasmtime_instance *instance);

// Returns whether the module exports `name`.
bool potluck_wasmtime_exports(potluck_wasmtime_instance *instance, const char *name);

// Returns the current memory, or NULL if the module exports none. Any call may move it.
uint8_t *potluck_wasmtime_memory(potluck_wasmtime_instance *instance, size_t *count);

// Makes the memory `count` bytes long. Returns false if it is longer, or may not be that long.
bool potluck_wasmtime_grow(potluck_wasmtime_instance *instance, size_t count);

#endif
