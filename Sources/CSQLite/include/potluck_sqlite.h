// The parts of SQLite that Potluck uses. Swift imports functions directly. The functions defined here
// wrap functions with variable arguments, or macros with casts.

#ifndef POTLUCK_SQLITE_H
#define POTLUCK_SQLITE_H

#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#else
#error "SQLite's headers are missing: run 'make deps'"
#endif

#if SQLITE_VERSION_NUMBER < 3035000
#error "SQLite 3.35 or later is needed; this is an older one"
#endif

#include <stddef.h>
#include <stdint.h>

/// The length of a page's seal, which is stored in the last bytes of the page.
#define POTLUCK_SQLITE_SEAL_LENGTH 8

/// The names of the VFSs for stores. With SEALED every page must have a seal. With SEALING the first page says whether
/// pages have seals, which may change when the store is rewritten.
#define POTLUCK_SQLITE_SEALED "potluck-sealed"
#define POTLUCK_SQLITE_SEALING "potluck-sealing"

/// Registers these VFSs. Call it once.
void potluck_sqlite_add_seals(void);

/// Returns the seal of a page, given without the seal's bytes, at this offset in its file.
uint64_t potluck_sqlite_seal(const void *page, size_t count, uint64_t offset);

/// Makes SQLite reserve space for a seal in each page, from now on, of a new or rewritten file.
int potluck_sqlite_reserve(sqlite3 *database);

/// Protects against manipulated files: a schema cannot call functions or virtual tables that do more than read.
static inline int potluck_sqlite_defend(sqlite3 *database) {
    int status = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    return status != SQLITE_OK ? status : sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

static inline int potluck_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
    return sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}

static inline int potluck_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int length) {
    return length == 0 ? sqlite3_bind_zeroblob(statement, place, 0)
                       : sqlite3_bind_blob(statement, place, bytes, length, SQLITE_TRANSIENT);
}

#endif
