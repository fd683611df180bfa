// The thread and its loop, the requests of other threads, and the connection to the daemon.

#define _GNU_SOURCE
#include "internal.h"

#include <avahi-common/error.h>
#include <limits.h>
#include <net/if.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

// The delay in milliseconds after the first failure. It doubles with each further failure.
static const uint64_t first_wait = 250;
// If only one interface is used: how often to check whether it appeared or was replaced by another of the same name.
static const uint64_t interface_check = 4000;
// The longest delay. Connecting costs a few system calls, and a node should reappear soon after its bus.
static const uint64_t longest_wait = 4000;

static const char no_daemon[] = "avahi-daemon does not run";
static const char no_answer[] = "avahi-daemon does not answer";
static const char no_interface[] = "the one interface to be used is not there";
static const char no_bus[] = "the system bus, by which avahi-daemon is asked, does not answer";

// --- time --------------------------------------------------------------------

uint64_t cavahi_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void cavahi_failed(cavahi_retry *retry, uint64_t ceiling) {
    uint64_t wait = first_wait << (retry->failures < 16 ? retry->failures : 16);
    retry->due = cavahi_now() + (wait < ceiling ? wait : ceiling);
    retry->failures++;
}

void cavahi_succeeded(cavahi_retry *retry) { *retry = (cavahi_retry){0}; }

// --- events ------------------------------------------------------------------

void cavahi_emit(cavahi *avahi, const cavahi_event *event) {
    pthread_mutex_lock(&avahi->handling);
    if (avahi->handler) avahi->handler(avahi->context, event);
    pthread_mutex_unlock(&avahi->handling);
}

void cavahi_emit_message(cavahi *avahi, cavahi_kind kind, const char *message) {
    cavahi_event event = {.kind = kind, .message = message};
    cavahi_emit(avahi, &event);
}

// --- the connection ----------------------------------------------------------

bool cavahi_lost_connection(cavahi *avahi, int error) {
    switch (error) {
    case AVAHI_ERR_NO_DAEMON:
    case AVAHI_ERR_DISCONNECTED:
    case AVAHI_ERR_TIMEOUT:
    // For example, D-Bus had no answer for 25 s. The daemon may still execute the
    // call when it recovers. Only a new connection cancels it.
    case AVAHI_ERR_DBUS_ERROR:
    case AVAHI_ERR_BAD_STATE:
        avahi->broken = true;
        cavahi_emit_message(avahi, CAVAHI_ABSENT, no_answer);
        return true;
    default: return false;
    }
}

// The first call comes before avahi_client_new returns.
static void on_client(AvahiClient *client, AvahiClientState state, void *argument) {
    cavahi *avahi = argument;
    avahi->client = client;
    avahi->running = state == AVAHI_CLIENT_S_RUNNING;
    switch (state) {
    case AVAHI_CLIENT_S_RUNNING: cavahi_emit_message(avahi, CAVAHI_RUNNING, NULL); return;
    case AVAHI_CLIENT_S_REGISTERING:
    case AVAHI_CLIENT_S_COLLISION:
        // The machine's own name is changing, and with it the target of our records.
        cavahi_publishing_reset(avahi, false);
        cavahi_emit_message(avahi, CAVAHI_STARTING, NULL);
        return;
    case AVAHI_CLIENT_FAILURE: avahi->broken = true; __attribute__((fallthrough));
    case AVAHI_CLIENT_CONNECTING: cavahi_emit_message(avahi, CAVAHI_ABSENT, no_daemon); return;
    }
}

// Also frees its groups, browsers and resolvers. It disconnects first, so none of these calls blocks.
static void hang_up(cavahi *avahi) {
    avahi->running = false;
    avahi->broken = false;
    cavahi_publishing_reset(avahi, true);
    cavahi_browsing_reset(avahi);
    if (avahi->client) avahi_client_free(avahi->client);
    avahi->client = NULL;
}

static bool interface_changed(const cavahi *avahi) {
    return avahi->interface_name && (AvahiIfIndex)if_nametoindex(avahi->interface_name) != avahi->interface;
}

static void call_daemon(cavahi *avahi) {
    int error = 0;
    // Counts as a failure until a service is established or a browser answers.
    cavahi_failed(&avahi->connecting, longest_wait);
    avahi->interface = avahi->interface_name ? (AvahiIfIndex)if_nametoindex(avahi->interface_name) : AVAHI_IF_UNSPEC;
    if (avahi->interface == 0) {
        cavahi_emit_message(avahi, CAVAHI_ABSENT, no_interface);
        return;
    }
    const AvahiPoll *poll = avahi_simple_poll_get(avahi->loop);
    avahi->client = avahi_client_new(poll, AVAHI_CLIENT_NO_FAIL, on_client, avahi, &error);
    if (avahi->client) return;
    // There is no system bus, even with NO_FAIL. What the callback recorded of the client is invalid.
    avahi->running = false;
    avahi->broken = false;
    cavahi_emit_message(avahi, CAVAHI_ABSENT, error == AVAHI_ERR_NO_DAEMON ? no_bus : no_answer);
}

// --- the thread --------------------------------------------------------------

