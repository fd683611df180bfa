// Hints: texts under keys, in the order in which they were set. No call here needs one.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

struct hint {
    char *key, *value;
};
struct potluck_info {
    int count;
    struct hint *hints;
};
struct potluck_info potluck_environment;

static int check(const char *call, MPI_Info info) {
    if (!info) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_INFO, call, "the info is MPI_INFO_NULL");
    return MPI_SUCCESS;
}

static struct hint *find(MPI_Info info, const char *key) {
    for (int i = 0; i < info->count; i++) {
        if (strcmp(info->hints[i].key, key) == 0) return &info->hints[i];
    }
    return 0;
}

static char *copy(const char *text) {
    char *made = potluck_memory(strlen(text) + 1);
    return strcpy(made, text);
}

int MPI_Info_create(MPI_Info *info) {
    *info = potluck_memory(sizeof **info);
    **info = (struct potluck_info){0, 0};
    return MPI_SUCCESS;
}

int MPI_Info_set(MPI_Info info, const char *key, const char *value) {
    TRY(check(__func__, info));
    if (!*key || strlen(key) > MPI_MAX_INFO_KEY) {
        return potluck_fail(MPI_COMM_WORLD, MPI_ERR_INFO_KEY, __func__, "a key has 1 to %d letters", MPI_MAX_INFO_KEY);
    }
    if (strlen(value) > MPI_MAX_INFO_VAL) {
        return potluck_fail(MPI_COMM_WORLD, MPI_ERR_INFO_VALUE, __func__, "a value has at most %d letters", MPI_MAX_INFO_VAL);
    }
    struct hint *hint = find(info, key);
    if (hint) {
        free(hint->value);
        hint->value = copy(value);
        return MPI_SUCCESS;
    }
    info->hints = realloc(info->hints, (info->count + 1) * sizeof *info->hints);
    if (!info->hints) return potluck_fail(0, MPI_ERR_OTHER, __func__, "no memory for %d hints", info->count + 1);
    info->hints[info->count++] = (struct hint){copy(key), copy(value)};
    return MPI_SUCCESS;
}

int MPI_Info_get(MPI_Info info, const char *key, int length, char *value, int *flag) {
    TRY(check(__func__, info));
    struct hint *hint = find(info, key);
    *flag = hint != 0;
    if (hint) snprintf(value, length + 1, "%s", hint->value);
    return MPI_SUCCESS;
}

int MPI_Info_get_valuelen(MPI_Info info, const char *key, int *length, int *flag) {
    TRY(check(__func__, info));
    struct hint *hint = find(info, key);
    *flag = hint != 0;
    if (hint) *length = strlen(hint->value);
    return MPI_SUCCESS;
}

int MPI_Info_get_nkeys(MPI_Info info, int *count) {
    TRY(check(__func__, info));
    *count = info->count;
    return MPI_SUCCESS;
}

int MPI_Info_get_nthkey(MPI_Info info, int place, char *key) {
    TRY(check(__func__, info));
    if (place < 0 || place >= info->count) {
        return potluck_fail(MPI_COMM_WORLD, MPI_ERR_ARG, __func__, "there is no key %d; there are %d", place, info->count);
    }
    strcpy(key, info->hints[place].key);
    return MPI_SUCCESS;
}

int MPI_Info_delete(MPI_Info info, const char *key) {
    TRY(check(__func__, info));
    struct hint *hint = find(info, key);
    if (!hint) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_INFO_NOKEY, __func__, "there is no key '%s'", key);
    free(hint->key);
    free(hint->value);
    memmove(hint, hint + 1, (info->hints + --info->count - hint) * sizeof *hint);
    return MPI_SUCCESS;
}

int MPI_Info_dup(MPI_Info info, MPI_Info *made) {
    TRY(check(__func__, info));
    TRY(MPI_Info_create(made));
    for (int i = 0; i < info->count; i++) TRY(MPI_Info_set(*made, info->hints[i].key, info->hints[i].value));
    return MPI_SUCCESS;
}

int MPI_Info_free(MPI_Info *info) {
    TRY(check(__func__, *info));
    while ((*info)->count > 0) TRY(MPI_Info_delete(*info, (*info)->hints[0].key));
    free((*info)->hints);
    if (*info != MPI_INFO_ENV) free(*info);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
    (void)info;
    return potluck_check(__func__, comm);
}

// The hints that are in use: none.
int MPI_Comm_get_info(MPI_Comm comm, MPI_Info *info) {
    TRY(potluck_check(__func__, comm));
    return MPI_Info_create(info);
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made) {
    (void)info;
    return MPI_Comm_dup(comm, made);
}
