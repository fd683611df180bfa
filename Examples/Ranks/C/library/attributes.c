// Attributes: values that programs attach to communicators, windows and types under keys of their own.

#include <stdlib.h>

#include "window.h"

struct attribute {
    int key;
    void *value;
    struct attribute *next;
};

// All handles are pointers, so one shape of function fits all three kinds of objects.
typedef int copy_function(void *object, int key, void *extra, void *value, void *copy, int *flag);
typedef int delete_function(void *object, int key, void *value, void *extra);

static struct key {
    copy_function *copy;
    delete_function *delete;
    void *extra;
    bool isFree;
} *keys;
static int keyCount;

// Those of MPI itself come before.
enum { first_key = POTLUCK_LAST_KEY };

static struct key *key_of(int key) {
    return key >= first_key && key < first_key + keyCount ? &keys[key - first_key] : 0;
}

static int create(copy_function *copy, delete_function *delete, int *key, void *extra) {
    keys = realloc(keys, (keyCount + 1) * sizeof *keys);
    if (!keys) return potluck_fail(0, MPI_ERR_OTHER, "MPI_Comm_create_keyval", "no memory for %d keys", keyCount + 1);
    keys[keyCount] = (struct key){copy, delete, extra, false};
    *key = first_key + keyCount++;
    return MPI_SUCCESS;
}

// Attributes that have the key keep it.
static int release(const char *call, int *key) {
    struct key *found = key_of(*key);
    if (!found || found->isFree) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_KEYVAL, call, "there is no key %d", *key);
    found->isFree = true;
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

static int check(const char *call, int key) {
    struct key *found = key_of(key);
    if (found && !found->isFree) return MPI_SUCCESS;
    return potluck_fail(MPI_COMM_WORLD, MPI_ERR_KEYVAL, call, "there is no key %d that a program can set", key);
}

static int remove_first(void *object, struct attribute **place) {
    struct attribute *gone = *place;
    struct key *key = key_of(gone->key);
    if (key->delete) TRY(key->delete(object, gone->key, gone->value, key->extra));
    *place = gone->next;
    free(gone);
    return MPI_SUCCESS;
}

int potluck_drop_attribute(void *object, struct attribute **attributes, int key) {
    for (struct attribute **place = attributes; *place; place = &(*place)->next) {
        if ((*place)->key == key) return remove_first(object, place);
    }
    return MPI_SUCCESS;
}

int potluck_drop_attributes(void *object, struct attribute **attributes) {
    while (*attributes) TRY(remove_first(object, attributes));
    return MPI_SUCCESS;
}

int potluck_set_attribute(void *object, struct attribute **attributes, int key, void *value) {
    TRY(potluck_drop_attribute(object, attributes, key));
    struct attribute *made = potluck_memory(sizeof *made);
    *made = (struct attribute){key, value, *attributes};
    *attributes = made;
    return MPI_SUCCESS;
}

bool potluck_get_attribute(const struct attribute *attributes, int key, void *value) {
    for (; attributes; attributes = attributes->next) {
        if (attributes->key != key) continue;
        *(void **)value = attributes->value;
        return true;
    }
    return false;
}

// A copy gets those whose functions want it, in the order in which they were set.
int potluck_copy_attributes(void *from, struct attribute *attributes, struct attribute **copy) {
    for (; attributes; attributes = attributes->next) {
        struct key *key = key_of(attributes->key);
        void *value = 0;
        int flag = false;
        if (key->copy) TRY(key->copy(from, attributes->key, key->extra, attributes->value, &value, &flag));
        if (!flag) continue;
        *copy = potluck_memory(sizeof **copy);
        **copy = (struct attribute){attributes->key, value, 0};
        copy = &(*copy)->next;
    }
    return MPI_SUCCESS;
}

#define COPIES(name, object) \
    int name(object copied, int key, void *extra, void *value, void *copy, int *flag) { \
        (void)copied, (void)key, (void)extra; \
        *(void **)copy = value; \
        *flag = true; \
        return MPI_SUCCESS; \
    }
COPIES(MPI_COMM_DUP_FN, MPI_Comm)
COPIES(MPI_TYPE_DUP_FN, MPI_Datatype)
COPIES(MPI_WIN_DUP_FN, MPI_Win)

// The calls for each kind of object.
#define KEYS(Kind, object) \
    int MPI_##Kind##_create_keyval(MPI_##Kind##_copy_attr_function *copy, MPI_##Kind##_delete_attr_function *delete, \
                                   int *key, void *extra) { \
        return create((copy_function *)(void *)copy, (delete_function *)(void *)delete, key, extra); \
    } \
    int MPI_##Kind##_free_keyval(int *key) { return release(__func__, key); } \
    int MPI_##Kind##_set_attr(object owner, int key, void *value) { \
        TRY(check(__func__, key)); \
        return potluck_set_attribute(owner, &owner->attributes, key, value); \
    } \
    int MPI_##Kind##_delete_attr(object owner, int key) { \
        TRY(check(__func__, key)); \
        return potluck_drop_attribute(owner, &owner->attributes, key); \
    }
KEYS(Comm, MPI_Comm)
KEYS(Type, MPI_Datatype)
KEYS(Win, MPI_Win)

int MPI_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag) {
    *flag = potluck_get_attribute(type->attributes, key, value);
    return MPI_SUCCESS;
}
