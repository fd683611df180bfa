// Wrong calls, as sentences.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

struct potluck_handler potluck_fatal = {false}, potluck_returns = {true};

static const char *const sentences[] = {
    "no error", "wrong buffer", "wrong count", "wrong type", "wrong tag", "wrong communicator", "wrong rank",
    "wrong request", "wrong root", "wrong group", "wrong operation", "wrong topology", "wrong dimensions",
    "wrong argument", "unknown error", "the message is longer than the buffer", "other error", "internal error",
    "an error in a status", "a pending request", "wrong key", "wrong info", "wrong key of an info",
    "wrong value of an info", "the info has no such key", "wrong window", "wrong size", "wrong unit",
    "outside the window", "wrong order of calls for a window", "ranks share no memory", "wrong kind of window",
    "wrong file", "wrong mode", "no such file", "the file is there already", "the file is open", "the file is only read",
    "the file is only written", "no space", "ranks name different files", "unknown form of a file",
};

int potluck_fail(MPI_Comm comm, int class, const char *call, const char *format, ...) {
    if (comm && comm->handler && comm->handler->returns) return class;
    char text[MPI_MAX_ERROR_STRING];
    int used = snprintf(text, sizeof text, "%s: ", call);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    fflush(stdout);
    fprintf(stderr, "%s\n", text);
    host_abort(class);
}

void *potluck_memory(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) potluck_fail(0, MPI_ERR_OTHER, "MPI", "no memory for %zu bytes", bytes);
    return memory;
}

int potluck_check(const char *call, MPI_Comm comm) {
    bool isInitialized, isFinalized;
    potluck_state(&isInitialized, &isFinalized);
    if (!isInitialized) return potluck_fail(0, MPI_ERR_OTHER, call, "call MPI_Init first");
    if (isFinalized) return potluck_fail(0, MPI_ERR_OTHER, call, "MPI_Finalize was called before");
    if (!comm) return potluck_fail(&potluck_world, MPI_ERR_COMM, call, "the communicator is MPI_COMM_NULL");
    return MPI_SUCCESS;
}

int potluck_check_root(const char *call, MPI_Comm comm, int root) {
    TRY(potluck_check(call, comm));
    if (root < 0 || root >= comm->size) {
        return potluck_fail(comm, MPI_ERR_ROOT, call, "there is no root %d; ranks are 0 to %d", root, comm->size - 1);
    }
    return MPI_SUCCESS;
}

int potluck_check_values(const char *call, MPI_Comm comm, const void *buffer, int count, MPI_Datatype type) {
    if (count < 0) return potluck_fail(comm, MPI_ERR_COUNT, call, "the count is %d; it must not be negative", count);
    if (!type) return potluck_fail(comm, MPI_ERR_TYPE, call, "the type is MPI_DATATYPE_NULL");
    if (!buffer && count > 0 && type->bytes > 0 && type->low == 0) {
        return potluck_fail(comm, MPI_ERR_BUFFER, call, "the buffer is NULL");
    }
    return MPI_SUCCESS;
}

int potluck_check_message(const char *call, MPI_Comm comm, const void *buffer, int count, MPI_Datatype type, int peer,
                          int tag, bool isReceived) {
    TRY(potluck_check(call, comm));
    TRY(potluck_check_values(call, comm, buffer, count, type));
    bool isAny = isReceived && peer == MPI_ANY_SOURCE;
    if (!isAny && peer != MPI_PROC_NULL && (peer < 0 || peer >= comm->size)) {
        return potluck_fail(comm, MPI_ERR_RANK, call, "there is no rank %d; ranks are 0 to %d", peer, comm->size - 1);
    }
    if (tag < 0 && !(isReceived && tag == MPI_ANY_TAG)) {
        return potluck_fail(comm, MPI_ERR_TAG, call, "the tag is %d; it must not be negative", tag);
    }
    return MPI_SUCCESS;
}

int MPI_Error_string(int code, char *text, int *length) {
    bool isKnown = code >= 0 && code < (int)(sizeof sentences / sizeof *sentences);
    strcpy(text, isKnown ? sentences[code] : "unknown error");
    *length = strlen(text);
    return MPI_SUCCESS;
}

int MPI_Error_class(int code, int *class) {
    *class = code;
    return MPI_SUCCESS;
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
    TRY(potluck_check(__func__, comm));
    comm->handler = handler;
    return MPI_SUCCESS;
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler) {
    TRY(potluck_check(__func__, comm));
    *handler = comm->handler;
    return MPI_SUCCESS;
}

int MPI_Errhandler_free(MPI_Errhandler *handler) {
    *handler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}
