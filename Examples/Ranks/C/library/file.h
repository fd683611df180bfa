// Files, as their two parts share them. A module has no files of its machine: a file is in the memory of the ranks, and ends
// with the program. Each rank has the whole file. What a rank writes waits in a list, and the ranks exchange their lists at
// the next collective call for the file, or at a barrier of its ranks.

#ifndef POTLUCK_FILE_H
#define POTLUCK_FILE_H

#include "inside.h"

// More would not fit into the memory of a rank, which also has what it writes.
#define POTLUCK_LARGEST_FILE (1LL << 30)

// A file as this rank knows it.
struct stored {
    char *name;
    bool isThere;  // false once it is deleted
    int opened;    // how often it is open
    struct bytes content;
    struct bytes history;  // a mark for each change: of two ranks, the one with the longer history knows more
    struct stored *next;
};

struct potluck_file {
    MPI_Comm comm;  // of the file alone, with its handler of errors
    int mode;
    struct stored *stored;
    // The view: the file's values are those of `pattern`, one after the other, from byte `start` on. Places count units.
    MPI_Offset start;
    MPI_Datatype unit, pattern;
    MPI_Offset place, shared;
    struct bytes writes;  // that other ranks do not know yet
    struct potluck_file *next;
};

// A stretch in a list of writes. Its bytes follow.
struct written {
    MPI_Offset place;
    size_t bytes;
};

int potluck_check_file(const char *call, MPI_File file);
// Tells all ranks of the file what each has written.
int potluck_exchange_writes(MPI_File file);
// Makes the file longer or shorter; new bytes are 0.
void potluck_resize(struct stored *stored, size_t bytes);

#endif
