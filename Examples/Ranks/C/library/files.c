// Files: opening, views, sizes and the end.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

static struct stored *all;
static MPI_File opened;

// Whose handler is asked before a file is open. A program may well try whether a file is there.
static struct potluck_comm unopened = {.handler = MPI_ERRORS_RETURN};

int potluck_check_file(const char *call, MPI_File file) {
    if (!file) return potluck_fail(&unopened, MPI_ERR_FILE, call, "the file is MPI_FILE_NULL");
    return potluck_check(call, file->comm);
}

void potluck_resize(struct stored *stored, size_t bytes) {
    size_t now = stored->content.used;
    if (bytes > now) memset(potluck_grow(&stored->content, bytes - now), 0, bytes - now);
    stored->content.used = bytes;
}

static struct stored *find(const char *name) {
    struct stored *found = all;
    while (found && strcmp(found->name, name) != 0) found = found->next;
    return found;
}

static struct stored *find_or_make(const char *name) {
    struct stored *found = find(name);
    if (found) return found;
    found = potluck_memory(sizeof *found);
    *found = (struct stored){.name = strcpy(potluck_memory(strlen(name) + 1), name), .next = all};
    return all = found;
}

// A change: the rank of the world that counted it, and its number there.
struct mark {
    int rank, number;
};
enum { nobody = -1 };

// The ranks of a program delete a file each, or one of them does for all. So all these changes are the same one.
static void delete(struct stored *stored) {
    *(struct mark *)potluck_grow(&stored->history, sizeof(struct mark)) = (struct mark){nobody, 0};
    stored->isThere = false;
    free(stored->content.at);
    stored->content = (struct bytes){0};
}

// What a rank tells the others before they exchange bytes.
struct news {
    int bytes, number;
};

static int next_number(void) {
    static int number;
    return number++;
}

// Gets what all ranks have written, and writes it in the order of ranks, so that all have the same file.
static int write_all(MPI_File file, const struct news *news, int total) {
    MPI_Comm comm = file->comm;
    int *counts = potluck_memory(2 * comm->size * sizeof *counts), *places = counts + comm->size;
    for (int rank = 0; rank < comm->size; rank++) {
        counts[rank] = news[rank].bytes;
        places[rank] = rank > 0 ? places[rank - 1] + counts[rank - 1] : 0;
    }
    char *writes = potluck_memory(total);
    int error = MPI_Allgatherv(file->writes.at, counts[comm->rank], MPI_BYTE, writes, counts, places, MPI_BYTE, comm);
    for (char *next = writes; !error && next < writes + total;) {
        struct written written;
        memcpy(&written, next, sizeof written);
        next += sizeof written;
        size_t end = written.place + written.bytes;
        if (end > file->stored->content.used) potluck_resize(file->stored, end);
        memcpy(file->stored->content.at + written.place, next, written.bytes);
        next += written.bytes;
    }
    free(writes);
    free(counts);
    return error;
}

// All ranks of the file change it alike. `change` is true if it changes even if nobody has written.
static int exchange(MPI_File file, bool change) {
    MPI_Comm comm = file->comm;
    struct news own = {file->writes.used, next_number()}, *news = potluck_memory(comm->size * sizeof *news);
    int error = MPI_Allgather(&own, sizeof own, MPI_BYTE, news, sizeof own, MPI_BYTE, comm);
    MPI_Offset total = 0;
    for (int rank = 0; !error && rank < comm->size; rank++) total += news[rank].bytes;
    if (total > POTLUCK_LARGEST_FILE) {
        error = potluck_fail(comm, MPI_ERR_NO_SPACE, "MPI_File_sync",
                             "the ranks have written %lld bytes, which are too many at once; call MPI_File_sync before", total);
    } else if (!error && total > 0) {
        error = write_all(file, news, total);
    }
    if (!error && (total > 0 || change)) {
        struct mark mark = {comm->members[0], news[0].number};
        memcpy(potluck_grow(&file->stored->history, sizeof mark), &mark, sizeof mark);
    }
    if (!error) file->writes.used = 0;
    free(news);
    return error;
}

