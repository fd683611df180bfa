// What the C library asks of its system, which is WASI. A module imports nothing but `potluck_comm`, so these functions
// are here, under the names by which wasi-libc refers to its imports.

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "inside.h"
#include "module.h"

// Numbers of WASI.
enum { fine = 0, bad_descriptor = 8, not_supported = 52, not_seekable = 70 };
enum { standard_input = 0, standard_output = 1, standard_error = 2 };
enum { character_device = 2, clock_event = 0, absolute_time = 1 };

#define WASI(name) __imported_wasi_snapshot_preview1_##name

struct stretch {
    const char *address;
    size_t bytes;
};

// Lines. What has no end yet waits here, but not without bound.
enum { longest_line = 4096 };
struct line {
    void (*show)(const char *text, size_t bytes);
    size_t bytes;
    char text[longest_line];
};
static struct line lines[] = {{.show = host_log}, {.show = host_error}};

static void show(struct line *line) {
    line->show(line->text, line->bytes);
    line->bytes = 0;
}

// Shows the part of a long line that does not end within a character.
static void show_part(struct line *line) {
    size_t end = line->bytes;
    while (end > longest_line - 4 && ((unsigned char)line->text[end - 1] & 0xC0) == 0x80) end--;
    if (end > 0 && (unsigned char)line->text[end - 1] >= 0xC0) end--;
    line->show(line->text, end);
    memmove(line->text, line->text + end, line->bytes - end);
    line->bytes -= end;
}

static void print(struct line *line, const char *text, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == '\n') {
            show(line);
            continue;
        }
        if (line->bytes == longest_line) show_part(line);
        line->text[line->bytes++] = text[i];
    }
}

void potluck_flush(void) {
    for (int i = 0; i < 2; i++) {
        if (lines[i].bytes > 0) show(&lines[i]);
    }
}

int WASI(fd_write)(int descriptor, const struct stretch *stretches, int count, size_t *written) {
    if (descriptor != standard_output && descriptor != standard_error) return bad_descriptor;
    *written = 0;
    for (int i = 0; i < count; i++) {
        print(&lines[descriptor == standard_error], stretches[i].address, stretches[i].bytes);
        *written += stretches[i].bytes;
    }
    return fine;
}

int WASI(fd_read)(int descriptor, const struct stretch *stretches, int count, size_t *read) {
    if (descriptor != standard_input) return bad_descriptor;
    *read = 0;
    for (int i = 0; i < count && host_rank() == 0; i++) {
        size_t bytes = stretches[i].bytes < potluck_input_bytes ? stretches[i].bytes : potluck_input_bytes;
        memcpy((char *)stretches[i].address, potluck_input, bytes);
        potluck_input += bytes;
        potluck_input_bytes -= bytes;
        *read += bytes;
    }
    return fine;
}

struct descriptor_status {
    uint8_t kind;
    uint16_t flags;
    uint64_t rights, inherited;
};

// As a terminal, the C library hands over each line at once.
int WASI(fd_fdstat_get)(int descriptor, struct descriptor_status *status) {
    if (descriptor < standard_input || descriptor > standard_error) return bad_descriptor;
    memset(status, 0, sizeof *status);
    status->kind = character_device;
    return fine;
}

int WASI(fd_close)(int descriptor) {
    (void)descriptor;
    return fine;
}

int WASI(fd_seek)(int descriptor, int64_t distance, int from, uint64_t *place) {
    (void)descriptor, (void)distance, (void)from, (void)place;
    return not_seekable;
}

// Arguments. There are no variables of an environment.

int WASI(args_sizes_get)(size_t *count, size_t *bytes) {
    *count = potluck_argument_count;
    *bytes = 0;
    for (int i = 0; i < potluck_argument_count; i++) *bytes += strlen(potluck_arguments[i]) + 1;
    return fine;
}

int WASI(args_get)(char **arguments, char *text) {
    for (int i = 0; i < potluck_argument_count; i++) {
        arguments[i] = strcpy(text, potluck_arguments[i]);
        text += strlen(text) + 1;
    }
    return fine;
}

int WASI(environ_sizes_get)(size_t *count, size_t *bytes) {
    *count = *bytes = 0;
    return fine;
}

int WASI(environ_get)(char **variables, char *text) {
    (void)variables, (void)text;
    return fine;
}

// Time. All clocks begin with the program. The calendar begins at a second that the seed chooses, so that programs which
// take it as the seed of their random numbers have one result for each seed.
enum { calendar = 0, second = 1000000000, first_second = 1000000000, seconds = 1000000000 };

