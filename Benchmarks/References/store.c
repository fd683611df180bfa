// Does the same to a history of runs as Benchmarks/Store, with the same statements in a bare loop in C.
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// A coded run in Benchmarks/Store is about as long; most of it is the course and the nodes.
enum { NODES = 8, PIECE = 2668 };

static uint64_t state;
static sqlite3 *db;
static unsigned char sink[1 << 16];

static uint64_t next(void) {
    uint64_t word = state += 0x9e3779b97f4a7c15u;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
}

static uint64_t below(uint64_t bound) { return (uint64_t)(((unsigned __int128)next() * bound) >> 64); }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

enum {
    BEGIN, COMMIT, RUN, PIECE_OF_RUN, SHARES, PARAMETER, READING, NOTE, LIST, REMOVE, R_PARAMETER, R_RUN, BEGIN_READ, STATEMENTS
};

static const char *const texts[STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [BEGIN_READ] = "BEGIN",
    [COMMIT] = "COMMIT",
    [RUN] = "INSERT INTO run VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(key) DO NOTHING",
    [PIECE_OF_RUN] = "INSERT OR REPLACE INTO piece VALUES(?, ?, ?)",
    [SHARES] = "INSERT INTO share VALUES(?, ?)",
    [PARAMETER] = "INSERT INTO parameter VALUES(?, ?, ?, ?, ?)",
    [READING] = "INSERT INTO reading VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [NOTE] = "INSERT INTO note(run, at, text) VALUES(?, ?, ?)",
    [LIST] = "SELECT run.id, started_at, simulation, trials, elapsed, run.rate, cores, nodes, completion, digest,"
             " EXISTS (SELECT 1 FROM note WHERE run = run.id), reading.name, kind, value, low, high, exact, varies, spoilt"
             " FROM run LEFT JOIN reading ON reading.run = run.id AND reading.place = 0"
             " WHERE 1 AND run.simulation = ? AND run.started_at >= ? AND"
             " ((SELECT number FROM parameter WHERE run = run.id AND +name = ? LIMIT 1) > ? AND run.trials >= ?)"
             " ORDER BY run.rate DESC, run.id DESC LIMIT ?",
    [REMOVE] = "DELETE FROM run WHERE id = ?",
    [R_PARAMETER] = "SELECT name || ' ' || text FROM parameter WHERE run = ? ORDER BY place",
    [R_RUN] = "SELECT octets, seal FROM piece WHERE run = ?",
};
static sqlite3_stmt *statements[STATEMENTS];

static void text(sqlite3_stmt *s, int place, const char *t) { sqlite3_bind_text(s, place, t, -1, SQLITE_TRANSIENT); }

static int64_t listed[64];

// Runs a statement to its end and reads all its results.
static int run(int which) {
    sqlite3_stmt *s = statements[which];
    int status, rows = 0;
    while ((status = sqlite3_step(s)) == SQLITE_ROW) {
        listed[rows++ % 64] = sqlite3_column_int64(s, 0);
        for (int c = 0; c < sqlite3_column_count(s); c++) {
            int type = sqlite3_column_type(s, c);
            if (type == SQLITE_INTEGER) {
                *(int64_t *)sink = sqlite3_column_int64(s, c);
            } else if (type == SQLITE_FLOAT) {
                *(double *)sink = sqlite3_column_double(s, c);
            } else if (type != SQLITE_NULL) {
                const void *bytes = sqlite3_column_blob(s, c);
                int count = sqlite3_column_bytes(s, c);
                if (count > (int)sizeof sink) count = sizeof sink;
                if (count > 0) memcpy(sink, bytes, count);
            }
        }
    }
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return status == SQLITE_DONE ? rows : -1;
}

static void digits(char *to, int count) {
    for (int i = 0; i < count; i++) to[i] = "0123456789abcdef"[below(16)];
    to[count] = 0;
}

