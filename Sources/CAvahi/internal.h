// What the shim's three files share: client.c (thread and connection), publish.c and browse.c.
//
// Callbacks of libavahi only record what happened. Steps, each a call of the daemon that may block, are executed
// one at a time by the thread's loop between two rounds of poll. So nothing is freed inside its own callback, and
// a request to stop is noticed after one step at the latest.

#ifndef CAVAHI_INTERNAL_H
#define CAVAHI_INTERNAL_H

#if !__has_include(<avahi-client/client.h>)
#error "Avahi's headers are missing: run 'make deps'"
#endif

#include "CAvahi.h"

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/simple-watch.h>
#include <pthread.h>

// Times are milliseconds of CLOCK_BOOTTIME. AvahiTimeouts follow the wall clock, and stall when it is set back.
#define CAVAHI_NEVER UINT64_MAX

// The state of something that is retried, with growing delays while it fails.
typedef struct {
    uint64_t due;
    unsigned failures;
} cavahi_retry;

typedef struct {
    char *name, *type, *subtype;
    uint16_t port;
    AvahiStringList *txt;
} cavahi_service;

// A service that the browser reported, by interface and address family.
typedef struct cavahi_entry {
    struct cavahi_entry *next;
    cavahi *avahi;
    AvahiServiceResolver *resolver;
    cavahi_retry retry;
    AvahiIfIndex interface;
    AvahiProtocol protocol;
    char *name, *type, *domain;
    bool present;  // the browser of the current connection reports it
    bool found;    // FOUND was the last event about it
    bool local;    // this machine's daemon publishes it
    bool renew;    // the resolver failed and must be recreated when due
} cavahi_entry;

struct cavahi {
    // Held while the handler runs. Recursive, because a handler may call cavahi_stop.
    pthread_mutex_t handling;
    cavahi_handler handler;  // NULL after cavahi_stop
    void *context;

    // Requests of other threads, until the shim's thread takes them over.
    pthread_mutex_t lock;
    int wakeup;  // an eventfd
    struct {
        bool stop, publish, browse;
        cavahi_service *service;  // NULL to withdraw
        char *browse_type;
    } wishes;

    // From here on, used only by the shim's thread.
    char *interface_name;    // NULL for all
    AvahiIfIndex interface;  // of the current connection
    AvahiSimplePoll *loop;
    AvahiWatch *watch;
    bool stopping;

    AvahiClient *client;
    bool running;
    bool broken;  // the client must be replaced
    cavahi_retry connecting;

    struct {
        cavahi_service *wanted;
        AvahiEntryGroup *group;
        char *name;      // the instance name in use: the wanted one or an alternative to it
        bool filled;     // the group contains something
        bool stale;      // the group does not contain what is wanted
        bool stale_txt;  // only the TXT differs
        cavahi_retry retry;
    } publishing;

    struct {
        char *type;
        AvahiServiceBrowser *browser;
        bool stale;  // the browser browses for another type
        cavahi_entry *entries;
        size_t count;
    } browsing;
};

// --- client.c
uint64_t cavahi_now(void);
void cavahi_failed(cavahi_retry *retry, uint64_t ceiling);
void cavahi_succeeded(cavahi_retry *retry);
void cavahi_emit(cavahi *avahi, const cavahi_event *event);
void cavahi_emit_message(cavahi *avahi, cavahi_kind kind, const char *message);
// Handles a failed call of the daemon. Returns true if the connection failed, which is then replaced.
bool cavahi_lost_connection(cavahi *avahi, int error);
void cavahi_wake(cavahi *avahi);

// --- publish.c
uint64_t cavahi_publishing_due(const cavahi *avahi);
void cavahi_publishing_step(cavahi *avahi);
// Call it if the client has gone, and the group with it, or if the host name changes
// and the group must be filled again.
void cavahi_publishing_reset(cavahi *avahi, bool client_gone);
void cavahi_publishing_want(cavahi *avahi, cavahi_service *service);
void cavahi_free_service(cavahi_service *service);

// --- browse.c
uint64_t cavahi_browsing_due(const cavahi *avahi);
void cavahi_browsing_step(cavahi *avahi);
void cavahi_browsing_reset(cavahi *avahi);
void cavahi_browsing_want(cavahi *avahi, char *type);
void cavahi_free_entries(cavahi *avahi);

#endif
