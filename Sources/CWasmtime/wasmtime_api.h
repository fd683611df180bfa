// What the files of this module share: the layouts of wasmtime's C interface, and its functions.

#ifndef POTLUCK_WASMTIME_API_H
#define POTLUCK_WASMTIME_API_H

#include <stdatomic.h>

#include "potluck_wasmtime.h"

// The layouts of wasmtime 50's C interface, as far as they are used. Objects behind pointers are opaque.
typedef struct {
    size_t size;
    uint8_t *data;
} byte_vector;
typedef struct {
    size_t size;
    void **data;
} pointer_vector;
typedef struct {
    uint64_t store;
    void *inner;
} function_handle;
typedef struct {
    struct {
        uint64_t store;
        uint32_t inner;
    } outer;
    uint32_t inner;
} memory_handle;
typedef struct {
    uint64_t store;
    uint32_t inner[3];
} global_handle;
typedef struct {
    uint64_t store;
    size_t inner;
} instance_handle;
typedef struct {
    uint8_t kind;
    union {
        function_handle function;
        global_handle global;
        memory_handle memory;
        void *shared;
    } of;
} external;
typedef struct {
    uint64_t store;
    uint32_t inner[2];
    void *more;
} reference;
typedef struct {
    uint8_t kind;
    union {
        int32_t i32;
        int64_t i64;
        reference reference;
        uint8_t v128[16];
    } of;
} value;
typedef union {
    int32_t i32;
    uint64_t bits;
    uint8_t v128[16];
} raw_value;
_Static_assert(sizeof(raw_value) == 16 && sizeof(external) == 32 && sizeof(value) == 32 && sizeof(memory_handle) == 24, "wasmtime 50's layouts");

enum { kind_i32 = 0, kind_i64 = 1, kind_f64 = 3, external_function = 0, external_memory = 3, optimise_for_speed = 1 };
enum { go_on = 0 };

typedef void *on_deadline(void *context, void *data, uint64_t *ticks, uint8_t *how);
typedef void *on_call(void *data, void *caller, raw_value *values, size_t count);