static int record(void) {
    char key[33], digest[65], name[32];
    digits(key, 32);
    digits(digest, 64);
    static unsigned char blob[PIECE];
    uint64_t doors = 3 + below(5), trials = 1 + below(1000000000000u);
    if (run(BEGIN) < 0) return -1;
    sqlite3_stmt *s = statements[RUN];
    text(s, 1, key);
    text(s, 2, below(2) ? "monty-hall" : "pi");
    sqlite3_bind_int64(s, 3, 1700000000000 + below(86400000ull * 300));
    sqlite3_bind_int64(s, 4, trials);
    sqlite3_bind_int64(s, 5, 1 + below(3600000000000ull));
    sqlite3_bind_double(s, 6, trials / 100.0);
    sqlite3_bind_int64(s, 7, 4 * NODES);
    sqlite3_bind_int64(s, 8, NODES);
    sqlite3_bind_int64(s, 9, 1);
    sqlite3_bind_int64(s, 10, next());
    text(s, 11, digest);
    text(s, 12, "Monty");
    text(s, 13, "laptop 1");
    if (run(RUN) < 0) return -1;
    int64_t id = sqlite3_last_insert_rowid(db);
    s = statements[PIECE_OF_RUN];
    sqlite3_bind_int64(s, 1, id);
    sqlite3_bind_blob(s, 2, blob, PIECE, SQLITE_TRANSIENT);
    sqlite3_bind_int64(s, 3, next());
    if (run(PIECE_OF_RUN) < 0) return -1;
    char nodes[NODES * 32] = "{";
    for (int i = 0, end = 1; i < NODES; i++)
        end += snprintf(nodes + end, sizeof nodes - end, "\"laptop %d\":0.125%s", i, i < NODES - 1 ? "," : "}");
    s = statements[SHARES];
    sqlite3_bind_int64(s, 1, id);
    text(s, 2, nodes);
    if (run(SHARES) < 0) return -1;
    for (int i = 0; i < 2; i++) {
        s = statements[PARAMETER];
        sqlite3_bind_int64(s, 1, id);
        sqlite3_bind_int64(s, 2, i);
        text(s, 3, i ? "opened" : "doors");
        snprintf(name, sizeof name, "%d", i ? 1 : (int)doors);
        text(s, 4, name);
        sqlite3_bind_double(s, 5, i ? 1 : doors);
        if (run(PARAMETER) < 0) return -1;
    }
    for (int i = 0; i < 2; i++) {
        double value = below(1000000) * 1e-6;
        s = statements[READING];
        sqlite3_bind_int64(s, 1, id);
        sqlite3_bind_int64(s, 2, i);
        text(s, 3, i ? "switch" : "stay");
        sqlite3_bind_int64(s, 4, 1);
        sqlite3_bind_double(s, 5, value);
        sqlite3_bind_double(s, 6, value - 0.01);
        sqlite3_bind_double(s, 7, value + 0.01);
        sqlite3_bind_double(s, 8, 1 / 3.0);
        sqlite3_bind_int64(s, 9, 1);
        sqlite3_bind_int64(s, 10, 0);
        if (run(READING) < 0) return -1;
    }
    return run(COMMIT);
}

static int note(int64_t id) {
    if (run(BEGIN) < 0) return -1;
    sqlite3_bind_int64(statements[R_RUN], 1, id);
    int rows = run(R_RUN);
    if (rows <= 0) return rows < 0 ? -1 : run(COMMIT);
    sqlite3_stmt *s = statements[PIECE_OF_RUN];
    sqlite3_bind_int64(s, 1, id);
    sqlite3_bind_blob(s, 2, sink, PIECE, SQLITE_TRANSIENT);
    sqlite3_bind_int64(s, 3, next());
    if (run(PIECE_OF_RUN) < 0) return -1;
    s = statements[NOTE];
    sqlite3_bind_int64(s, 1, id);
    sqlite3_bind_int64(s, 2, 1700000000000);
    text(s, 3, "computed in the room by the window");
    if (run(NOTE) < 0) return -1;
    return run(COMMIT);
}

static int list(void) {
    if (run(BEGIN_READ) < 0) return -1;
    // As in our history: statements that contain users' input are compiled each time.
    sqlite3_stmt *s;
    if (sqlite3_prepare_v2(db, texts[LIST], -1, &s, NULL) != SQLITE_OK) return -1;
    statements[LIST] = s;
    text(s, 1, "monty-hall");
    sqlite3_bind_int64(s, 2, 1700000000000 + 86400000ll * 298);
    text(s, 3, "doors");
    sqlite3_bind_double(s, 4, 3 + below(4));
    sqlite3_bind_int64(s, 5, below(500000000000u));
    sqlite3_bind_int64(s, 6, 20);
    int rows = run(LIST);
    sqlite3_finalize(s);
    statements[LIST] = NULL;
    int64_t found[64];
    memcpy(found, listed, sizeof found);
    for (int i = 0; i < rows; i++) {
        sqlite3_bind_int64(statements[R_PARAMETER], 1, found[i]);
        if (run(R_PARAMETER) < 0) return -1;
    }
    return run(COMMIT);
}