static uint64_t due(const cavahi *avahi) {
    if (avahi->broken) return 0;
    uint64_t earliest = avahi->client ? CAVAHI_NEVER : avahi->connecting.due;
    uint64_t publishing = cavahi_publishing_due(avahi), browsing = cavahi_browsing_due(avahi);
    if (publishing < earliest) earliest = publishing;
    if (browsing < earliest) earliest = browsing;
    return earliest;
}

// Executes one step.
static void step(cavahi *avahi) {
    uint64_t now = cavahi_now();
    if (avahi->broken || (avahi->client && interface_changed(avahi)))
        hang_up(avahi);
    else if (!avahi->client && avahi->connecting.due <= now)
        call_daemon(avahi);
    else if (cavahi_publishing_due(avahi) <= now)
        cavahi_publishing_step(avahi);
    else if (cavahi_browsing_due(avahi) <= now)
        cavahi_browsing_step(avahi);
}

static int wait_time(const cavahi *avahi) {
    uint64_t at = due(avahi), now = cavahi_now();
    if (avahi->interface_name && at > now + interface_check) at = now + interface_check;
    if (at == CAVAHI_NEVER) return -1;
    if (at <= now) return 0;
    return at - now < INT_MAX ? (int)(at - now) : INT_MAX;
}

static void on_wish(AvahiWatch *watch, int fd, AvahiWatchEvent event, void *argument) {
    cavahi *avahi = argument;
    uint64_t count;
    (void)watch, (void)event;
    if (read(fd, &count, sizeof count) < 0) return;
    pthread_mutex_lock(&avahi->lock);
    __typeof__(avahi->wishes) wishes = avahi->wishes;
    memset(&avahi->wishes, 0, sizeof avahi->wishes);
    pthread_mutex_unlock(&avahi->lock);
    if (wishes.stop) avahi->stopping = true;
    if (wishes.publish) cavahi_publishing_want(avahi, wishes.service);
    if (wishes.browse) cavahi_browsing_want(avahi, wishes.browse_type);
}

static void free_all(cavahi *avahi) {
    const AvahiPoll *poll = avahi->loop ? avahi_simple_poll_get(avahi->loop) : NULL;
    if (avahi->watch) poll->watch_free(avahi->watch);
    if (avahi->loop) avahi_simple_poll_free(avahi->loop);
    if (avahi->wakeup >= 0) close(avahi->wakeup);
    pthread_mutex_destroy(&avahi->lock);
    pthread_mutex_destroy(&avahi->handling);
    cavahi_free_service(avahi->wishes.service);
    free(avahi->wishes.browse_type);
    cavahi_free_service(avahi->publishing.wanted);
    free(avahi->publishing.name);
    cavahi_free_entries(avahi);
    free(avahi->browsing.type);
    free(avahi->interface_name);
    free(avahi);
}

static void *run(void *argument) {
    cavahi *avahi = argument;
    pthread_setname_np(pthread_self(), "avahi");
    while (!avahi->stopping) {
        if (avahi_simple_poll_iterate(avahi->loop, wait_time(avahi)) != 0) {
            // This happens only if the kernel is out of memory. Only time is lost.
            cavahi_emit_message(avahi, CAVAHI_TROUBLE, "poll failed");
            usleep((useconds_t)first_wait * 1000);
        }
        if (!avahi->stopping) step(avahi);
    }
    hang_up(avahi);
    // The thread that called cavahi_stop may still hold the lock.
    pthread_mutex_lock(&avahi->lock);
    pthread_mutex_unlock(&avahi->lock);
    free_all(avahi);
    return NULL;
}

static bool start_thread(cavahi *avahi) {
    pthread_attr_t attributes;
    pthread_t thread;
    // Signals of the process are for its other threads.
    sigset_t all, before;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int error = pthread_create(&thread, &attributes, run, avahi);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error == 0;
}

cavahi *cavahi_start(const char *interface, cavahi_handler handler, void *context) {
    cavahi *avahi = calloc(1, sizeof *avahi);
    if (!avahi) return NULL;
    avahi->handler = handler;
    avahi->context = context;
    avahi->interface_name = interface ? strdup(interface) : NULL;
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&avahi->handling, &recursive);
    pthread_mutexattr_destroy(&recursive);
    pthread_mutex_init(&avahi->lock, NULL);
    avahi->wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    avahi->loop = avahi_simple_poll_new();
    if (avahi->wakeup >= 0 && avahi->loop && (avahi->interface_name || !interface)) {
        const AvahiPoll *poll = avahi_simple_poll_get(avahi->loop);
        avahi->watch = poll->watch_new(poll, avahi->wakeup, AVAHI_WATCH_IN, on_wish, avahi);
        if (avahi->watch && start_thread(avahi)) return avahi;
    }
    free_all(avahi);
    return NULL;
}

void cavahi_wake(cavahi *avahi) {
    uint64_t one = 1;
    // It can fail only if the thread is about to wake up anyway.
    if (write(avahi->wakeup, &one, sizeof one) < 0) return;
}

void cavahi_stop(cavahi *avahi) {
    pthread_mutex_lock(&avahi->handling);
    avahi->handler = NULL;
    pthread_mutex_unlock(&avahi->handling);
    // Hold the lock until the end: once the thread has seen the request, it frees everything.
    pthread_mutex_lock(&avahi->lock);
    avahi->wishes.stop = true;
    cavahi_wake(avahi);
    pthread_mutex_unlock(&avahi->lock);
}

const char *cavahi_error(int error) { return avahi_strerror(error); }
