// SQLite, as far as Potluck uses it. Swift imports the functions themselves; what is here takes variable arguments or is a
// macro that casts.

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

/// The last octets of a page, which have its seal.
#define POTLUCK_SQLITE_SEAL_LENGTH 8

/// Names to open a store by: all of whose pages have seals, and one whose first page says so, which may change when it is rewritten.
#define POTLUCK_SQLITE_SEALED "potluck-sealed"
#define POTLUCK_SQLITE_SEALING "potluck-sealing"

/// Makes these names known. To be called once.
void potluck_sqlite_add_seals(void);

/// What a page without its seal comes to, at that place of its file.
uint64_t potluck_sqlite_seal(const void *page, size_t count, uint64_t offset);

/// Has SQLite leave room for seals in each page that it writes from now on to a new or rewritten file.
int potluck_sqlite_reserve(sqlite3 *database);

/// Whoever hands us a file cannot make SQLite do more than read it: no functions or tables of a schema's own making.
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
