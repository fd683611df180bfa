// What programs can ask of a type, and the name that they give it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

int MPI_Type_size_x(MPI_Datatype type, MPI_Count *bytes) {
    int found;
    TRY(MPI_Type_size(type, &found));
    *bytes = found;
    return MPI_SUCCESS;
}

int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) {
    MPI_Aint found[2];
    TRY(MPI_Type_get_extent(type, &found[0], &found[1]));
    *lower = found[0];
    *extent = found[1];
    return MPI_SUCCESS;
}

int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) {
    MPI_Aint found[2];
    TRY(MPI_Type_get_true_extent(type, &found[0], &found[1]));
    *lower = found[0];
    *extent = found[1];
    return MPI_SUCCESS;
}

int MPI_Type_set_name(MPI_Datatype type, const char *name) {
    if (!type) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_TYPE, __func__, "the type is MPI_DATATYPE_NULL");
    char *copy = potluck_memory(MPI_MAX_OBJECT_NAME);
    snprintf(copy, MPI_MAX_OBJECT_NAME, "%s", name);
    type->name = copy;
    return MPI_SUCCESS;
}

// A type that a program made has no name until it gets one.
int MPI_Type_get_name(MPI_Datatype type, char *name, int *length) {
    if (!type) return potluck_fail(MPI_COMM_WORLD, MPI_ERR_TYPE, __func__, "the type is MPI_DATATYPE_NULL");
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", type->name == potluck_unnamed ? "" : type->name);
    return MPI_SUCCESS;
}
