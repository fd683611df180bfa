// Files: reading and writing.

#include <stdlib.h>
#include <string.h>

#include "file.h"

// A read or a write of a rank.
struct access {
    const char *call;
    MPI_File file;
    bool isWrite;
    void *buffer;
    int count;
    MPI_Datatype type;
};

static int check(struct access access, MPI_Offset place) {
    MPI_File file = access.file;
    TRY(potluck_check_file(access.call, file));
    TRY(potluck_check_values(access.call, file->comm, access.buffer, access.count, access.type));
    if (place < 0) return potluck_fail(file->comm, MPI_ERR_ARG, access.call, "there is no place %lld", place);
    if (access.isWrite && file->mode & MPI_MODE_RDONLY) {
        return potluck_fail(file->comm, MPI_ERR_READ_ONLY, access.call, "the file is only read");
    }
    if (!access.isWrite && file->mode & MPI_MODE_WRONLY) {
        return potluck_fail(file->comm, MPI_ERR_ACCESS, access.call, "the file is only written");
    }
    return MPI_SUCCESS;
}

// A stretch of the file.
struct reach {
    MPI_Offset place;
    size_t bytes;
};

// Where the view's byte `place` is in the file, and how many of its next bytes follow there.
static struct reach reach(MPI_File file, MPI_Offset place, size_t most) {
    MPI_Datatype pattern = file->pattern;
    if (potluck_is_plain(pattern)) return (struct reach){file->start + place, most};
    MPI_Offset start = file->start + place / pattern->bytes * pattern->extent;
    size_t rest = place % pattern->bytes;
    const struct piece *piece = pattern->pieces;
    while (rest >= piece->bytes) rest -= piece++->bytes;
    size_t bytes = piece->bytes - rest;
    return (struct reach){start + piece->place + rest, bytes < most ? bytes : most};
}

static void write_part(MPI_File file, struct reach part, const char *from) {
    struct bytes *content = &file->stored->content;
    if (part.place + part.bytes > content->used) potluck_resize(file->stored, part.place + part.bytes);
    memcpy(content->at + part.place, from, part.bytes);
    struct written written = {part.place, part.bytes};
    memcpy(potluck_grow(&file->writes, sizeof written), &written, sizeof written);
    memcpy(potluck_grow(&file->writes, part.bytes), from, part.bytes);
}

// Reads or writes the view's bytes from `place` on. Sets how many there were: a file that is read may end before.
static int move(struct access access, MPI_Offset place, size_t *moved) {
    MPI_File file = access.file;
    TRY(check(access, place));
    size_t bytes = access.count * access.type->bytes;
    *moved = 0;
    place *= file->unit->bytes;
    if (access.isWrite && bytes > 0) {
        MPI_Offset end = reach(file, place + bytes - 1, 1).place + 1;
        if (end > POTLUCK_LARGEST_FILE) {
            return potluck_fail(file->comm, MPI_ERR_NO_SPACE, access.call, "%lld bytes are too many; a file has at most %lld",
                                end, POTLUCK_LARGEST_FILE);
        }
    }
    char *packed = potluck_memory(bytes);
    if (access.isWrite) potluck_pack(access.buffer, access.count, access.type, packed);
    while (*moved < bytes) {
        struct reach part = reach(file, place + *moved, bytes - *moved);
        if (access.isWrite) {
            write_part(file, part, packed + *moved);
        } else {
            MPI_Offset left = (MPI_Offset)file->stored->content.used - part.place;
            if (left <= 0) break;
            if ((MPI_Offset)part.bytes > left) part.bytes = left;
            memcpy(packed + *moved, file->stored->content.at + part.place, part.bytes);
        }
        *moved += part.bytes;
    }
    if (!access.isWrite) potluck_unpack(packed, *moved, access.buffer, access.count, access.type);
    free(packed);
    return MPI_SUCCESS;
}

static void tell(MPI_Status *status, size_t moved) {
    if (status) status->potluck_bytes = moved;
}

// At a place that the call names.
static int at(struct access access, MPI_Offset place, MPI_Status *status) {
    size_t moved;
    TRY(move(access, place, &moved));
    tell(status, moved);
    return MPI_SUCCESS;
}

// At the rank's own place, which moves on.
static int next(struct access access, MPI_Status *status) {
    size_t moved;
    TRY(potluck_check_file(access.call, access.file));
    TRY(move(access, access.file->place, &moved));
    access.file->place += moved / access.file->unit->bytes;
    tell(status, moved);
    return MPI_SUCCESS;
}

// All ranks of the file, one after the other, from the place that they share.
static int ordered(struct access access, MPI_Status *status) {
    MPI_File file = access.file;
    TRY(potluck_check_file(access.call, file));
    TRY(potluck_check_values(access.call, file->comm, access.buffer, access.count, access.type));
    MPI_Offset own = access.count * access.type->bytes / file->unit->bytes, before = 0, total;
    TRY(MPI_Exscan(&own, &before, 1, MPI_LONG_LONG, MPI_SUM, file->comm));
    TRY(MPI_Allreduce(&own, &total, 1, MPI_LONG_LONG, MPI_SUM, file->comm));
    if (!access.isWrite) TRY(potluck_exchange_writes(file));
    TRY(at(access, file->shared + before, status));
    file->shared += total;
    return access.isWrite ? potluck_exchange_writes(file) : MPI_SUCCESS;
}

