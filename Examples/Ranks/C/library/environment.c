// Beginning, end, clock and names.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "module.h"

static bool isInitialized, isFinalized;

void potluck_state(bool *initialized, bool *finalized) {
    *initialized = isInitialized;
    *finalized = isFinalized;
}

int MPI_Init(int *argc, char ***argv) {
    (void)argc, (void)argv;
    if (isInitialized) return potluck_fail(0, MPI_ERR_OTHER, __func__, "it was called before");
    isInitialized = true;
    potluck_begin();
    return MPI_SUCCESS;
}

// A rank has one thread, so no other one can call MPI, whatever the program promises.
static int threads = MPI_THREAD_SINGLE;

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    *provided = threads = required;
    return MPI_Init(argc, argv);
}

int MPI_Initialized(int *flag) {
    *flag = isInitialized;
    return MPI_SUCCESS;
}

// The host keeps messages for ranks that have not received them yet, so nobody has to wait here.
int MPI_Finalize(void) {
    TRY(potluck_check(__func__, &potluck_world));
    TRY(potluck_drop_attributes(&potluck_self, &potluck_self.attributes));
    potluck_tell_lost_files();
    isFinalized = true;
    return MPI_SUCCESS;
}

int MPI_Finalized(int *flag) {
    *flag = isFinalized;
    return MPI_SUCCESS;
}

int MPI_Query_thread(int *provided) {
    *provided = threads;
    return MPI_SUCCESS;
}

int MPI_Is_thread_main(int *flag) {
    *flag = true;
    return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm comm, int code) {
    (void)comm;
    fflush(0);
    potluck_flush();
    host_abort(code);
}

int MPI_Get_version(int *version, int *subversion) {
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

int MPI_Get_library_version(char *text, int *length) {
    strcpy(text, "Potluck");
    *length = strlen(text);
    return MPI_SUCCESS;
}

// A module does not learn which machine runs it.
int gethostname(char *name, size_t bytes) {
    snprintf(name, bytes, "potluck");
    return 0;
}

int MPI_Get_processor_name(char *name, int *length) {
    gethostname(name, MPI_MAX_PROCESSOR_NAME);
    *length = strlen(name);
    return MPI_SUCCESS;
}

double MPI_Wtime(void) { return host_time(); }

double MPI_Wtick(void) { return 1e-9; }

int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void *address) {
    (void)info;
    *(void **)address = potluck_memory(bytes);
    return MPI_SUCCESS;
}

int MPI_Free_mem(void *address) {
    free(address);
    return MPI_SUCCESS;
}