int potluck_exchange_writes(MPI_File file) { return exchange(file, false); }

// Programs expect that all ranks can read behind a barrier what was written before it.
int potluck_exchange_all_writes(MPI_Comm comm) {
    for (MPI_File file = opened; file; file = file->next) {
        bool isOfAll = file->comm->size == comm->size;
        for (int i = 0; isOfAll && i < comm->size; i++) isOfAll = file->comm->members[i] == comm->members[i];
        if (isOfAll) TRY(exchange(file, false));
    }
    return MPI_SUCCESS;
}

// Gives all ranks the file of the one that knows most. False for a file that two of them changed without each other.
static int agree(struct stored *stored, MPI_Comm comm, int *isOne) {
    int own[] = {stored->history.used, stored->content.used, stored->isThere}, *found = potluck_memory(comm->size * sizeof own);
    TRY(MPI_Allgather(own, 3, MPI_INT, found, 3, MPI_INT, comm));
    int best = 0;
    bool areAllKnown = true;
    for (int rank = 1; rank < comm->size; rank++) {
        areAllKnown &= found[3 * rank] == found[0];
        if (found[3 * rank] > found[3 * best]) best = rank;
    }
    int marks = found[3 * best], bytes = found[3 * best + 1], isThere = found[3 * best + 2];
    free(found);
    char *history = potluck_memory(marks);
    if (comm->rank == best && marks > 0) memcpy(history, stored->history.at, marks);
    TRY(MPI_Bcast(history, marks, MPI_BYTE, best, comm));
    int isKnown = own[0] == marks, isOlder = own[0] == 0 || memcmp(history, stored->history.at, own[0]) == 0;
    TRY(MPI_Allreduce(&isOlder, isOne, 1, MPI_INT, MPI_LAND, comm));
    if (*isOne && !areAllKnown) {
        if (!isKnown) {
            stored->history.used = 0;
            memcpy(potluck_grow(&stored->history, marks), history, marks);
            stored->isThere = isThere;
            potluck_resize(stored, bytes);
        }
        TRY(MPI_Bcast(stored->content.at, bytes, MPI_BYTE, best, comm));
    }
    free(history);
    return MPI_SUCCESS;
}

static int check_mode(MPI_Comm comm, const char *call, int mode) {
    int ways = !!(mode & MPI_MODE_RDONLY) + !!(mode & MPI_MODE_WRONLY) + !!(mode & MPI_MODE_RDWR);
    if (ways != 1) {
        return potluck_fail(comm, MPI_ERR_AMODE, call,
                            "the mode must have one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR");
    }
    if (mode & MPI_MODE_RDONLY && mode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) {
        return potluck_fail(comm, MPI_ERR_AMODE, call, "a file that is only read cannot be created");
    }
    return MPI_SUCCESS;
}

// Whether all ranks open the same file the same way.
static int is_same(MPI_Comm comm, const char *name, int mode, int *isSame) {
    int hash = mode, least, most;
    for (const char *next = name; *next; next++) hash = (int)((unsigned)hash * 31 + (unsigned char)*next);
    TRY(MPI_Allreduce(&hash, &least, 1, MPI_INT, MPI_MIN, comm));
    TRY(MPI_Allreduce(&hash, &most, 1, MPI_INT, MPI_MAX, comm));
    *isSame = least == most;
    return MPI_SUCCESS;
}

