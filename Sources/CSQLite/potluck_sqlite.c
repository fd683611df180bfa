#include "potluck_sqlite.h"

#include <string.h>

// A VFS layer above SQLite's own. It writes a seal into the last bytes of each page of a store, and verifies it when
// the page is read. SQLite leaves these bytes free if it is told to reserve them.

enum { header_length = 100, reserved_at = 20, smallest_page = 512, largest_page = 65536 };

// Stored behind SQLite's own part of an open file.
struct sealed_file {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *below;
    // Whether pages have seals, according to the first page. Always true if `is_certain`.
    int has_seals;
    int is_certain;
};

static sqlite3_vfs *base;
static sqlite3_vfs sealed, sealing;

uint64_t potluck_sqlite_seal(const void *page, size_t count, uint64_t offset) {
    // The same as `Seal` in Swift. Each step is invertible, so a change of one word always changes the seal. A page of
    // zeros has a seal other than zero, and the same page at another offset has another seal.
    uint64_t value = 0xcbf29ce484222325u ^ offset;
    for (size_t at = 0; at + 8 <= count; at += 8) {
        uint64_t word;
        memcpy(&word, (const unsigned char *)page + at, 8);
        value = (value ^ word) * 0x100000001b3u;
        value ^= value >> 29;
    }
    return value;
}

static struct sealed_file *part_of(sqlite3_file *file) {
    return (struct sealed_file *)((char *)file + ((base->szOsFile + 15) & ~15));
}

// All other reads and writes of a store's file are smaller than a page.
static int is_page(int count, sqlite3_int64 offset) {
    return count >= smallest_page && count <= largest_page && (count & (count - 1)) == 0 && offset % count == 0;
}

static void learn(struct sealed_file *part, const void *bytes, int count, sqlite3_int64 offset) {
    if (part->is_certain || offset != 0 || count < header_length) return;
    part->has_seals = ((const unsigned char *)bytes)[reserved_at] == POTLUCK_SQLITE_SEAL_LENGTH;
}

static int read_page(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    struct sealed_file *part = part_of(file);
    int status = part->below->xRead(file, bytes, count, offset);
    if (status != SQLITE_OK) return status;
    learn(part, bytes, count, offset);
    if (!part->has_seals || !is_page(count, offset)) return SQLITE_OK;
    size_t length = (size_t)count - POTLUCK_SQLITE_SEAL_LENGTH;
    uint64_t seal = potluck_sqlite_seal(bytes, length, (uint64_t)offset);
    return memcmp((char *)bytes + length, &seal, sizeof seal) == 0 ? SQLITE_OK : SQLITE_IOERR_DATA;
}

static int write_page(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    struct sealed_file *part = part_of(file);
    learn(part, bytes, count, offset);
    if (part->has_seals && is_page(count, offset)) {
        // These bytes are SQLite's own memory, reserved for the seal.
        size_t length = (size_t)count - POTLUCK_SQLITE_SEAL_LENGTH;
        uint64_t seal = potluck_sqlite_seal(bytes, length, (uint64_t)offset);
        memcpy((char *)bytes + length, &seal, sizeof seal);
    }
    return part->below->xWrite(file, bytes, count, offset);
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given) {
    int status = base->xOpen(base, name, file, flags, given);
    if (status != SQLITE_OK || file->pMethods == NULL || !(flags & SQLITE_OPEN_MAIN_DB)) return status;
    struct sealed_file *part = part_of(file);
    part->below = file->pMethods;
    part->methods = *part->below;
    part->methods.xRead = read_page;
    part->methods.xWrite = write_page;
    // Version 3 adds memory mapping, which would give access to pages without reading them.
    if (part->methods.iVersion > 2) part->methods.iVersion = 2;
    part->is_certain = part->has_seals = vfs == &sealed;
    file->pMethods = &part->methods;
    return SQLITE_OK;
}

static void add(sqlite3_vfs *vfs, const char *name) {
    *vfs = *base;
    vfs->zName = name;
    vfs->pNext = NULL;
    vfs->szOsFile = ((base->szOsFile + 15) & ~15) + (int)sizeof(struct sealed_file);
    vfs->xOpen = open_file;
    sqlite3_vfs_register(vfs, 0);
}

void potluck_sqlite_add_seals(void) {
    base = sqlite3_vfs_find(NULL);
    if (base == NULL) return;
    add(&sealed, POTLUCK_SQLITE_SEALED);
    add(&sealing, POTLUCK_SQLITE_SEALING);
}

int potluck_sqlite_reserve(sqlite3 *database) {
    int count = POTLUCK_SQLITE_SEAL_LENGTH;
    return sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &count);
}
