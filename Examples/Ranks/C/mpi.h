#include "potluck_mpi.h"