static int whole(int64_t id) {
    if (run(BEGIN_READ) < 0) return -1;
    sqlite3_bind_int64(statements[R_RUN], 1, id);
    if (run(R_RUN) < 0) return -1;
    return run(COMMIT);
}

/// Returns the number of transactions in that many seconds; negative if one failed.
int64_t store_transactions(const char *path, uint64_t seed, double seconds, int64_t runs) {
    state = seed;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) return -1;
    sqlite3_exec(
        db, "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON;"
            "PRAGMA secure_delete = ON; PRAGMA cache_size = -16384",
        NULL, NULL, NULL);
    for (int i = 0; i < STATEMENTS; i++) {
        if (i != LIST && sqlite3_prepare_v2(db, texts[i], -1, &statements[i], NULL) != SQLITE_OK) {
            fprintf(stderr, "store.c: %s\n", sqlite3_errmsg(db));
            return -1;
        }
    }
    int64_t count = 0;
    for (double end = now() + seconds; now() < end; count++) {
        uint64_t dice = below(100);
        int status;
        if (dice < 60) {
            status = record();
            runs++;
        } else if (dice < 70) {
            status = note(1 + below(runs));
        } else if (dice < 85) {
            status = list();
        } else if (dice < 95) {
            status = whole(1 + below(runs));
            if (status >= 0) status = whole(1 + below(runs));
        } else {
            sqlite3_bind_int64(statements[REMOVE], 1, 1 + below(runs));
            status = run(REMOVE);
        }
        if (status < 0) {
            fprintf(stderr, "store.c: %s\n", sqlite3_errmsg(db));
            return -1;
        }
    }
    for (int i = 0; i < STATEMENTS; i++) {
        sqlite3_finalize(statements[i]);
        statements[i] = NULL;
    }
    sqlite3_close(db);
    return count;
}

enum { PIECES = 67, SLOTS_OF_PIECE = 12, WORDS = PIECES * (5 + SLOTS_OF_PIECE), AHEAD = 6 };

/// Returns the share of a core that the journal's commits take if the rows are ready: as many a second, of as many
/// bytes.
double store_journal(const char *path, double seconds) {
    static uint64_t words[WORDS];
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
        return -1;
    }
    sqlite3_exec(
        db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
            "CREATE TABLE progress(job INTEGER PRIMARY KEY, blocks INTEGER, tally BLOB, seal INTEGER);"
            "CREATE TABLE batch(id INTEGER PRIMARY KEY, job INTEGER, ends INTEGER, pieces BLOB, seal INTEGER);"
            "CREATE INDEX batch_by_job ON batch(job, ends)",
        NULL, NULL, NULL);
    static const char *const lines[] = {
        "BEGIN IMMEDIATE", "INSERT OR REPLACE INTO progress VALUES(1, ?, ?, ?)",
        "DELETE FROM batch WHERE job = 1 AND ends <= ?", "INSERT INTO batch(job, ends, pieces, seal) VALUES(1, ?, ?, ?)",
        "COMMIT"};
    for (int i = 0; i < 5; i++) {
        if (sqlite3_prepare_v2(db, lines[i], -1, &statements[i], NULL) != SQLITE_OK) return -1;
    }
    struct timespec used, pause = {0, 50000000};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    double before = used.tv_sec + used.tv_nsec * 1e-9, start = now();
    for (int64_t block = 0; now() < start + seconds; block += 10 * PIECES) {
        for (int i = 0; i < WORDS; i++) words[i] = words[i] * 31 + i;
        sqlite3_bind_int64(statements[1], 1, block);
        sqlite3_bind_blob(statements[1], 2, words, 8 * SLOTS_OF_PIECE, SQLITE_TRANSIENT);
        sqlite3_bind_int64(statements[1], 3, words[0]);
        sqlite3_bind_int64(statements[2], 1, block);
        sqlite3_bind_int64(statements[3], 1, block + AHEAD * 10 * PIECES);
        sqlite3_bind_blob(statements[3], 2, words, sizeof words, SQLITE_TRANSIENT);
        sqlite3_bind_int64(statements[3], 3, words[1]);
        for (int i = 0; i < 5; i++) {
            if (run(i) < 0) return -1;
        }
        nanosleep(&pause, NULL);
    }
    double length = now() - start;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    for (int i = 0; i < 5; i++) {
        sqlite3_finalize(statements[i]);
        statements[i] = NULL;
    }
    sqlite3_close(db);
    return (used.tv_sec + used.tv_nsec * 1e-9 - before) / length;
}
