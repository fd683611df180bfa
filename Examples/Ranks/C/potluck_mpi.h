// MPI for programs that Potluck starts with `potluck launch`: the calls of the teaching books, in C. The library next to
// this header implements them over the imports of a module with ranks. docs/FROM-MPI.md says what is different.

#ifndef POTLUCK_MPI_H
#define POTLUCK_MPI_H

#include <stddef.h>
// Without it, a program that forgets it would call `time` as a function that returns an int, which it does not.
#include <time.h>

#define MPI_VERSION 3
#define MPI_SUBVERSION 1
#define POTLUCK_MPI 1

typedef struct potluck_comm *MPI_Comm;
typedef struct potluck_group *MPI_Group;
typedef struct potluck_type *MPI_Datatype;
typedef struct potluck_op *MPI_Op;
typedef struct potluck_request *MPI_Request;
typedef struct potluck_info *MPI_Info;
typedef struct potluck_handler *MPI_Errhandler;
typedef struct potluck_win *MPI_Win;
typedef struct potluck_file *MPI_File;
typedef long MPI_Aint;
typedef long long MPI_Count;
typedef long long MPI_Offset;

typedef struct MPI_Status {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int potluck_bytes;  // of the message
} MPI_Status;

typedef void MPI_User_function(void *in, void *inout, int *count, MPI_Datatype *type);

// Communicators, groups and their like.

extern struct potluck_comm potluck_world, potluck_self;
extern struct potluck_group potluck_nobody;
extern struct potluck_handler potluck_fatal, potluck_returns;
extern struct potluck_info potluck_environment;

#define MPI_COMM_WORLD (&potluck_world)
#define MPI_COMM_SELF (&potluck_self)
#define MPI_COMM_NULL ((MPI_Comm)0)
#define MPI_GROUP_EMPTY (&potluck_nobody)
#define MPI_GROUP_NULL ((MPI_Group)0)
#define MPI_REQUEST_NULL ((MPI_Request)0)
#define MPI_DATATYPE_NULL ((MPI_Datatype)0)
#define MPI_OP_NULL ((MPI_Op)0)
#define MPI_INFO_NULL ((MPI_Info)0)
#define MPI_INFO_ENV (&potluck_environment)
#define MPI_WIN_NULL ((MPI_Win)0)
#define MPI_UNWEIGHTED ((int *)-2)
#define MPI_WEIGHTS_EMPTY ((int *)-3)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0)
#define MPI_ERRORS_ARE_FATAL (&potluck_fatal)
#define MPI_ERRORS_RETURN (&potluck_returns)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_BOTTOM ((void *)0)

#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL (-2)
#define MPI_ROOT (-3)
#define MPI_UNDEFINED (-32766)

enum {
    MPI_MAX_PROCESSOR_NAME = 256,
    MPI_MAX_ERROR_STRING = 512,
    MPI_MAX_OBJECT_NAME = 64,
    MPI_MAX_LIBRARY_VERSION_STRING = 256,
    MPI_BSEND_OVERHEAD = 128,
    MPI_MAX_INFO_KEY = 255,
    MPI_MAX_INFO_VAL = 1024,
    MPI_MAX_PORT_NAME = 256,
};
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum { MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL };
enum { MPI_CART = 1, MPI_GRAPH, MPI_DIST_GRAPH };
enum { MPI_COMM_TYPE_SHARED = 1 };
enum { MPI_ORDER_C = 1, MPI_ORDER_FORTRAN };
enum { MPI_WIN_FLAVOR_CREATE = 1, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_DYNAMIC, MPI_WIN_FLAVOR_SHARED };
enum { MPI_WIN_SEPARATE = 1, MPI_WIN_UNIFIED };
enum { MPI_MODE_NOCHECK = 1, MPI_MODE_NOSTORE = 2, MPI_MODE_NOPUT = 4, MPI_MODE_NOPRECEDE = 8, MPI_MODE_NOSUCCEED = 16 };
enum {
    MPI_KEYVAL_INVALID, MPI_TAG_UB, MPI_WTIME_IS_GLOBAL, MPI_HOST, MPI_IO, MPI_APPNUM, MPI_UNIVERSE_SIZE,
    MPI_LASTUSEDCODE, MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL,
    POTLUCK_LAST_KEY,
};

