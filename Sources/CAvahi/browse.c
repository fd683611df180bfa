// The browser for one type, and an open resolver for each entry, which reports changes of TXT and address.

#define _GNU_SOURCE
#include "internal.h"

#include <avahi-common/domain.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/strlst.h>
#include <stdlib.h>
#include <string.h>

// avahi-daemon permits 1024 objects for a client: the resolvers, the group and the browser.
enum { most_entries = 1000 };
// In bytes. Potluck's records have at most 400 bytes of TXT; longer ones are not Potluck's.
enum { longest_txt = 400 };
// How long services found by one connection may stay unconfirmed by the next. A restarted daemon
// has an empty cache and sends queries after 0, 1, 3 and 7 s.
static const uint64_t grace = 10000;
// An entry that does not resolve is most likely stale in the caches.
static const uint64_t longest_wait = 30000;

static void free_entry(cavahi_entry *entry) {
    free(entry->name);
    free(entry->type);
    free(entry->domain);
    free(entry);
}

void cavahi_free_entries(cavahi *avahi) {
    while (avahi->browsing.entries) {
        cavahi_entry *entry = avahi->browsing.entries;
        avahi->browsing.entries = entry->next;
        free_entry(entry);
    }
    avahi->browsing.count = 0;
}

// Only ever sets the flag. After a change, a record of this machine arrives over the
// network and the cache, without the flag.
static void note_local(cavahi_entry *entry, AvahiLookupResultFlags flags) {
    if (flags & AVAHI_LOOKUP_RESULT_LOCAL) entry->local = true;
}

static void emit_lost(cavahi_entry *entry) {
    if (!entry->found) return;
    entry->found = false;
    cavahi_event event = {.kind = CAVAHI_LOST,
                          .name = entry->name,
                          .interface = (uint32_t)entry->interface,
                          .v6 = entry->protocol == AVAHI_PROTO_INET6};
    cavahi_emit(entry->avahi, &event);
}

// Call it if the client has gone, and all its resolvers with it. The services found stay found.
void cavahi_browsing_reset(cavahi *avahi) {
    avahi->browsing.browser = NULL;
    avahi->browsing.stale = false;
    for (cavahi_entry *entry = avahi->browsing.entries; entry; entry = entry->next) {
        entry->resolver = NULL;
        if (!entry->present) continue;
        entry->present = false;
        entry->retry = (cavahi_retry){.due = CAVAHI_NEVER};
    }
}

void cavahi_browsing_want(cavahi *avahi, char *type) {
    if (avahi->browsing.type && strcmp(avahi->browsing.type, type) == 0) {
        free(type);
        return;
    }
    free(avahi->browsing.type);
    avahi->browsing.type = type;
    avahi->browsing.stale = avahi->browsing.browser != NULL;
    for (cavahi_entry *entry = avahi->browsing.entries; entry; entry = entry->next) {
        entry->present = false;
        entry->retry = (cavahi_retry){0};
    }
}

// --- resolving ---------------------------------------------------------------

static void on_resolved(AvahiServiceResolver *resolver, AvahiIfIndex interface, AvahiProtocol protocol,
                        AvahiResolverEvent what, const char *name, const char *type, const char *domain,
                        const char *host, const AvahiAddress *address, uint16_t port, AvahiStringList *txt,
                        AvahiLookupResultFlags flags, void *argument) {
    cavahi_entry *entry = argument;
    (void)resolver, (void)interface, (void)protocol, (void)type, (void)domain;
    if (what == AVAHI_RESOLVER_FAILURE) {
        emit_lost(entry);
        entry->renew = true;
        cavahi_failed(&entry->retry, longest_wait);
        return;
    }
    uint8_t wire[longest_txt];
    size_t length = avahi_string_list_serialize(txt, NULL, 0);
    if (length > sizeof wire || !address || address->proto != entry->protocol) return;
    avahi_string_list_serialize(txt, wire, sizeof wire);
    cavahi_succeeded(&entry->retry);
    entry->renew = false;
    entry->found = true;
    note_local(entry, flags);
    cavahi_event event = {.kind = CAVAHI_FOUND,
                          .name = name,
                          .host = host,
                          .interface = (uint32_t)entry->interface,
                          .v6 = entry->protocol == AVAHI_PROTO_INET6,
                          .local = entry->local,
                          .port = port,
                          .txt = wire,
                          .txt_length = length};
    memcpy(event.address, &address->data, event.v6 ? 16 : 4);
    cavahi_emit(entry->avahi, &event);
}

// --- browsing ----------------------------------------------------------------

static cavahi_entry *find(cavahi *avahi, AvahiIfIndex interface, AvahiProtocol protocol, const char *name) {
    cavahi_entry *entry = avahi->browsing.entries;
    while (entry && (entry->interface != interface || entry->protocol != protocol || strcmp(entry->name, name) != 0))
        entry = entry->next;
    return entry;
}

static cavahi_entry *add(cavahi *avahi, AvahiIfIndex interface, AvahiProtocol protocol, const char *name,
                         const char *type, const char *domain) {
    if (avahi->browsing.count >= most_entries) return NULL;
    cavahi_entry *entry = calloc(1, sizeof *entry);
    if (!entry) return NULL;
    *entry = (cavahi_entry){.next = avahi->browsing.entries,
                            .avahi = avahi,
                            .interface = interface,
                            .protocol = protocol,
                            .name = strdup(name),
                            .type = strdup(type),
                            .domain = strdup(domain)};
    if (!entry->name || !entry->type || !entry->domain) {
        free_entry(entry);
        return NULL;
    }
    avahi->browsing.entries = entry;
    avahi->browsing.count++;
    return entry;
}