int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *made) {
    (void)info;
    TRY(potluck_check(__func__, comm));
    *made = MPI_FILE_NULL;
    int isSame, isOne;
    TRY(check_mode(&unopened, __func__, mode));
    TRY(is_same(comm, name, mode, &isSame));
    if (!isSame) {
        return potluck_fail(&unopened, MPI_ERR_NOT_SAME, __func__, "all ranks must give the same name and the same mode");
    }
    struct stored *stored = find_or_make(name);
    TRY(agree(stored, comm, &isOne));
    if (!isOne) {
        return potluck_fail(&unopened, MPI_ERR_FILE, __func__,
                            "ranks have changed '%s' without each other; open it with a communicator of all of them", name);
    }
    if (!stored->isThere && !(mode & MPI_MODE_CREATE)) {
        return potluck_fail(&unopened, MPI_ERR_NO_SUCH_FILE, __func__,
                            "the program has written no file '%s', and it cannot read those of the machine", name);
    }
    if (stored->isThere && mode & MPI_MODE_EXCL) {
        return potluck_fail(&unopened, MPI_ERR_FILE_EXISTS, __func__, "there is a file '%s'", name);
    }
    MPI_File file = *made = potluck_memory(sizeof *file);
    *file = (struct potluck_file){
        .comm = potluck_new_comm(comm, potluck_next_number(comm), comm->size, comm->rank, comm->members), .mode = mode,
        .stored = stored, .unit = MPI_BYTE, .pattern = MPI_BYTE,
    };
    file->comm->handler = unopened.handler;
    stored->opened++;
    if (!stored->isThere) {
        stored->isThere = true;
        TRY(exchange(file, true));
    }
    if (mode & MPI_MODE_APPEND) file->place = file->shared = stored->content.used;
    MPI_File *last = &opened;
    while (*last) last = &(*last)->next;
    *last = file;
    return MPI_SUCCESS;
}

int MPI_File_close(MPI_File *closed) {
    MPI_File file = *closed;
    TRY(potluck_check_file(__func__, file));
    TRY(exchange(file, false));
    if (--file->stored->opened == 0 && file->mode & MPI_MODE_DELETE_ON_CLOSE) delete(file->stored);
    MPI_File *place = &opened;
    while (*place != file) place = &(*place)->next;
    *place = file->next;
    free(file->writes.at);
    free(file->comm);
    free(file);
    *closed = MPI_FILE_NULL;
    return MPI_SUCCESS;
}

int MPI_File_delete(const char *name, MPI_Info info) {
    (void)info;
    TRY(potluck_check(__func__, &potluck_world));
    struct stored *stored = find(name);
    if (!stored || !stored->isThere) {
        return potluck_fail(&unopened, MPI_ERR_NO_SUCH_FILE, __func__, "there is no file '%s'", name);
    }
    if (stored->opened > 0) return potluck_fail(&unopened, MPI_ERR_FILE_IN_USE, __func__, "'%s' is open; close it first", name);
    delete(stored);
    return MPI_SUCCESS;
}

// What is written and not printed is gone, which nobody should have to find out. The rank that counted the last change says so.
void potluck_tell_lost_files(void) {
    for (struct stored *stored = all; stored; stored = stored->next) {
        if (!stored->isThere || stored->content.used == 0) continue;
        struct mark last;
        memcpy(&last, stored->history.at + stored->history.used - sizeof last, sizeof last);
        if (last.rank != potluck_world.rank) continue;
        fflush(stdout);
        fprintf(stderr, "the file '%s' of %zu bytes was in the memory of the program and is gone; print what you need\n",
                stored->name, stored->content.used);
    }
}

// Sizes.

int MPI_File_get_size(MPI_File file, MPI_Offset *bytes) {
    TRY(potluck_check_file(__func__, file));
    *bytes = file->stored->content.used;
    return MPI_SUCCESS;
}