// Classes of errors.
enum {
    MPI_SUCCESS, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TAG, MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_REQUEST,
    MPI_ERR_ROOT, MPI_ERR_GROUP, MPI_ERR_OP, MPI_ERR_TOPOLOGY, MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_UNKNOWN,
    MPI_ERR_TRUNCATE, MPI_ERR_OTHER, MPI_ERR_INTERN, MPI_ERR_IN_STATUS, MPI_ERR_PENDING, MPI_ERR_KEYVAL, MPI_ERR_INFO,
    MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE, MPI_ERR_INFO_NOKEY, MPI_ERR_WIN, MPI_ERR_SIZE, MPI_ERR_DISP, MPI_ERR_RMA_RANGE,
    MPI_ERR_RMA_SYNC, MPI_ERR_RMA_SHARED, MPI_ERR_RMA_FLAVOR, MPI_ERR_FILE, MPI_ERR_AMODE, MPI_ERR_NO_SUCH_FILE,
    MPI_ERR_FILE_EXISTS, MPI_ERR_FILE_IN_USE, MPI_ERR_READ_ONLY, MPI_ERR_ACCESS, MPI_ERR_NO_SPACE, MPI_ERR_NOT_SAME,
    MPI_ERR_UNSUPPORTED_DATAREP, MPI_ERR_LASTCODE,
};

// Types of values.

extern struct potluck_type potluck_char, potluck_signed_char, potluck_unsigned_char, potluck_byte, potluck_packed,
    potluck_short, potluck_unsigned_short, potluck_int, potluck_unsigned, potluck_long, potluck_unsigned_long,
    potluck_long_long, potluck_unsigned_long_long, potluck_float, potluck_double, potluck_long_double, potluck_logical,
    potluck_float_complex, potluck_double_complex, potluck_long_double_complex, potluck_float_int, potluck_double_int, potluck_long_int,
    potluck_two_int, potluck_short_int, potluck_long_double_int;

#define MPI_CHAR (&potluck_char)
#define MPI_SIGNED_CHAR (&potluck_signed_char)
#define MPI_UNSIGNED_CHAR (&potluck_unsigned_char)
#define MPI_BYTE (&potluck_byte)
#define MPI_PACKED (&potluck_packed)
#define MPI_WCHAR (&potluck_int)
#define MPI_SHORT (&potluck_short)
#define MPI_UNSIGNED_SHORT (&potluck_unsigned_short)
#define MPI_INT (&potluck_int)
#define MPI_UNSIGNED (&potluck_unsigned)
#define MPI_LONG (&potluck_long)
#define MPI_UNSIGNED_LONG (&potluck_unsigned_long)
#define MPI_LONG_LONG (&potluck_long_long)
#define MPI_LONG_LONG_INT (&potluck_long_long)
#define MPI_UNSIGNED_LONG_LONG (&potluck_unsigned_long_long)
#define MPI_FLOAT (&potluck_float)
#define MPI_DOUBLE (&potluck_double)
#define MPI_LONG_DOUBLE (&potluck_long_double)
#define MPI_C_BOOL (&potluck_logical)
#define MPI_C_COMPLEX (&potluck_float_complex)
#define MPI_C_FLOAT_COMPLEX (&potluck_float_complex)
#define MPI_C_DOUBLE_COMPLEX (&potluck_double_complex)
#define MPI_C_LONG_DOUBLE_COMPLEX (&potluck_long_double_complex)
#define MPI_INT8_T (&potluck_signed_char)
#define MPI_INT16_T (&potluck_short)
#define MPI_INT32_T (&potluck_int)
#define MPI_INT64_T (&potluck_long_long)
#define MPI_UINT8_T (&potluck_unsigned_char)
#define MPI_UINT16_T (&potluck_unsigned_short)
#define MPI_UINT32_T (&potluck_unsigned)
#define MPI_UINT64_T (&potluck_unsigned_long_long)
#define MPI_AINT (&potluck_long)
#define MPI_COUNT (&potluck_long_long)
#define MPI_OFFSET (&potluck_long_long)
#define MPI_FLOAT_INT (&potluck_float_int)
#define MPI_DOUBLE_INT (&potluck_double_int)
#define MPI_LONG_INT (&potluck_long_int)
#define MPI_2INT (&potluck_two_int)
#define MPI_SHORT_INT (&potluck_short_int)
#define MPI_LONG_DOUBLE_INT (&potluck_long_double_int)
// Those of Fortran and C++, which some programs in C use.
#define MPI_INTEGER MPI_INT
#define MPI_REAL MPI_FLOAT
#define MPI_DOUBLE_PRECISION MPI_DOUBLE
#define MPI_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define MPI_LOGICAL MPI_INT
#define MPI_CHARACTER MPI_CHAR
#define MPI_INTEGER1 MPI_INT8_T
#define MPI_INTEGER2 MPI_INT16_T
#define MPI_INTEGER4 MPI_INT32_T
#define MPI_INTEGER8 MPI_INT64_T
#define MPI_REAL4 MPI_FLOAT
#define MPI_REAL8 MPI_DOUBLE
#define MPI_COMPLEX8 MPI_C_FLOAT_COMPLEX
#define MPI_COMPLEX16 MPI_C_DOUBLE_COMPLEX
#define MPI_CXX_BOOL MPI_C_BOOL
#define MPI_CXX_FLOAT_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_CXX_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define MPI_CXX_LONG_DOUBLE_COMPLEX MPI_C_LONG_DOUBLE_COMPLEX
#define MPI_2INTEGER MPI_2INT

