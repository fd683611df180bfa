#define _GNU_SOURCE
#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wasmtime_api.h"

struct potluck_wasmtime_api api;

static bool load(const char *path, potluck_wasmtime_message *why) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static bool loaded;
    pthread_mutex_lock(&mutex);
    bool good = loaded;
    if (!loaded) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        const char *missing = NULL;
#define FIND(result, name, arguments) \
    if (library && !(*(void **)&api.name = dlsym(library, #name))) missing = #name;
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
    api.wasm_byte_vec_delete(text);
}

static void take_error(void *error, potluck_wasmtime_message *why) {
    byte_vector text;
    api.wasmtime_error_message(error, &text);
    copy(&text, why);
    api.wasmtime_error_delete(error);
}

static void take_trap(void *trap, potluck_wasmtime_message *why) {
    byte_vector text;
    api.wasm_trap_message(trap, &text);
    copy(&text, why);
    pointer_vector frames;
    api.wasm_trap_trace(trap, &frames);
    for (why->place_count = 0; why->place_count < frames.size && why->place_count < potluck_wasmtime_most_places;
         why->place_count++)
        why->places[why->place_count] = (uint32_t)api.wasm_frame_module_offset(frames.data[why->place_count]);
    api.wasm_frame_vec_delete(&frames);
    api.wasm_trap_delete(trap);
}

potluck_wasmtime_engine *potluck_wasmtime_open(
    const char *path, size_t stack, bool canonical_nans, potluck_wasmtime_message *why) {
    if (!load(path, why)) return NULL;
    void *config = api.wasm_config_new();
    api.wasmtime_config_epoch_interruption_set(config, true);
    api.wasmtime_config_cranelift_opt_level_set(config, optimise_for_speed);
    api.wasmtime_config_cranelift_nan_canonicalization_set(config, canonical_nans);
    api.wasmtime_config_max_wasm_stack_set(config, stack);
    // Compiling uses one core, like all other work for a plugin.
    api.wasmtime_config_parallel_compilation_set(config, false);
    // Relaxed SIMD may give different results on different machines.
    api.wasmtime_config_wasm_relaxed_simd_set(config, false);
    // Features that no simulation needs would only be additional risks.
    api.wasmtime_config_wasm_threads_set(config, false);
    api.wasmtime_config_wasm_memory64_set(config, false);
    api.wasmtime_config_wasm_multi_memory_set(config, false);
    api.wasmtime_config_wasm_gc_set(config, false);
    api.wasmtime_config_wasm_stack_switching_set(config, false);
    void *engine = api.wasm_engine_new_with_config(config);
    potluck_wasmtime_engine *made = engine ? malloc(sizeof *made) : NULL;
    if (!made) {
        snprintf(why->text, sizeof why->text, "wasmtime gives no engine");
        return NULL;
    }
    made->engine = engine;
    return made;
}

void potluck_wasmtime_tick(potluck_wasmtime_engine *engine) { api.wasmtime_engine_increment_epoch(engine->engine); }

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
    void *error = api.wasmtime_module_new(engine->engine, bytes, count, &module);
    return wrap(engine, module, error, why);
}

potluck_wasmtime_module *potluck_wasmtime_restore(
    potluck_wasmtime_engine *engine, const uint8_t *bytes, size_t count, potluck_wasmtime_message *why) {
    void *module = NULL;
    void *error = api.wasmtime_module_deserialize(engine->engine, bytes, count, &module);
    return wrap(engine, module, error, why);
}

uint8_t *potluck_wasmtime_compiled(potluck_wasmtime_module *module, size_t *count) {
    byte_vector code;
    void *error = api.wasmtime_module_serialize(module->module, &code);
    if (error) {
        api.wasmtime_error_delete(error);
        return NULL;
    }
    uint8_t *copied = malloc(code.size ? code.size : 1);
    if (copied) memcpy(copied, code.data, code.size);
    *count = code.size;
    api.wasm_byte_vec_delete(&code);
    return copied;
}

void potluck_wasmtime_module_free(potluck_wasmtime_module *module) {
    api.wasmtime_module_delete(module->module);
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
    if (!instance->stopped && thread_time() < instance->deadline) return NULL;
    instance->late = true;
    return api.wasmtime_error_new("too late");
}

static void begin(potluck_wasmtime_instance *instance, int64_t nanoseconds) {
    instance->late = false;
    feclearexcept(FE_INVALID);
    instance->deadline = thread_time() + nanoseconds;
    api.wasmtime_context_set_epoch_deadline(instance->context, 1);
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

void potluck_wasmtime_stop(potluck_wasmtime_instance *instance) { instance->stopped = true; }

static bool find(potluck_wasmtime_instance *instance, const char *name, uint8_t kind, external *found) {
    return api.wasmtime_instance_export_get(instance->context, &instance->instance, name, strlen(name), found) &&
           found->kind == kind;
}

potluck_wasmtime_instance *potluck_wasmtime_instance_make(
    potluck_wasmtime_module *module, const potluck_wasmtime_imports *imports, uint64_t memory, int64_t nanoseconds,
    potluck_wasmtime_outcome *outcome, potluck_wasmtime_message *why) {
    // A large program's table of functions has some thousands of elements.
    enum { most_table_elements = 100000, most_tables = 4 };
    potluck_wasmtime_instance *made = calloc(1, sizeof *made);
    if (!made) abort();
    made->store = api.wasmtime_store_new(module->engine, NULL, NULL);
    made->context = api.wasmtime_store_context(made->store);
    api.wasmtime_store_limiter(made->store, (int64_t)memory, most_table_elements, 1, most_tables, 1);
    api.wasmtime_store_epoch_deadline_callback(made->store, judge, made, NULL);
    begin(made, nanoseconds);
    void *trap = NULL;
    void *error = NULL;
    if (imports) {
        void *linker = api.wasmtime_linker_new(module->engine);
        error = potluck_wasmtime_define(linker, made, imports);
        if (!error)
            error = api.wasmtime_linker_instantiate(linker, made->context, module->module, &made->instance, &trap);
        api.wasmtime_linker_delete(linker);
    } else {
        error = api.wasmtime_instance_new(made->context, module->module, NULL, 0, &made->instance, &trap);
    }
    look_for_nan(made);
    *outcome = finish(made, error, trap, why);
    if (*outcome == POTLUCK_WASMTIME_OK) {
        external found;
        made->has_memory = find(made, "memory", external_memory, &found);
        if (made->has_memory) made->memory = found.of.memory;
        return made;
    }
    potluck_wasmtime_instance_free(made);
    return NULL;
}

void potluck_wasmtime_instance_free(potluck_wasmtime_instance *instance) {
    api.wasmtime_store_delete(instance->store);
    free(instance->imports);
    free(instance);
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
    void *error = api.wasmtime_func_call(instance->context, &function.of.function, given, count, &answer, 1, &trap);
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
    *count = 0;
    if (!instance->has_memory) return NULL;
    *count = api.wasmtime_memory_data_size(instance->context, &instance->memory);
    return api.wasmtime_memory_data(instance->context, &instance->memory);
}

bool potluck_wasmtime_grow(potluck_wasmtime_instance *instance, size_t count) {
    enum { page = 65536 };
    if (!instance->has_memory) return false;
    size_t now = api.wasmtime_memory_data_size(instance->context, &instance->memory);
    if (now > count || count % page != 0) return false;
    uint64_t before = 0;
    void *error = api.wasmtime_memory_grow(instance->context, &instance->memory, (count - now) / page, &before);
    if (error) api.wasmtime_error_delete(error);
    return !error;
}
