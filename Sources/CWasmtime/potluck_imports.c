// The functions that a module of version 2 may import.

#include <stdlib.h>
#include <string.h>

#include "wasmtime_api.h"

static bool is_named(const byte_vector *name, const char *text) {
    return name->size == strlen(text) && memcmp(name->data, text, name->size) == 0;
}

bool potluck_wasmtime_imports_only(
    potluck_wasmtime_module *module, const potluck_wasmtime_imports *allowed, bool *any) {
    pointer_vector imports;
    api.wasmtime_module_imports(module->module, &imports);
    *any = imports.size > 0;
    bool fits = true;
    for (size_t index = 0; index < imports.size && fits; index++) {
        fits = false;
        if (!allowed || !is_named(api.wasm_importtype_module(imports.data[index]), allowed->space)) continue;
        for (size_t function = 0; function < allowed->count && !fits; function++)
            fits = is_named(api.wasm_importtype_name(imports.data[index]), allowed->functions[function].name);
    }
    api.wasm_importtype_vec_delete(&imports);
    return fits;
}

enum { most_parameters = 8 };

static uint8_t kind(char letter) { return letter == 'd' ? kind_f64 : kind_i32; }

// Called when the module calls an imported function. wasmtime checked the number of the arguments and their types.
static void *called(void *data, void *caller, raw_value *values, size_t count) {
    (void)caller, (void)count;
    const struct import *import = data;
    const potluck_wasmtime_import *function = &import->all->functions[import->index];
    int64_t arguments[most_parameters];
    for (size_t index = 0; function->parameters[index]; index++) arguments[index] = values[index].i32;
    uint64_t result = 0;
    static const char ended[] = "ended by the host";
    if (!import->all->handle(import->all->context, import->index, arguments, &result))
        return api.wasmtime_trap_new(ended, sizeof ended - 1);
    if (function->result) memset(&values[0], 0, sizeof values[0]), values[0].bits = result;
    return NULL;
}

void *potluck_wasmtime_define(
    void *linker, potluck_wasmtime_instance *instance, const potluck_wasmtime_imports *imports) {
    instance->imports = calloc(imports->count, sizeof *instance->imports);
    if (!instance->imports) abort();
    for (size_t index = 0; index < imports->count; index++) {
        const potluck_wasmtime_import *function = &imports->functions[index];
        instance->imports[index] = (struct import){.all = imports, .index = index};
        void *types[most_parameters], *type_of_result = function->result ? api.wasm_valtype_new(kind(function->result)) : NULL;
        size_t count = strlen(function->parameters);
        if (count > most_parameters) abort();
        for (size_t parameter = 0; parameter < count; parameter++)
            types[parameter] = api.wasm_valtype_new(kind(function->parameters[parameter]));
        pointer_vector parameters, results;
        api.wasm_valtype_vec_new(&parameters, count, types);
        api.wasm_valtype_vec_new(&results, function->result ? 1 : 0, &type_of_result);
        void *type = api.wasm_functype_new(&parameters, &results);
        void *error = api.wasmtime_linker_define_func_unchecked(
            linker, imports->space, strlen(imports->space), function->name, strlen(function->name), type, called,
            &instance->imports[index], NULL);
        api.wasm_functype_delete(type);
        if (error) return error;
    }
    return NULL;
}