// Operations of reductions.

extern struct potluck_op potluck_max, potluck_min, potluck_sum, potluck_prod, potluck_land, potluck_band, potluck_lor,
    potluck_bor, potluck_lxor, potluck_bxor, potluck_maxloc, potluck_minloc, potluck_replace, potluck_no_op;

#define MPI_MAX (&potluck_max)
#define MPI_MIN (&potluck_min)
#define MPI_SUM (&potluck_sum)
#define MPI_PROD (&potluck_prod)
#define MPI_LAND (&potluck_land)
#define MPI_BAND (&potluck_band)
#define MPI_LOR (&potluck_lor)
#define MPI_BOR (&potluck_bor)
#define MPI_LXOR (&potluck_lxor)
#define MPI_BXOR (&potluck_bxor)
#define MPI_MAXLOC (&potluck_maxloc)
#define MPI_MINLOC (&potluck_minloc)
#define MPI_REPLACE (&potluck_replace)
#define MPI_NO_OP (&potluck_no_op)

// Beginning, end, and the surroundings.

int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Initialized(int *flag);
int MPI_Finalize(void);
int MPI_Finalized(int *flag);
int MPI_Query_thread(int *provided);
int MPI_Is_thread_main(int *flag);
int MPI_Abort(MPI_Comm comm, int code);
int MPI_Get_version(int *version, int *subversion);
int MPI_Get_library_version(char *text, int *length);
int MPI_Get_processor_name(char *name, int *length);
double MPI_Wtime(void);
double MPI_Wtick(void);
int MPI_Error_string(int code, char *text, int *length);
int MPI_Error_class(int code, int *class);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler);
int MPI_Errhandler_free(MPI_Errhandler *handler);
int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void *address);
int MPI_Free_mem(void *address);

// Messages.

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Rsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Buffer_attach(void *buffer, int bytes);
int MPI_Buffer_detach(void *buffer, int *bytes);
int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Sendrecv(const void *sent, int sentCount, MPI_Datatype sentType, int to, int sentTag, void *buffer, int count,
                 MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int sentTag, int from, int tag,
                         MPI_Comm comm, MPI_Status *status);
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count);
int MPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count);

// Requests.

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Ssend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Bsend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Rsend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Startall(int count, MPI_Request requests[]);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status);
int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]);
int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status);
int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]);
int MPI_Request_free(MPI_Request *request);
int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status);
int MPI_Cancel(MPI_Request *request);
int MPI_Test_cancelled(const MPI_Status *status, int *flag);

// Collective calls.