static int resize(const char *call, MPI_File file, MPI_Offset bytes, bool isShortened) {
    TRY(potluck_check_file(call, file));
    if (file->mode & MPI_MODE_RDONLY) return potluck_fail(file->comm, MPI_ERR_READ_ONLY, call, "the file is only read");
    if (bytes < 0) return potluck_fail(file->comm, MPI_ERR_ARG, call, "the size is %lld; it must not be negative", bytes);
    if (bytes > POTLUCK_LARGEST_FILE) {
        return potluck_fail(file->comm, MPI_ERR_NO_SPACE, call, "%lld bytes are too many; a file has at most %lld", bytes,
                            POTLUCK_LARGEST_FILE);
    }
    TRY(exchange(file, true));
    if (isShortened || (size_t)bytes > file->stored->content.used) potluck_resize(file->stored, bytes);
    return MPI_SUCCESS;
}

int MPI_File_set_size(MPI_File file, MPI_Offset bytes) { return resize(__func__, file, bytes, true); }
int MPI_File_preallocate(MPI_File file, MPI_Offset bytes) { return resize(__func__, file, bytes, false); }

int MPI_File_sync(MPI_File file) {
    TRY(potluck_check_file(__func__, file));
    return exchange(file, false);
}

// Views.

int MPI_File_set_view(MPI_File file, MPI_Offset start, MPI_Datatype unit, MPI_Datatype pattern, const char *form,
                      MPI_Info info) {
    (void)info;
    TRY(potluck_check_file(__func__, file));
    if (start < 0) return potluck_fail(file->comm, MPI_ERR_ARG, __func__, "the view begins at byte %lld", start);
    if (!unit || !pattern) return potluck_fail(file->comm, MPI_ERR_TYPE, __func__, "the type is MPI_DATATYPE_NULL");
    if (unit->bytes == 0 || pattern->bytes == 0 || pattern->bytes % unit->bytes != 0 || pattern->low < 0) {
        return potluck_fail(file->comm, MPI_ERR_ARG, __func__, "the file's type must consist of values of the view's type");
    }
    if (strcmp(form, "native") != 0 && strcmp(form, "internal") != 0) {
        return potluck_fail(file->comm, MPI_ERR_UNSUPPORTED_DATAREP, __func__, "the form is '%s'; it must be native", form);
    }
    TRY(exchange(file, false));
    file->start = start;
    file->unit = unit;
    file->pattern = pattern;
    file->place = file->shared = 0;
    return MPI_SUCCESS;
}

int MPI_File_get_view(MPI_File file, MPI_Offset *start, MPI_Datatype *unit, MPI_Datatype *pattern, char *form) {
    TRY(potluck_check_file(__func__, file));
    *start = file->start;
    *unit = file->unit;
    *pattern = file->pattern;
    strcpy(form, "native");
    return MPI_SUCCESS;
}

int MPI_File_get_type_extent(MPI_File file, MPI_Datatype type, MPI_Aint *extent) {
    TRY(potluck_check_file(__func__, file));
    return MPI_Type_extent(type, extent);
}

// What a program asks about a file.

int MPI_File_get_amode(MPI_File file, int *mode) {
    TRY(potluck_check_file(__func__, file));
    *mode = file->mode;
    return MPI_SUCCESS;
}

int MPI_File_get_group(MPI_File file, MPI_Group *group) {
    TRY(potluck_check_file(__func__, file));
    return MPI_Comm_group(file->comm, group);
}

int MPI_File_set_info(MPI_File file, MPI_Info info) {
    (void)info;
    return potluck_check_file(__func__, file);
}

int MPI_File_get_info(MPI_File file, MPI_Info *info) {
    TRY(potluck_check_file(__func__, file));
    return MPI_Info_create(info);
}

int MPI_File_get_atomicity(MPI_File file, int *flag) {
    *flag = false;
    return potluck_check_file(__func__, file);
}

int MPI_File_set_errhandler(MPI_File file, MPI_Errhandler handler) {
    (file ? file->comm : &unopened)->handler = handler;
    return MPI_SUCCESS;
}

int MPI_File_get_errhandler(MPI_File file, MPI_Errhandler *handler) {
    *handler = (file ? file->comm : &unopened)->handler;
    return MPI_SUCCESS;
}
