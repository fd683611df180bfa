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
