// Uses the Avahi shim alone, to run it with sanitizers and to test what a node does not do.
//
//   shim say NAME          publishes NAME, browses, and prints each event on a line
//   shim storm SEED        three threads publish, browse and withdraw at random; one starts and stops the shim
//                          as fast as it can, and prints "round"
//
// Both run until their standard input ends, and then print "stopped in N ms", the longest that cavahi_stop took.

#define _GNU_SOURCE
#include "CAvahi.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char type[] = "_potluck._tcp";
static const char subtype[] = "_0011223344556677._sub._potluck._tcp";
static const uint8_t txt[2][4] = {{3, 'v', '=', '1'}, {3, 'v', '=', '2'}};
static _Atomic long longest_stop;
static _Atomic long events;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void stop(cavahi *avahi) {
    double before = seconds();
    cavahi_stop(avahi);
    long took = (long)((seconds() - before) * 1000), longest = longest_stop;
    while (took > longest && !atomic_compare_exchange_weak(&longest_stop, &longest, took)) continue;
}

static void print(void *context, const cavahi_event *event) {
    static const char *const kinds[] = {"ABSENT", "STARTING", "RUNNING", "PUBLISHED",
                                        "FOUND",  "LOST",     "CURRENT", "TROUBLE"};
    (void)context;
    printf("%s %s%s", kinds[event->kind], event->name ? event->name : "", event->message ? event->message : "");
    if (event->kind == CAVAHI_FOUND)
        printf(" at %s, IPv%d, interface %u, port %u, %.*s", event->host, event->v6 ? 6 : 4, event->interface,
               event->port, event->txt_length ? (int)event->txt_length - 1 : 0, (const char *)event->txt + 1);
    printf("\n");
}

static void count(void *context, const cavahi_event *event) {
    (void)context;
    events += 1 + (event->name ? (long)strlen(event->name) & 1 : 0);
}

// Waits until stdin is closed, or the process at its other end has ended.
static void wait_for_end(void) {
    char octet;
    while (read(STDIN_FILENO, &octet, 1) > 0) continue;
}

static int say(const char *name) {
    cavahi *avahi = cavahi_start(NULL, print, NULL);
    // Identical records do not collide, so use different ports.
    uint16_t port = (uint16_t)(1024 + getpid() % 10000);
    if (!avahi || cavahi_publish(avahi, name, type, subtype, port, txt[0], 4) || cavahi_browse(avahi, type)) return 1;
    wait_for_end();
    stop(avahi);
    return 0;
}

// --- storm -------------------------------------------------------------------

static cavahi *shared;
static atomic_bool ended;

static void *wish(void *argument) {
    unsigned seed = *(unsigned *)argument;
    while (!ended) {
        char name[32];
        snprintf(name, sizeof name, "storm %u", rand_r(&seed) % 3);
        switch (rand_r(&seed) % 8) {
        case 0: cavahi_withdraw(shared); break;
        case 1: cavahi_browse(shared, type); break;
        case 2: cavahi_browse(shared, subtype); break;
        default: cavahi_publish(shared, name, type, subtype, 7077, txt[rand_r(&seed) % 2], 4);
        }
        usleep(rand_r(&seed) % 100000);
    }
    return NULL;
}

static void *start_and_stop(void *argument) {
    unsigned seed = *(unsigned *)argument;
    while (!ended) {
        cavahi *avahi = cavahi_start(NULL, count, NULL);
        if (!avahi) continue;
        if (rand_r(&seed) % 2) cavahi_browse(avahi, type);
        if (rand_r(&seed) % 2) cavahi_publish(avahi, "brief", type, NULL, 7077, txt[0], 4);
        usleep(rand_r(&seed) % 50000);
        stop(avahi);
        printf("round\n");
    }
    return NULL;
}

static int threads_now(void) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    if (!tasks) return -1;
    while (readdir(tasks)) count++;
    closedir(tasks);
    return count - 2; // "." and ".."
}

#if __has_feature(thread_sanitizer)
enum { own_threads = 2 }; // this one, and the sanitizer's
#else
enum { own_threads = 1 };
#endif

// Waits for the shim's threads, which end a moment after cavahi_stop, so that the leak checker finds nothing. Returns
// whether they ended.
static bool threads_end(void) {
    const char *patience = getenv("POTLUCK_LAB_PATIENCE");
    double until = seconds() + 30 * (patience && atof(patience) > 1 ? atof(patience) : 1);
    while (threads_now() > own_threads) {
        if (seconds() > until) return false;
        usleep(20000);
    }
    return true;
}

static int storm(unsigned seed) {
    pthread_t threads[4];
    unsigned seeds[4] = {seed, seed + 1, seed + 2, seed + 3};
    if (!(shared = cavahi_start(NULL, count, NULL))) return 1;
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, i ? wish : start_and_stop, &seeds[i]);
    wait_for_end();
    ended = true;
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    stop(shared);
    printf("%ld events\n", events);
    if (threads_end()) return 0;
    printf("threads of the shim are left: %d\n", threads_now() - own_threads);
    return 1;
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    int failed = 2;
    if (argc == 3 && strcmp(argv[1], "say") == 0) failed = say(argv[2]);
    if (argc == 3 && strcmp(argv[1], "storm") == 0) failed = storm((unsigned)atoi(argv[2]));
    if (!failed) printf("stopped in %ld ms\n", longest_stop);
    return failed;
}
