// The published service. It is put into an entry group when the daemon runs, and again after
// every change of the daemon, the machine's name or the service.

#define _GNU_SOURCE
#include "internal.h"

#include <avahi-common/alternative.h>
#include <avahi-common/domain.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/strlst.h>
#include <stdlib.h>
#include <string.h>

// The most names tried at once if names are taken on this machine. Names contain the
// node's short ID, so usually one is enough.
enum { local_alternatives = 10 };
// A daemon refuses to publish because of its configuration, so one attempt a minute is enough.
static const uint64_t longest_wait = 60000;

static bool same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

void cavahi_free_service(cavahi_service *service) {
    if (!service) return;
    free(service->name);
    free(service->type);
    free(service->subtype);
    avahi_string_list_free(service->txt);
    free(service);
}

void cavahi_publishing_reset(cavahi *avahi, bool client_gone) {
    if (client_gone) {
        avahi->publishing.group = NULL;
        avahi->publishing.filled = false;
    }
    free(avahi->publishing.name);
    avahi->publishing.name = NULL;
    avahi->publishing.stale = avahi->publishing.wanted != NULL;
    cavahi_succeeded(&avahi->publishing.retry);
}

void cavahi_publishing_want(cavahi *avahi, cavahi_service *service) {
    cavahi_service *before = avahi->publishing.wanted;
    avahi->publishing.wanted = service;
    bool same_but_txt = before && service && service->port == before->port && same(service->name, before->name) &&
                        same(service->type, before->type) && same(service->subtype, before->subtype);
    if (same_but_txt)
        avahi->publishing.stale_txt = true;
    else
        cavahi_publishing_reset(avahi, false);
    cavahi_free_service(before);
}

// The first call comes before avahi_entry_group_new returns.
static void on_group(AvahiEntryGroup *group, AvahiEntryGroupState state, void *argument) {
    cavahi *avahi = argument;
    avahi->publishing.group = group;
    switch (state) {
    case AVAHI_ENTRY_GROUP_ESTABLISHED: {
        cavahi_event event = {.kind = CAVAHI_PUBLISHED, .name = avahi->publishing.name};
        cavahi_succeeded(&avahi->connecting);
        cavahi_succeeded(&avahi->publishing.retry);
        if (avahi->publishing.name) cavahi_emit(avahi, &event);
        return;
    }
    case AVAHI_ENTRY_GROUP_COLLISION: {
        // The name is taken on another machine. If it is taken on this machine, add_service fails.
        char *taken = avahi->publishing.name;
        if (!taken) return;
        char *other = avahi_alternative_service_name(taken);
        avahi->publishing.name = other ? strdup(other) : NULL;
        avahi_free(other);
        free(taken);
        avahi->publishing.stale = true;
        return;
    }
    case AVAHI_ENTRY_GROUP_FAILURE: {
        int error = avahi_client_errno(avahi->client);
        avahi->publishing.stale = true;
        cavahi_failed(&avahi->publishing.retry, longest_wait);
        if (!cavahi_lost_connection(avahi, error)) cavahi_emit_message(avahi, CAVAHI_TROUBLE, avahi_strerror(error));
        return;
    }
    case AVAHI_ENTRY_GROUP_UNCOMMITED:
    case AVAHI_ENTRY_GROUP_REGISTERING: return;
    }
}

static int fill(cavahi *avahi) {
    cavahi_service *service = avahi->publishing.wanted;
    AvahiEntryGroup *group = avahi->publishing.group;
    int error = AVAHI_ERR_COLLISION;
    if (!avahi->publishing.name) avahi->publishing.name = strdup(service->name);
    for (int tries = 0; tries < local_alternatives && error == AVAHI_ERR_COLLISION; tries++) {
        if (tries) {
            char *other = avahi_alternative_service_name(avahi->publishing.name);
            free(avahi->publishing.name);
            avahi->publishing.name = other ? strdup(other) : NULL;
            avahi_free(other);
        }
        const char *name = avahi->publishing.name;
        if (!name) return AVAHI_ERR_NO_MEMORY;
        if ((error = avahi_entry_group_reset(group))) return error;
        error = avahi_entry_group_add_service_strlst(group, avahi->interface, AVAHI_PROTO_UNSPEC, 0, name,
                                                     service->type, NULL, NULL, service->port, service->txt);
        if (!error && service->subtype)
            error = avahi_entry_group_add_service_subtype(group, avahi->interface, AVAHI_PROTO_UNSPEC, 0, name,
                                                          service->type, NULL, service->subtype);
    }
    avahi->publishing.filled = true;
    return error ? error : avahi_entry_group_commit(group);
}