#define FUNCTIONS(F)                                                                                                  \
    F(void *, wasm_config_new, (void))                                                                                \
    F(void *, wasm_engine_new_with_config, (void *))                                                                  \
    F(void, wasmtime_config_epoch_interruption_set, (void *, bool))                                                   \
    F(void, wasmtime_config_cranelift_opt_level_set, (void *, uint8_t))                                               \
    F(void, wasmtime_config_cranelift_nan_canonicalization_set, (void *, bool))                                       \
    F(void, wasmtime_config_max_wasm_stack_set, (void *, size_t))                                                     \
    F(void, wasmtime_config_parallel_compilation_set, (void *, bool))                                                 \
    F(void, wasmtime_config_wasm_relaxed_simd_set, (void *, bool))                                                    \
    F(void, wasmtime_config_wasm_threads_set, (void *, bool))                                                         \
    F(void, wasmtime_config_wasm_memory64_set, (void *, bool))                                                        \
    F(void, wasmtime_config_wasm_multi_memory_set, (void *, bool))                                                    \
    F(void, wasmtime_config_wasm_gc_set, (void *, bool))                                                              \
    F(void, wasmtime_config_wasm_stack_switching_set, (void *, bool))                                                 \
    F(void, wasmtime_engine_increment_epoch, (void *))                                                                \
    F(void *, wasmtime_module_new, (void *, const uint8_t *, size_t, void **))                                        \
    F(void *, wasmtime_module_serialize, (void *, byte_vector *))                                                     \
    F(void *, wasmtime_module_deserialize, (void *, const uint8_t *, size_t, void **))                                \
    F(void, wasmtime_module_imports, (void *, pointer_vector *))                                                      \
    F(void, wasm_importtype_vec_delete, (pointer_vector *))                                                           \
    F(const byte_vector *, wasm_importtype_module, (const void *))                                                    \
    F(const byte_vector *, wasm_importtype_name, (const void *))                                                      \
    F(void *, wasm_valtype_new, (uint8_t))                                                                            \
    F(void, wasm_valtype_vec_new, (pointer_vector *, size_t, void *const *))                                          \
    F(void *, wasm_functype_new, (pointer_vector *, pointer_vector *))                                                \
    F(void, wasm_functype_delete, (void *))                                                                           \
    F(void *, wasmtime_linker_new, (void *))                                                                          \
    F(void, wasmtime_linker_delete, (void *))                                                                         \
    F(void *, wasmtime_linker_define_func_unchecked,                                                                  \
      (void *, const char *, size_t, const char *, size_t, const void *, on_call *, void *, void (*)(void *)))        \
    F(void *, wasmtime_linker_instantiate, (void *, void *, const void *, instance_handle *, void **))                \
    F(void *, wasmtime_trap_new, (const char *, size_t))                                                              \
    F(void, wasmtime_module_delete, (void *))                                                                         \
    F(void *, wasmtime_store_new, (void *, void *, void (*)(void *)))                                                 \
    F(void *, wasmtime_store_context, (void *))                                                                       \
    F(void, wasmtime_store_limiter, (void *, int64_t, int64_t, int64_t, int64_t, int64_t))                            \
    F(void, wasmtime_store_epoch_deadline_callback, (void *, on_deadline *, void *, void (*)(void *)))                \
    F(void, wasmtime_store_delete, (void *))                                                                          \
    F(void, wasmtime_context_set_epoch_deadline, (void *, uint64_t))                                                  \
    F(void *, wasmtime_instance_new, (void *, void *, const external *, size_t, instance_handle *, void **))          \
    F(bool, wasmtime_instance_export_get, (void *, const instance_handle *, const char *, size_t, external *))        \
    F(void *, wasmtime_func_call, (void *, const function_handle *, const value *, size_t, value *, size_t, void **)) \
    F(uint8_t *, wasmtime_memory_data, (void *, const memory_handle *))                                               \
    F(size_t, wasmtime_memory_data_size, (void *, const memory_handle *))                                             \
    F(void *, wasmtime_memory_grow, (void *, const memory_handle *, uint64_t, uint64_t *))                            \
    F(void *, wasmtime_error_new, (const char *))                                                                     \
    F(void, wasmtime_error_message, (void *, byte_vector *))                                                          \
    F(void, wasmtime_error_delete, (void *))                                                                          \
    F(void, wasm_trap_message, (void *, byte_vector *))                                                               \
    F(void, wasm_trap_trace, (void *, pointer_vector *))                                                              \
    F(size_t, wasm_frame_module_offset, (void *))                                                                     \
    F(void, wasm_frame_vec_delete, (pointer_vector *))                                                                \
    F(void, wasm_trap_delete, (void *))                                                                               \
    F(void, wasm_byte_vec_delete, (byte_vector *))

#define DECLARE(result, name, arguments) result(*name) arguments;
// The library's functions, once it is loaded.
#define api potluck_wasmtime_api
extern struct potluck_wasmtime_api {
    FUNCTIONS(DECLARE)
} api;

struct potluck_wasmtime_engine {
    void *engine;
};

struct potluck_wasmtime_module {
    void *module;
    void *engine;
};

struct potluck_wasmtime_instance {
    void *store, *context;
    instance_handle instance;
    // What the module exports as `memory`. No call changes the handle.
    memory_handle memory;
    bool has_memory;
    // The thread time at which the current call must end.
    int64_t deadline;
    bool late;
    bool made_nan;
    atomic_bool stopped;
    // The functions that the module may import; NULL if there are none.
    struct import *imports;
};

// An imported function of an instance.
struct import {
    const potluck_wasmtime_imports *all;
    size_t index;
};

// Defines the functions that the instance's module may import.
void *potluck_wasmtime_define(
    void *linker, potluck_wasmtime_instance *instance, const potluck_wasmtime_imports *imports);

#endif
