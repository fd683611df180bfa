// What the module knows of the program and of its request.

#ifndef POTLUCK_MODULE_H
#define POTLUCK_MODULE_H

#include <stddef.h>

// From the command that builds the program.
extern const char potluck_name[], potluck_hash[];

extern unsigned long long potluck_seed;
extern int potluck_argument_count;
extern char **potluck_arguments;
// The table that the user gave as standard input, as text; rank 0 reads it.
extern const char *potluck_input;
extern size_t potluck_input_bytes;

// Ends this rank with code 0. The host asks potluck_fault for the reason of the trap.
void potluck_stop(void) __attribute__((noreturn));
// Fills the addresses of null pointers before the program begins, and ends the program if it has written there.
void potluck_mark_zone(void);
void potluck_check_zone(void);
// Shows lines that have no end yet.
void potluck_flush(void);

#endif