#define READ ((struct access){__func__, file, false, buffer, count, type})
#define WRITE ((struct access){__func__, file, true, (void *)buffer, count, type})

int MPI_File_read_at(MPI_File file, MPI_Offset place, void *buffer, int count, MPI_Datatype type, MPI_Status *status) {
    return at(READ, place, status);
}

int MPI_File_write_at(MPI_File file, MPI_Offset place, const void *buffer, int count, MPI_Datatype type,
                      MPI_Status *status) {
    return at(WRITE, place, status);
}

int MPI_File_read(MPI_File file, void *buffer, int count, MPI_Datatype type, MPI_Status *status) {
    return next(READ, status);
}

int MPI_File_write(MPI_File file, const void *buffer, int count, MPI_Datatype type, MPI_Status *status) {
    return next(WRITE, status);
}

int MPI_File_read_at_all(MPI_File file, MPI_Offset place, void *buffer, int count, MPI_Datatype type,
                         MPI_Status *status) {
    TRY(potluck_check_file(__func__, file));
    TRY(potluck_exchange_writes(file));
    return at(READ, place, status);
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset place, const void *buffer, int count, MPI_Datatype type,
                          MPI_Status *status) {
    TRY(at(WRITE, place, status));
    return potluck_exchange_writes(file);
}

int MPI_File_read_all(MPI_File file, void *buffer, int count, MPI_Datatype type, MPI_Status *status) {
    TRY(potluck_check_file(__func__, file));
    TRY(potluck_exchange_writes(file));
    return next(READ, status);
}

int MPI_File_write_all(MPI_File file, const void *buffer, int count, MPI_Datatype type, MPI_Status *status) {
    TRY(next(WRITE, status));
    return potluck_exchange_writes(file);
}

int MPI_File_read_ordered(MPI_File file, void *buffer, int count, MPI_Datatype type, MPI_Status *status) {
    return ordered(READ, status);
}

int MPI_File_write_ordered(MPI_File file, const void *buffer, int count, MPI_Datatype type, MPI_Status *status) {
    return ordered(WRITE, status);
}

// Those that do not block are done at once: a file is in memory.

static int begin(int error, const MPI_Status *status, MPI_Request *request) {
    if (!error) *request = potluck_done(status->potluck_bytes);
    return error;
}

int MPI_File_iread_at(MPI_File file, MPI_Offset place, void *buffer, int count, MPI_Datatype type, MPI_Request *request) {
    MPI_Status status;
    return begin(at(READ, place, &status), &status, request);
}

int MPI_File_iwrite_at(MPI_File file, MPI_Offset place, const void *buffer, int count, MPI_Datatype type,
                       MPI_Request *request) {
    MPI_Status status;
    return begin(at(WRITE, place, &status), &status, request);
}

int MPI_File_iread(MPI_File file, void *buffer, int count, MPI_Datatype type, MPI_Request *request) {
    MPI_Status status;
    return begin(next(READ, &status), &status, request);
}

int MPI_File_iwrite(MPI_File file, const void *buffer, int count, MPI_Datatype type, MPI_Request *request) {
    MPI_Status status;
    return begin(next(WRITE, &status), &status, request);
}

// Places.

static int seek(const char *call, MPI_File file, MPI_Offset *place, MPI_Offset distance, int from) {
    TRY(potluck_check_file(call, file));
    MPI_Offset start = from == MPI_SEEK_CUR ? *place : 0;
    if (from == MPI_SEEK_END) {
        // The first unit of the view that begins behind the file's last byte. It is in the last value of the pattern that
        // begins within the file, or in the next one.
        MPI_Offset bytes = file->stored->content.used, values = (bytes - file->start) / file->pattern->extent;
        if (values > 1) start = (values - 1) * (MPI_Offset)(file->pattern->bytes / file->unit->bytes);
        while (reach(file, start * file->unit->bytes, 1).place < bytes) start++;
    }
    if (start + distance < 0) return potluck_fail(file->comm, MPI_ERR_ARG, call, "there is no place %lld", start + distance);
    *place = start + distance;
    return MPI_SUCCESS;
}

int MPI_File_seek(MPI_File file, MPI_Offset distance, int from) {
    TRY(potluck_check_file(__func__, file));
    return seek(__func__, file, &file->place, distance, from);
}

int MPI_File_seek_shared(MPI_File file, MPI_Offset distance, int from) {
    TRY(potluck_check_file(__func__, file));
    TRY(potluck_exchange_writes(file));
    return seek(__func__, file, &file->shared, distance, from);
}

int MPI_File_get_position(MPI_File file, MPI_Offset *place) {
    TRY(potluck_check_file(__func__, file));
    *place = file->place;
    return MPI_SUCCESS;
}

int MPI_File_get_position_shared(MPI_File file, MPI_Offset *place) {
    TRY(potluck_check_file(__func__, file));
    *place = file->shared;
    return MPI_SUCCESS;
}

int MPI_File_get_byte_offset(MPI_File file, MPI_Offset place, MPI_Offset *byte) {
    TRY(potluck_check_file(__func__, file));
    if (place < 0) return potluck_fail(file->comm, MPI_ERR_ARG, __func__, "there is no place %lld", place);
    *byte = reach(file, place * file->unit->bytes, 1).place;
    return MPI_SUCCESS;
}
