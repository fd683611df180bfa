#define _GNU_SOURCE
#include "potluck_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Landlock, whose numbers are the same on all architectures. The headers of older systems lack them.

enum { create_ruleset = 444, add_rule = 445, restrict_self = 446, close_range_ = 436 };
enum { ask_version = 1, rule_of_path = 1, close_on_exec = 4 };
enum {
    may_execute = 1 << 0,
    may_write = 1 << 1,
    may_read = 1 << 2,
    may_list = 1 << 3,
    may_truncate = 1 << 14,
    // What files have; folders have all rights.
    rights_of_files = may_execute | may_write | may_read | may_truncate,
};
// The rights that each version of Landlock knows. The kernel refuses those that it does not know.
static const uint64_t known_rights[] = {0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff};
enum { versions = sizeof known_rights / sizeof *known_rights, first_with_net = 4, first_with_scopes = 6 };

struct ruleset {
    uint64_t files, net, scopes;
};
struct rule {
    uint64_t rights;
    int32_t folder;
} __attribute__((packed));

static long landlock_version(void) { return syscall(create_ruleset, NULL, (size_t)0, ask_version); }

bool potluck_linux_has_boxes(void) { return landlock_version() > 0; }

// Allows the rights on each path. What is not there needs no rule.
static bool allow(int rules, const char *const *paths, uint64_t rights) {
    for (; *paths; paths++) {
        struct rule rule = {rights, open(*paths, O_PATH | O_CLOEXEC)};
        struct stat found;
        if (rule.folder < 0) continue;
        if (fstat(rule.folder, &found) == 0 && !S_ISDIR(found.st_mode)) rule.rights &= rights_of_files;
        long failed = syscall(add_rule, rules, rule_of_path, &rule, 0);
        close(rule.folder);
        if (failed) return false;
    }
    return true;
}

// Returns the rules as a descriptor; -1 if they cannot be made.
static int rules_of(const potluck_linux_box *box, long version) {
    struct ruleset all = {known_rights[version < versions ? version : versions - 1], 0, 0};
    // No connections, no sockets and no signals of others.
    if (version >= first_with_net) all.net = 3;
    if (version >= first_with_scopes) all.scopes = 3;
    int rules = (int)syscall(create_ruleset, &all, sizeof all, 0);
    if (rules < 0) return -1;
    if (allow(rules, box->readable, all.files & (may_execute | may_read | may_list)) &&
        allow(rules, box->writable, all.files)) {
        return rules;
    }
    close(rules);
    return -1;
}

static void limit(int what, uint64_t most) {
    struct rlimit limit = {most, most};
    setrlimit(what, &limit);
}

// Becomes the program, in the copy of this process. Returns if that fails.
static void become(
    char *const *words, char *const *variables, const char *output, const potluck_linux_box *box, int rules) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int null = open("/dev/null", O_RDONLY);
    int said = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (null < 0 || said < 0 || dup2(null, 0) < 0 || dup2(said, 1) < 0 || dup2(said, 2) < 0) return;
    // Nothing that is open here is open there, whoever opened it.
    syscall(close_range_, 3u, ~0u, close_on_exec);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, box->processor);
    limit(RLIMIT_DATA, box->memory);
    limit(RLIMIT_FSIZE, box->file);
    alarm(box->patience);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return;
    // Swift's driver asks where its stack is.
    static const char *const own[] = {"/proc/self", NULL};
    if (rules >= 0 && (!allow(rules, own, may_read | may_list) || syscall(restrict_self, rules, 0))) return;
    execve(words[0], words, variables);
}

pid_t potluck_linux_start_boxed(
    char *const *words, char *const *variables, const char *output, const potluck_linux_box *box) {
    long version = box->readable ? landlock_version() : 0;
    int rules = version > 0 ? rules_of(box, version) : -1, ends[2];
    if (version > 0 && rules < 0) return -1;
    if (pipe2(ends, O_CLOEXEC)) {
        close(rules);
        return -1;
    }
    // A handler of this process must not run in its copy.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t copy = fork();
    int failure = errno;
    if (copy == 0) {
        become(words, variables, output, box, rules);
        failure = errno;
        (void)!write(ends[1], &failure, sizeof failure);
        _exit(1);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    // The pipe closes when the copy has become the program.
    ssize_t count = copy < 0 ? sizeof failure : read(ends[0], &failure, sizeof failure);
    while (count < 0 && errno == EINTR) count = read(ends[0], &failure, sizeof failure);
    close(ends[0]);
    if (rules >= 0) close(rules);
    if (count != sizeof failure) return copy;
    if (copy > 0) waitpid(copy, NULL, 0);
    errno = failure;
    return -1;
}