static uint64_t now(void) { return (uint64_t)(host_time() * second); }

int WASI(clock_time_get)(int clock, int64_t precision, uint64_t *time) {
    (void)precision;
    *time = now() + (clock == calendar ? (first_second + potluck_seed % seconds) * second : 0);
    return fine;
}

int WASI(clock_res_get)(int clock, uint64_t *resolution) {
    (void)clock;
    *resolution = 1;
    return fine;
}

// A request to wait. The host has nothing to sleep with, so the rank looks at the clock until it is time.
struct subscription {
    uint64_t mark;
    uint8_t kind;
    uint32_t clock;
    uint64_t end, precision;
    uint16_t flags;
};
struct event {
    uint64_t mark;
    uint16_t error;
    uint8_t kind;
    uint64_t bytes, flags;
};

int WASI(poll_oneoff)(const struct subscription *wishes, struct event *events, int count, size_t *happened) {
    uint64_t start = now();
    for (int i = 0; i < count; i++) {
        if (wishes[i].kind != clock_event) return not_supported;
        uint64_t end = wishes[i].end + (wishes[i].flags & absolute_time ? 0 : start);
        while (now() < end) {}
        events[i] = (struct event){.mark = wishes[i].mark, .kind = clock_event};
    }
    *happened = count;
    return fine;
}

int WASI(sched_yield)(void) { return fine; }

// The same numbers at each start: a program with one seed has one result.
int WASI(random_get)(unsigned char *bytes, size_t count) {
    static uint64_t state;
    if (state == 0) state = potluck_seed + 0x9E3779B97F4A7C15 * (uint64_t)(host_rank() + 1);
    for (size_t i = 0; i < count; i++) {
        uint64_t mixed = state += 0x9E3779B97F4A7C15;
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
        bytes[i] = mixed >> 56;
    }
    return fine;
}

// A rank that fails ends the program. A rank that is done only ends itself.
_Noreturn void WASI(proc_exit)(int code) {
    potluck_check_zone();
    potluck_flush();
    if (code != 0) host_abort(code);
    potluck_stop();
}

// There are no files, and no folder in which the C library would look for some.
int WASI(fd_prestat_get)(int descriptor, void *folder) {
    (void)descriptor, (void)folder;
    return bad_descriptor;
}

// Here it is always UTC. The function of some versions of the C library writes through a null pointer.
struct tm *gmtime_r(const time_t *seconds, struct tm *found);
struct tm *localtime(const time_t *seconds) { return gmtime(seconds); }
struct tm *localtime_r(const time_t *seconds, struct tm *found) { return gmtime_r(seconds, found); }

#define NO(name, ...) \
    int WASI(name)(__VA_ARGS__) { return not_supported; }

NO(fd_prestat_dir_name, int a, int b, int c)
NO(fd_advise, int a, int64_t b, int64_t c, int d)
NO(fd_allocate, int a, int64_t b, int64_t c)
NO(fd_datasync, int a)
NO(fd_fdstat_set_flags, int a, int b)
NO(fd_fdstat_set_rights, int a, int64_t b, int64_t c)
NO(fd_filestat_get, int a, int b)
NO(fd_filestat_set_size, int a, int64_t b)
NO(fd_filestat_set_times, int a, int64_t b, int64_t c, int d)
NO(fd_pread, int a, int b, int c, int64_t d, int e)
NO(fd_pwrite, int a, int b, int c, int64_t d, int e)
NO(fd_readdir, int a, int b, int c, int64_t d, int e)
NO(fd_renumber, int a, int b)
NO(fd_sync, int a)
NO(fd_tell, int a, int b)
NO(path_create_directory, int a, int b, int c)
NO(path_filestat_get, int a, int b, int c, int d, int e)
NO(path_filestat_set_times, int a, int b, int c, int d, int64_t e, int64_t f, int g)
NO(path_link, int a, int b, int c, int d, int e, int f, int g)
NO(path_open, int a, int b, int c, int d, int e, int64_t f, int64_t g, int h, int i)
NO(path_readlink, int a, int b, int c, int d, int e, int f)
NO(path_remove_directory, int a, int b, int c)
NO(path_rename, int a, int b, int c, int d, int e, int f)
NO(path_symlink, int a, int b, int c, int d, int e)
NO(path_unlink_file, int a, int b, int c)
NO(sock_accept, int a, int b, int c)
NO(sock_recv, int a, int b, int c, int d, int e, int f)
NO(sock_send, int a, int b, int c, int d, int e)
NO(sock_shutdown, int a, int b)