int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Scatter(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                int root, MPI_Comm comm);
int MPI_Scatterv(const void *sent, const int counts[], const int places[], MPI_Datatype sentType, void *buffer, int count,
                 MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Gather(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
               int root, MPI_Comm comm);
int MPI_Gatherv(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, const int counts[],
                const int places[], MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Allgather(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                  MPI_Comm comm);
int MPI_Allgatherv(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, const int counts[],
                   const int places[], MPI_Datatype type, MPI_Comm comm);
int MPI_Alltoall(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                 MPI_Comm comm);
int MPI_Alltoallv(const void *sent, const int sentCounts[], const int sentPlaces[], MPI_Datatype sentType, void *buffer,
                  const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm);
int MPI_Alltoallw(const void *sent, const int sentCounts[], const int sentPlaces[], const MPI_Datatype sentTypes[],
                  void *buffer, const int counts[], const int places[], const MPI_Datatype types[], MPI_Comm comm);
int MPI_Reduce(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int MPI_Allreduce(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Scan(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Exscan(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Reduce_scatter(const void *sent, void *buffer, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Reduce_scatter_block(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op);
int MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op);
int MPI_Op_free(MPI_Op *op);

// Communicators and groups.

int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made);
int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made);
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made);
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Comm_disconnect(MPI_Comm *comm);
int MPI_Comm_compare(MPI_Comm first, MPI_Comm second, int *result);
int MPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int MPI_Comm_set_name(MPI_Comm comm, const char *name);
int MPI_Comm_get_name(MPI_Comm comm, char *name, int *length);
int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag);
int MPI_Comm_test_inter(MPI_Comm comm, int *flag);
int MPI_Group_size(MPI_Group group, int *size);
int MPI_Group_rank(MPI_Group group, int *rank);
int MPI_Group_incl(MPI_Group group, int count, const int ranks[], MPI_Group *made);
int MPI_Group_excl(MPI_Group group, int count, const int ranks[], MPI_Group *made);
int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group *made);
int MPI_Group_union(MPI_Group first, MPI_Group second, MPI_Group *made);
int MPI_Group_intersection(MPI_Group first, MPI_Group second, MPI_Group *made);
int MPI_Group_difference(MPI_Group first, MPI_Group second, MPI_Group *made);
int MPI_Group_translate_ranks(MPI_Group first, int count, const int ranks[], MPI_Group second, int found[]);
int MPI_Group_compare(MPI_Group first, MPI_Group second, int *result);
int MPI_Group_free(MPI_Group *group);

// Grids.

int MPI_Dims_create(int ranks, int dimensions, int sizes[]);
int MPI_Cart_create(MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int reorder, MPI_Comm *made);
int MPI_Cart_coords(MPI_Comm comm, int rank, int dimensions, int place[]);
int MPI_Cart_rank(MPI_Comm comm, const int place[], int *rank);
int MPI_Cart_shift(MPI_Comm comm, int dimension, int steps, int *from, int *to);
int MPI_Cart_get(MPI_Comm comm, int dimensions, int sizes[], int periods[], int place[]);
int MPI_Cart_sub(MPI_Comm comm, const int kept[], MPI_Comm *made);
int MPI_Cartdim_get(MPI_Comm comm, int *dimensions);
int MPI_Topo_test(MPI_Comm comm, int *kind);

// Types that programs make.

int MPI_Type_size(MPI_Datatype type, int *bytes);
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent);
int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent);
int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *made);
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype *made);
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype *made);
int MPI_Type_indexed(int count, const int lengths[], const int places[], MPI_Datatype type, MPI_Datatype *made);
int MPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint places[], MPI_Datatype type,
                             MPI_Datatype *made);
int MPI_Type_create_indexed_block(int count, int length, const int places[], MPI_Datatype type, MPI_Datatype *made);
int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint places[], MPI_Datatype type,
                                   MPI_Datatype *made);
int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint places[], const MPI_Datatype types[],
                           MPI_Datatype *made);
int MPI_Type_create_subarray(int dimensions, const int sizes[], const int parts[], const int starts[], int order,
                             MPI_Datatype type, MPI_Datatype *made);
int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent);
int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent);
int MPI_Type_size_x(MPI_Datatype type, MPI_Count *bytes);
int MPI_Type_set_name(MPI_Datatype type, const char *name);
int MPI_Type_get_name(MPI_Datatype type, char *name, int *length);
int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent, MPI_Datatype *made);
int MPI_Type_dup(MPI_Datatype type, MPI_Datatype *made);
int MPI_Type_commit(MPI_Datatype *type);
int MPI_Type_free(MPI_Datatype *type);
int MPI_Get_address(const void *place, MPI_Aint *address);
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint distance);
MPI_Aint MPI_Aint_diff(MPI_Aint first, MPI_Aint second);
int MPI_Pack(const void *from, int count, MPI_Datatype type, void *packed, int bytes, int *place, MPI_Comm comm);
int MPI_Unpack(const void *packed, int bytes, int *place, void *to, int count, MPI_Datatype type, MPI_Comm comm);
int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *bytes);

// Names of MPI 1, which old programs use.

#define MPI_Address MPI_Get_address
#define MPI_Type_struct MPI_Type_create_struct
#define MPI_Type_hvector MPI_Type_create_hvector
#define MPI_Type_hindexed MPI_Type_create_hindexed
#define MPI_Errhandler_set MPI_Comm_set_errhandler
#define MPI_Attr_get MPI_Comm_get_attr
#define MPI_Attr_put MPI_Comm_set_attr
#define MPI_Attr_delete MPI_Comm_delete_attr
#define MPI_Keyval_create MPI_Comm_create_keyval
#define MPI_Keyval_free MPI_Comm_free_keyval
#define MPI_Copy_function MPI_Comm_copy_attr_function
#define MPI_Delete_function MPI_Comm_delete_attr_function
#define MPI_NULL_COPY_FN MPI_COMM_NULL_COPY_FN
#define MPI_NULL_DELETE_FN MPI_COMM_NULL_DELETE_FN
#define MPI_DUP_FN MPI_COMM_DUP_FN
int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent);

#include "potluck_mpi_more.h"
#include "potluck_mpi_files.h"
#include "potluck_mpi_lacks.h"

// What programs expect from <unistd.h> and the C library of WASI lacks.

int gethostname(char *name, size_t bytes);

#endif
