// One-sided communication, as its two files share it. What a rank wants of another one's memory waits in a list until the
// end of an epoch. Then the other rank does it, in the order of ranks, so that results do not depend on chance.

#ifndef POTLUCK_WINDOW_H
#define POTLUCK_WINDOW_H

#include "inside.h"

// Where the values of a get belong.
struct wanted {
    void *buffer;
    int count;
    MPI_Datatype type;
    struct wanted *next;
};

// What this rank knows of another rank's part of the window, and wants of it.
struct target {
    MPI_Aint bytes;
    int unit;
    struct bytes orders;
    size_t answer;  // the bytes that come back
    struct wanted *first, **last;
    int posts;  // by which the other rank has opened its memory to this one
    bool isStarted, isExpected;
};

// Memory that a program attached to a window without memory of its own.
struct region {
    char *at;
    MPI_Aint bytes;
    struct region *next;
};

struct potluck_win {
    MPI_Comm comm;  // of the window alone
    char *base;
    MPI_Aint bytes;
    int unit, flavor;
    struct region *regions;
    struct target *targets;
    struct attribute *attributes;
    char name[MPI_MAX_OBJECT_NAME];
};

// Does what a rank has ordered, and appends what it wants to know to `answer`.
void potluck_obey(MPI_Win win, int origin, const char *orders, size_t bytes, struct bytes *answer);
// Takes the answer of a rank, and forgets what was ordered.
void potluck_settle(struct target *target, const char *answer);

#endif
