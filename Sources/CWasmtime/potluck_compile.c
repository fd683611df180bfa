#define _GNU_SOURCE
#include "potluck_wasmtime.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The compiler cannot be interrupted, so a forked copy of this process runs it, which can be killed. The copy has one
// thread, calls only the library, and reports only to this process.

enum { low_priority = 10 };

// The first bytes that the copy sends. An incomplete answer is ignored.
typedef struct {
    uint64_t is_code;
    uint64_t size;
} header;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

// Returns the size of this process's address space, which the copy has from the node: each
// instance of a module reserves gigabytes.
static uint64_t address_space(void) {
    char text[64] = {0};
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, text, sizeof text - 1) <= 0) _exit(1);
    return strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void limit(int what, uint64_t most) {
    struct rlimit limit = {most, most};
    setrlimit(what, &limit);
}

static bool send_all(int pipe, const void *data, size_t count) {
    const uint8_t *rest = data;
    while (count) {
        ssize_t written = write(pipe, rest, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        rest += written, count -= (size_t)written;
    }
    return true;
}

// Runs in the copy. A normal module compiles within milliseconds, even with a tenth of a busy core.
_Noreturn static void compile_and_end(potluck_wasmtime_engine *engine, const uint8_t *bytes, size_t count, int pipe,
                                      pid_t parent, int64_t nanoseconds, uint64_t memory) {
    // The copy ends when the node ends.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    // Closes the node's descriptors, so that sockets close when the node closes
    // them, and nothing is written to its output.
    enum { answer = 3 };
    int null = open("/dev/null", O_RDWR);
    for (int descriptor = 0; descriptor < answer; descriptor++) dup2(null, descriptor);
    if (pipe != answer) dup2(pipe, answer);
    syscall(SYS_close_range, answer + 1u, ~0u, 0u);
    // The library's signal handlers are for running modules.
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) signal(faults[index], SIG_DFL);
    setpriority(PRIO_PROCESS, 0, low_priority);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, (uint64_t)(nanoseconds / 1000000000) + 1);
    limit(RLIMIT_AS, address_space() + memory);

    potluck_wasmtime_message why = {0};
    potluck_wasmtime_module *module = potluck_wasmtime_compile(engine, bytes, count, &why);
    size_t size = 0;
    uint8_t *code = module ? potluck_wasmtime_compiled(module, &size) : NULL;
    // Most allocations that fail end the process; those by mmap are reported with this text.
    bool lacks_memory = !module && strstr(why.text, "mmap failed");
    if ((module && !code) || lacks_memory) _exit(1);
    header first = {.is_code = code != NULL, .size = code ? size : sizeof why};
    _exit(!send_all(answer, &first, sizeof first) || !send_all(answer, code ? (void *)code : &why, first.size));
}

// How long a copy may use no CPU time at all, in nanoseconds. A busy laptop gives even a copy of low priority some of it.
static const int64_t longest_rest = 30ll * 1000000000;

// The CPU time of a copy. The clock on the wall says little on a laptop that is busy with other things.
typedef struct {
    pid_t copy;
    // How much it may use and has used, in nanoseconds.
    int64_t limit, used;
    // When it was last seen to have used some.
    int64_t moved;
} watch;

// Whether the copy has used its time or is stuck.
static bool is_over(watch *watch) {
    clockid_t clock;
    struct timespec time;
    if (!clock_getcpuclockid(watch->copy, &clock) && !clock_gettime(clock, &time)) {
        int64_t used = time.tv_sec * 1000000000ll + time.tv_nsec;
        if (used > watch->used) watch->used = used, watch->moved = now();
    }
    return watch->used >= watch->limit || now() - watch->moved >= longest_rest;
}

// Reads `count` bytes. Returns false if there are fewer or the copy takes too long.
static bool receive(int pipe, void *data, size_t count, watch *watch) {
    // The milliseconds between two looks at the watch.
    enum { look = 20 };
    uint8_t *rest = data;
    while (count) {
        if (is_over(watch)) return false;
        struct pollfd wanted = {.fd = pipe, .events = POLLIN};
        int found = poll(&wanted, 1, look);
        if (found < 0 && errno != EINTR) return false;
        if (found <= 0) continue;
        ssize_t got = read(pipe, rest, count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        rest += got, count -= (size_t)got;
    }
    return true;
}

// Reads the complete answer of the copy.
static uint8_t *take_answer(int pipe, watch *watch, size_t *size, potluck_wasmtime_outcome *outcome,
                            potluck_wasmtime_message *why) {
    // The most bytes of machine code. It is about twice as long as the module.
    enum { most_code = 64 << 20 };
    header first;
    if (!receive(pipe, &first, sizeof first, watch)) return NULL;
    if (!first.is_code) {
        if (first.size == sizeof *why && receive(pipe, why, sizeof *why, watch)) *outcome = POTLUCK_WASMTIME_REFUSED;
        why->text[sizeof why->text - 1] = 0;
        return NULL;
    }
    uint8_t *code = first.size <= most_code ? malloc(first.size ? first.size : 1) : NULL;
    if (!code || !receive(pipe, code, first.size, watch)) {
        free(code);
        return NULL;
    }
    *outcome = POTLUCK_WASMTIME_OK;
    *size = first.size;
    return code;
}

// Makes one attempt. `is_stuck` is set if the copy stood still.
static uint8_t *attempt(
    potluck_wasmtime_engine *engine, const uint8_t *bytes, size_t count, int64_t nanoseconds, uint64_t memory,
    size_t *size, potluck_wasmtime_outcome *outcome, potluck_wasmtime_message *why, bool *is_stuck) {
    *outcome = POTLUCK_WASMTIME_NO_PROCESS;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) {
        snprintf(why->text, sizeof why->text, "%s", strerror(errno));
        return NULL;
    }
    pid_t parent = getpid(), copy = fork();
    if (copy == 0) compile_and_end(engine, bytes, count, ends[1], parent, nanoseconds, memory);
    if (copy < 0) snprintf(why->text, sizeof why->text, "%s", strerror(errno));
    close(ends[1]);
    uint8_t *code = NULL;
    if (copy > 0) {
        *outcome = POTLUCK_WASMTIME_CRASH;
        watch watch = {.copy = copy, .limit = nanoseconds, .moved = now()};
        code = take_answer(ends[0], &watch, size, outcome, why);
        // The limit of the system may have ended it between two looks.
        bool is_late = is_over(&watch);
        *is_stuck = is_late && watch.used < nanoseconds;
        if (*outcome == POTLUCK_WASMTIME_CRASH && is_late) *outcome = POTLUCK_WASMTIME_TIME;
        kill(copy, SIGKILL);
        while (waitpid(copy, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    close(ends[0]);
    return code;
}

uint8_t *potluck_wasmtime_compile_apart(
    potluck_wasmtime_engine *engine, const uint8_t *bytes, size_t count, int64_t nanoseconds, uint64_t memory,
    size_t *size, potluck_wasmtime_outcome *outcome, potluck_wasmtime_message *why) {
    bool is_stuck = false;
    uint8_t *code = attempt(engine, bytes, count, nanoseconds, memory, size, outcome, why, &is_stuck);
    // When the copy was made, another thread may have held one of the library's
    // locks, for which the copy then waits forever.
    if (!code && is_stuck) code = attempt(engine, bytes, count, nanoseconds, memory, size, outcome, why, &is_stuck);
    return code;
}
