#define _GNU_SOURCE
#include "potluck_wasmtime.h"

#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
_Static_assert(sizeof(external) == 32 && sizeof(value) == 32 && sizeof(memory_handle) == 24, "wasmtime 50's layouts");

enum { kind_i32 = 0, kind_i64 = 1, external_function = 0, external_memory = 3, optimise_for_speed = 1 };
enum { go_on = 0 };

typedef void *on_deadline(void *context, void *data, uint64_t *ticks, uint8_t *how);

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

#define DECLARE(result, name, arguments) static result(*name) arguments;
FUNCTIONS(DECLARE)

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
    // The thread time at which the current call must end.
    int64_t deadline;
    bool late;
    bool made_nan;
};

static bool load(const char *path, potluck_wasmtime_message *why) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static bool loaded;
    pthread_mutex_lock(&mutex);
    bool good = loaded;
    if (!loaded) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        const char *missing = NULL;
#define FIND(result, name, arguments) \
    if (library && !(*(void **)&name = dlsym(library, #name))) missing = #name;
        FUNCTIONS(FIND)
        if (!library)
            snprintf(why->text, sizeof why->text, "%s", dlerror());
        else if (missing)
            snprintf(why->text, sizeof why->text, "%s has no %s", path, missing);
        good = loaded = library && !missing;
    }
    pthread_mutex_unlock(&mutex);
    return good;
}

// Copies the end of the text, as much as fits: the cause comes last, after a list that may have thousands of calls.
static void copy(byte_vector *text, potluck_wasmtime_message *why) {
    size_t count = text->size < sizeof why->text - 1 ? text->size : sizeof why->text - 1;
    memcpy(why->text, text->data + (text->size - count), count);
    why->text[count] = 0;
    wasm_byte_vec_delete(text);
}

static void take_error(void *error, potluck_wasmtime_message *why) {
    byte_vector text;
    wasmtime_error_message(error, &text);
    copy(&text, why);
    wasmtime_error_delete(error);
}

static void take_trap(void *trap, potluck_wasmtime_message *why) {
    byte_vector text;
    wasm_trap_message(trap, &text);
    copy(&text, why);
    pointer_vector frames;
    wasm_trap_trace(trap, &frames);
    for (why->place_count = 0; why->place_count < frames.size && why->place_count < potluck_wasmtime_most_places;
         why->place_count++)
        why->places[why->place_count] = (uint32_t)wasm_frame_module_offset(frames.data[why->place_count]);
    wasm_frame_vec_delete(&frames);
    wasm_trap_delete(trap);
}

potluck_wasmtime_engine *potluck_wasmtime_open(
    const char *path, size_t stack, bool canonical_nans, potluck_wasmtime_message *why) {
    if (!load(path, why)) return NULL;
    void *config = wasm_config_new();
    wasmtime_config_epoch_interruption_set(config, true);
    wasmtime_config_cranelift_opt_level_set(config, optimise_for_speed);
    wasmtime_config_cranelift_nan_canonicalization_set(config, canonical_nans);
    wasmtime_config_max_wasm_stack_set(config, stack);
    // Compiling uses one core, like all other work for a plugin.
    wasmtime_config_parallel_compilation_set(config, false);
    // Relaxed SIMD may give different results on different machines.
    wasmtime_config_wasm_relaxed_simd_set(config, false);
    // Features that no simulation needs would only be additional risks.
    wasmtime_config_wasm_threads_set(config, false);
    wasmtime_config_wasm_memory64_set(config, false);
    wasmtime_config_wasm_multi_memory_set(config, false);
    wasmtime_config_wasm_gc_set(config, false);
    wasmtime_config_wasm_stack_switching_set(config, false);
    void *engine = wasm_engine_new_with_config(config);
    potluck_wasmtime_engine *made = engine ? malloc(sizeof *made) : NULL;
    if (!made) {
        snprintf(why->text, sizeof why->text, "wasmtime gives no engine");
        return NULL;
    }
    made->engine = engine;
    return made;
}

void potluck_wasmtime_tick(potluck_wasmtime_engine *engine) { wasmtime_engine_increment_epoch(engine->engine); }

static potluck_wasmtime_module *wrap(potluck_wasmtime_engine *engine, void *module, void *error,
                                     potluck_wasmtime_message *why) {
    if (error) {
        take_error(error, why);
        return NULL;
    }
    potluck_wasmtime_module *made = malloc(sizeof *made);
    if (!made) abort();
    *made = (potluck_wasmtime_module){.module = module, .engine = engine->engine};
    return made;
}

potluck_wasmtime_module *potluck_wasmtime_compile(
    potluck_wasmtime_engine *engine, const uint8_t *bytes, size_t count, potluck_wasmtime_message *why) {
    void *module = NULL;
    void *error = wasmtime_module_new(engine->engine, bytes, count, &module);
    return wrap(engine, module, error, why);
}

potluck_wasmtime_module *potluck_wasmtime_restore(
    potluck_wasmtime_engine *engine, const uint8_t *bytes, size_t count, potluck_wasmtime_message *why) {
    void *module = NULL;
    void *error = wasmtime_module_deserialize(engine->engine, bytes, count, &module);
    return wrap(engine, module, error, why);
}

uint8_t *potluck_wasmtime_compiled(potluck_wasmtime_module *module, size_t *count) {
    byte_vector code;
    void *error = wasmtime_module_serialize(module->module, &code);
    if (error) {
        wasmtime_error_delete(error);
        return NULL;
    }
    uint8_t *copied = malloc(code.size ? code.size : 1);
    if (copied) memcpy(copied, code.data, code.size);
    *count = code.size;
    wasm_byte_vec_delete(&code);
    return copied;
}

size_t potluck_wasmtime_imports(potluck_wasmtime_module *module) {
    pointer_vector imports;
    wasmtime_module_imports(module->module, &imports);
    size_t count = imports.size;
    wasm_importtype_vec_delete(&imports);
    return count;
}

void potluck_wasmtime_module_free(potluck_wasmtime_module *module) {
    wasmtime_module_delete(module->module);
    free(module);
}

static int64_t thread_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

// Called at each tick, to check the call's time limit. It uses thread time, because
// other threads may have used the core meanwhile.
static void *judge(void *context, void *data, uint64_t *ticks, uint8_t *how) {
    (void)context;
    potluck_wasmtime_instance *instance = data;
    *ticks = 1;
    *how = go_on;
    if (thread_time() < instance->deadline) return NULL;
    instance->late = true;
    return wasmtime_error_new("too late");
}

static void begin(potluck_wasmtime_instance *instance, int64_t nanoseconds) {
    instance->late = false;
    feclearexcept(FE_INVALID);
    instance->deadline = thread_time() + nanoseconds;
    wasmtime_context_set_epoch_deadline(instance->context, 1);
}

// Called after a call, however it ended. Every operation that makes a NaN from numbers is invalid by IEEE
// 754, and every processor records that in a flag at no cost.
static void look_for_nan(potluck_wasmtime_instance *instance) {
    if (fetestexcept(FE_INVALID)) instance->made_nan = true;
}

static potluck_wasmtime_outcome finish(
    potluck_wasmtime_instance *instance, void *error, void *trap, potluck_wasmtime_message *why) {
    if (error) take_error(error, why);
    if (trap) take_trap(trap, why);
    if (!error && !trap) return POTLUCK_WASMTIME_OK;
    return instance->late ? POTLUCK_WASMTIME_TIME : POTLUCK_WASMTIME_TRAP;
}

potluck_wasmtime_instance *potluck_wasmtime_instance_make(
    potluck_wasmtime_module *module, uint64_t memory, int64_t nanoseconds, potluck_wasmtime_outcome *outcome,
    potluck_wasmtime_message *why) {
    // A large program's table of functions has some thousands of elements.
    enum { most_table_elements = 100000, most_tables = 4 };
    potluck_wasmtime_instance *made = calloc(1, sizeof *made);
    if (!made) abort();
    made->store = wasmtime_store_new(module->engine, NULL, NULL);
    made->context = wasmtime_store_context(made->store);
    wasmtime_store_limiter(made->store, (int64_t)memory, most_table_elements, 1, most_tables, 1);
    wasmtime_store_epoch_deadline_callback(made->store, judge, made, NULL);
    begin(made, nanoseconds);
    void *trap = NULL;
    void *error = wasmtime_instance_new(made->context, module->module, NULL, 0, &made->instance, &trap);
    look_for_nan(made);
    *outcome = finish(made, error, trap, why);
    if (*outcome == POTLUCK_WASMTIME_OK) return made;
    potluck_wasmtime_instance_free(made);
    return NULL;
}

void potluck_wasmtime_instance_free(potluck_wasmtime_instance *instance) {
    wasmtime_store_delete(instance->store);
    free(instance);
}

static bool find(potluck_wasmtime_instance *instance, const char *name, uint8_t kind, external *found) {
    return wasmtime_instance_export_get(instance->context, &instance->instance, name, strlen(name), found) &&
           found->kind == kind;
}

potluck_wasmtime_outcome potluck_wasmtime_call(
    potluck_wasmtime_instance *instance, const char *name, const uint32_t *arguments, size_t count, bool wide,
    uint64_t *result, int64_t nanoseconds, potluck_wasmtime_message *why) {
    enum { most_arguments = 4 };
    external function;
    if (count > most_arguments || !find(instance, name, external_function, &function)) {
        snprintf(why->text, sizeof why->text, "no function %s", name);
        return POTLUCK_WASMTIME_EXPORT;
    }
    value given[most_arguments], answer;
    memset(given, 0, sizeof given);
    memset(&answer, 0, sizeof answer);
    for (size_t index = 0; index < count; index++) {
        given[index].kind = kind_i32;
        given[index].of.i32 = (int32_t)arguments[index];
    }
    begin(instance, nanoseconds);
    void *trap = NULL;
    void *error = wasmtime_func_call(instance->context, &function.of.function, given, count, &answer, 1, &trap);
    look_for_nan(instance);
    if (error && !instance->late) {
        // Without a trap nothing was run: the function has another type.
        take_error(error, why);
        return POTLUCK_WASMTIME_EXPORT;
    }
    potluck_wasmtime_outcome outcome = finish(instance, error, trap, why);
    if (outcome != POTLUCK_WASMTIME_OK) return outcome;
    if (answer.kind != (wide ? kind_i64 : kind_i32)) {
        snprintf(why->text, sizeof why->text, "%s gives no number of %d bits", name, wide ? 64 : 32);
        return POTLUCK_WASMTIME_EXPORT;
    }
    *result = wide ? (uint64_t)answer.of.i64 : (uint32_t)answer.of.i32;
    return POTLUCK_WASMTIME_OK;
}

bool potluck_wasmtime_made_nan(const potluck_wasmtime_instance *instance) { return instance->made_nan; }

bool potluck_wasmtime_exports(potluck_wasmtime_instance *instance, const char *name) {
    external found;
    return find(instance, name, external_function, &found);
}

uint8_t *potluck_wasmtime_memory(potluck_wasmtime_instance *instance, size_t *count) {
    external found;
    *count = 0;
    if (!find(instance, "memory", external_memory, &found)) return NULL;
    *count = wasmtime_memory_data_size(instance->context, &found.of.memory);
    return wasmtime_memory_data(instance->context, &found.of.memory);
}

bool potluck_wasmtime_grow(potluck_wasmtime_instance *instance, size_t count) {
    enum { page = 65536 };
    external found;
    if (!find(instance, "memory", external_memory, &found)) return false;
    size_t now = wasmtime_memory_data_size(instance->context, &found.of.memory);
    if (now > count || count % page != 0) return false;
    uint64_t before = 0;
    void *error = wasmtime_memory_grow(instance->context, &found.of.memory, (count - now) / page, &before);
    if (error) wasmtime_error_delete(error);
    return !error;
}