uint64_t cavahi_publishing_due(const cavahi *avahi) {
    if (!avahi->client) return CAVAHI_NEVER;
    if (!avahi->running || !avahi->publishing.wanted) return avahi->publishing.filled ? 0 : CAVAHI_NEVER;
    return avahi->publishing.stale || avahi->publishing.stale_txt ? avahi->publishing.retry.due : CAVAHI_NEVER;
}

void cavahi_publishing_step(cavahi *avahi) {
    cavahi_service *service = avahi->publishing.wanted;
    AvahiEntryGroup *group = avahi->publishing.group;
    int error = 0;
    if (!avahi->running || !service) {
        avahi->publishing.filled = false;
        error = avahi_entry_group_reset(group);
    } else if (!group) {
        avahi->publishing.group = avahi_entry_group_new(avahi->client, on_group, avahi);
        if (!avahi->publishing.group) error = avahi_client_errno(avahi->client);
    } else if (avahi->publishing.stale) {
        avahi->publishing.stale = avahi->publishing.stale_txt = false;
        error = fill(avahi);
    } else {
        avahi->publishing.stale_txt = false;
        error = avahi_entry_group_update_service_txt_strlst(group, avahi->interface, AVAHI_PROTO_UNSPEC, 0,
                                                            avahi->publishing.name, service->type, NULL, service->txt);
    }
    if (!error) return;
    avahi->publishing.stale = avahi->publishing.wanted != NULL;
    cavahi_failed(&avahi->publishing.retry, longest_wait);
    if (!cavahi_lost_connection(avahi, error)) cavahi_emit_message(avahi, CAVAHI_TROUBLE, avahi_strerror(error));
}

static void wish(cavahi *avahi, cavahi_service *service) {
    pthread_mutex_lock(&avahi->lock);
    cavahi_service *superseded = avahi->wishes.service;
    avahi->wishes.publish = true;
    avahi->wishes.service = service;
    cavahi_wake(avahi);
    pthread_mutex_unlock(&avahi->lock);
    cavahi_free_service(superseded);
}

int cavahi_publish(cavahi *avahi, const char *name, const char *type, const char *subtype, uint16_t port,
                   const uint8_t *txt, size_t txt_length) {
    if (!avahi_is_valid_service_name(name)) return AVAHI_ERR_INVALID_SERVICE_NAME;
    if (!avahi_is_valid_service_type_strict(type)) return AVAHI_ERR_INVALID_SERVICE_TYPE;
    if (subtype && !avahi_is_valid_service_subtype(subtype)) return AVAHI_ERR_INVALID_SERVICE_SUBTYPE;
    cavahi_service *service = calloc(1, sizeof *service);
    if (!service) return AVAHI_ERR_NO_MEMORY;
    if (avahi_string_list_parse(txt, txt_length, &service->txt) < 0) {
        free(service);
        return AVAHI_ERR_INVALID_RECORD;
    }
    service->name = strdup(name);
    service->type = strdup(type);
    service->subtype = subtype ? strdup(subtype) : NULL;
    service->port = port;
    if (!service->name || !service->type || (subtype && !service->subtype)) {
        cavahi_free_service(service);
        return AVAHI_ERR_NO_MEMORY;
    }
    wish(avahi, service);
    return 0;
}

void cavahi_withdraw(cavahi *avahi) { wish(avahi, NULL); }