static void on_browsed(AvahiServiceBrowser *browser, AvahiIfIndex interface, AvahiProtocol protocol,
                       AvahiBrowserEvent what, const char *name, const char *type, const char *domain,
                       AvahiLookupResultFlags flags, void *argument) {
    cavahi *avahi = argument;
    cavahi_entry *entry;
    (void)browser;
    // An event of the browser for the previous type, before it is freed.
    if (avahi->browsing.stale) return;
    switch (what) {
    case AVAHI_BROWSER_NEW:
        entry = find(avahi, interface, protocol, name);
        if (!entry && !(entry = add(avahi, interface, protocol, name, type, domain))) return;
        entry->present = true;
        note_local(entry, flags);
        entry->retry = (cavahi_retry){0};
        return;
    case AVAHI_BROWSER_REMOVE:
        entry = find(avahi, interface, protocol, name);
        if (!entry) return;
        entry->present = false;
        entry->retry = (cavahi_retry){0};
        return;
    case AVAHI_BROWSER_ALL_FOR_NOW:
        cavahi_succeeded(&avahi->connecting);
        cavahi_emit_message(avahi, CAVAHI_CURRENT, NULL);
        return;
    case AVAHI_BROWSER_CACHE_EXHAUSTED: return;
    case AVAHI_BROWSER_FAILURE:
        cavahi_emit_message(avahi, CAVAHI_TROUBLE, avahi_strerror(avahi_client_errno(avahi->client)));
        avahi->broken = true;
        return;
    }
}

// --- steps -------------------------------------------------------------------

static bool wants_browser(const cavahi *avahi) {
    return avahi->running && avahi->browsing.type && !avahi->browsing.browser;
}

static bool wants_deed(const cavahi *avahi, const cavahi_entry *entry) {
    return !entry->present || (avahi->running && (!entry->resolver || entry->renew));
}

uint64_t cavahi_browsing_due(const cavahi *avahi) {
    if (avahi->browsing.stale || wants_browser(avahi)) return 0;
    uint64_t earliest = CAVAHI_NEVER;
    for (const cavahi_entry *entry = avahi->browsing.entries; entry; entry = entry->next)
        if (wants_deed(avahi, entry) && entry->retry.due < earliest) earliest = entry->retry.due;
    return earliest;
}

static void browse(cavahi *avahi) {
    avahi->browsing.browser = avahi_service_browser_new(avahi->client, avahi->interface, AVAHI_PROTO_UNSPEC,
                                                        avahi->browsing.type, NULL, 0, on_browsed, avahi);
    if (!avahi->browsing.browser) {
        // Without a browser the connection is useless to a caller that browses.
        cavahi_emit_message(avahi, CAVAHI_TROUBLE, avahi_strerror(avahi_client_errno(avahi->client)));
        avahi->broken = true;
        return;
    }
    for (cavahi_entry *entry = avahi->browsing.entries; entry; entry = entry->next)
        if (!entry->present) entry->retry.due = cavahi_now() + grace;
}

static void resolve(cavahi *avahi, cavahi_entry *entry) {
    if (entry->resolver) avahi_service_resolver_free(entry->resolver);
    entry->renew = false;
    // Ask for an address of the family in which it was seen, so that the two families stay distinct.
    entry->resolver = avahi_service_resolver_new(avahi->client, entry->interface, entry->protocol, entry->name,
                                                 entry->type, entry->domain, entry->protocol, 0, on_resolved, entry);
    if (entry->resolver) return;
    cavahi_failed(&entry->retry, longest_wait);
    cavahi_lost_connection(avahi, avahi_client_errno(avahi->client));
}

static void forget(cavahi *avahi, cavahi_entry **at) {
    cavahi_entry *entry = *at;
    *at = entry->next;
    avahi->browsing.count--;
    emit_lost(entry);
    if (entry->resolver) avahi_service_resolver_free(entry->resolver);
    free_entry(entry);
}

void cavahi_browsing_step(cavahi *avahi) {
    if (avahi->browsing.stale) {
        avahi_service_browser_free(avahi->browsing.browser);
        avahi->browsing.browser = NULL;
        avahi->browsing.stale = false;
        return;
    }
    if (wants_browser(avahi)) {
        browse(avahi);
        return;
    }
    uint64_t now = cavahi_now();
    for (cavahi_entry **at = &avahi->browsing.entries; *at; at = &(*at)->next) {
        if (!wants_deed(avahi, *at) || (*at)->retry.due > now) continue;
        if ((*at)->present)
            resolve(avahi, *at);
        else
            forget(avahi, at);
        return;
    }
}

int cavahi_browse(cavahi *avahi, const char *type) {
    if (!avahi_is_valid_service_type_generic(type)) return AVAHI_ERR_INVALID_SERVICE_TYPE;
    char *copy = strdup(type);
    if (!copy) return AVAHI_ERR_NO_MEMORY;
    pthread_mutex_lock(&avahi->lock);
    char *superseded = avahi->wishes.browse_type;
    avahi->wishes.browse = true;
    avahi->wishes.browse_type = copy;
    cavahi_wake(avahi);
    pthread_mutex_unlock(&avahi->lock);
    free(superseded);
    return 0;
}
