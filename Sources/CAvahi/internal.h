// What the shim's three files know of each other: client.c (thread and connection), publish.c, browse.c.
//
// Callbacks of libavahi only note what happened. Deeds, each a call of the daemon that may block, are done one at a
// time by the thread's loop between two rounds of poll: so nothing is freed inside its own callback, and a wish to stop
// is seen after one deed at the latest.

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

// Moments are milliseconds of CLOCK_BOOTTIME: AvahiTimeouts follow the wall clock, and wait when it is set back.
#define CAVAHI_NEVER UINT64_MAX

// Something that is tried again, ever less often while it fails.
typedef struct {
    uint64_t due;
    unsigned failures;
} cavahi_retry;

typedef struct {
    char *name, *type, *subtype;
    uint16_t port;
    AvahiStringList *txt;
} cavahi_service;

// A service the browser reported, by interface and family.
typedef struct cavahi_entry {
    struct cavahi_entry *next;
    cavahi *avahi;
    AvahiServiceResolver *resolver;
    cavahi_retry retry;
    AvahiIfIndex interface;
    AvahiProtocol protocol;
    char *name, *type, *domain;
    bool present;  // the browser of the present connection reports it
    bool found;    // FOUND was the last event about it
    bool local;    // published by this machine's daemon
    bool renew;    // the resolver failed and is to be made anew when due
} cavahi_entry;

struct cavahi {
    // Held while the handler runs; recursive, because a handler may stop.
    pthread_mutex_t handling;
    cavahi_handler handler;  // NULL once stopped
    void *context;

    // What other threads ask for, until the shim's thread takes it over.
    pthread_mutex_t lock;
    int wakeup;  // an eventfd
    struct {
        bool stop, publish, browse;
        cavahi_service *service;  // NULL to withdraw
        char *browse_type;
    } wishes;

    // From here on for the shim's thread alone.
    char *interface_name;    // NULL for all
    AvahiIfIndex interface;  // of the present connection
    AvahiSimplePoll *loop;
    AvahiWatch *watch;
    bool stopping;

    AvahiClient *client;
    bool running;
    bool broken;  // the client is to be replaced
    cavahi_retry connecting;

    struct {
        cavahi_service *wanted;
        AvahiEntryGroup *group;
        char *name;      // the instance name in use: the wanted one or an alternative to it
        bool filled;     // the group holds something
        bool stale;      // the group does not hold what is wanted
        bool stale_txt;  // only the TXT differs
        cavahi_retry retry;
    } publishing;

    struct {
        char *type;
        AvahiServiceBrowser *browser;
        bool stale;  // the browser looks for another type
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
// A call of the daemon failed. True where that is the connection's fault, which is then replaced.
bool cavahi_lost_connection(cavahi *avahi, int error);
void cavahi_wake(cavahi *avahi);

// --- publish.c
uint64_t cavahi_publishing_due(const cavahi *avahi);
void cavahi_publishing_step(cavahi *avahi);
// The client is gone, and the group with it; or its host name changes, and the group must be filled anew.
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
