// The calls of MPI that fewer programs need. potluck_mpi.h includes this.

#ifndef POTLUCK_MPI_MORE_H
#define POTLUCK_MPI_MORE_H

// Collective calls that do not block.

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request);
int MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Iscatter(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                 int root, MPI_Comm comm, MPI_Request *request);
int MPI_Iscatterv(const void *sent, const int counts[], const int places[], MPI_Datatype sentType, void *buffer, int count,
                  MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Igather(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                int root, MPI_Comm comm, MPI_Request *request);
int MPI_Igatherv(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, const int counts[],
                 const int places[], MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Iallgather(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                   MPI_Comm comm, MPI_Request *request);
int MPI_Iallgatherv(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, const int counts[],
                    const int places[], MPI_Datatype type, MPI_Comm comm, MPI_Request *request);
int MPI_Ialltoall(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count, MPI_Datatype type,
                  MPI_Comm comm, MPI_Request *request);
int MPI_Ialltoallv(const void *sent, const int sentCounts[], const int sentPlaces[], MPI_Datatype sentType, void *buffer,
                   const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm, MPI_Request *request);
int MPI_Ialltoallw(const void *sent, const int sentCounts[], const int sentPlaces[], const MPI_Datatype sentTypes[],
                   void *buffer, const int counts[], const int places[], const MPI_Datatype types[], MPI_Comm comm,
                   MPI_Request *request);
int MPI_Ireduce(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request *request);
int MPI_Iallreduce(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Iscan(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request *request);
int MPI_Iexscan(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request *request);
int MPI_Ireduce_scatter(const void *sent, void *buffer, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                        MPI_Request *request);
int MPI_Ireduce_scatter_block(const void *sent, void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request *request);

// Graphs, and collective calls among neighbours.

int MPI_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm *made);
int MPI_Graphdims_get(MPI_Comm comm, int *nodes, int *edges);
int MPI_Graph_get(MPI_Comm comm, int mostNodes, int mostEdges, int index[], int edges[]);
int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *count);
int MPI_Graph_neighbors(MPI_Comm comm, int rank, int most, int found[]);
int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int inCount, const int in[], const int inWeights[], int outCount,
                                   const int out[], const int outWeights[], MPI_Info info, int reorder, MPI_Comm *made);
int MPI_Dist_graph_create(MPI_Comm comm, int count, const int sources[], const int degrees[], const int destinations[],
                          const int weights[], MPI_Info info, int reorder, MPI_Comm *made);
int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int *in, int *out, int *isWeighted);
int MPI_Dist_graph_neighbors(MPI_Comm comm, int mostIn, int in[], int inWeights[], int mostOut, int out[],
                             int outWeights[]);
int MPI_Ineighbor_allgather(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count,
                            MPI_Datatype type, MPI_Comm comm, MPI_Request *request);
int MPI_Ineighbor_allgatherv(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, const int counts[],
                             const int places[], MPI_Datatype type, MPI_Comm comm, MPI_Request *request);
int MPI_Ineighbor_alltoall(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count,
                           MPI_Datatype type, MPI_Comm comm, MPI_Request *request);
int MPI_Ineighbor_alltoallv(const void *sent, const int sentCounts[], const int sentPlaces[], MPI_Datatype sentType,
                            void *buffer, const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm,
                            MPI_Request *request);
int MPI_Ineighbor_alltoallw(const void *sent, const int sentCounts[], const MPI_Aint sentPlaces[],
                            const MPI_Datatype sentTypes[], void *buffer, const int counts[], const MPI_Aint places[],
                            const MPI_Datatype types[], MPI_Comm comm, MPI_Request *request);
int MPI_Neighbor_allgather(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count,
                           MPI_Datatype type, MPI_Comm comm);
int MPI_Neighbor_allgatherv(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, const int counts[],
                            const int places[], MPI_Datatype type, MPI_Comm comm);
int MPI_Neighbor_alltoall(const void *sent, int sentCount, MPI_Datatype sentType, void *buffer, int count,
                          MPI_Datatype type, MPI_Comm comm);
int MPI_Neighbor_alltoallv(const void *sent, const int sentCounts[], const int sentPlaces[], MPI_Datatype sentType,
                           void *buffer, const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm);
int MPI_Neighbor_alltoallw(const void *sent, const int sentCounts[], const MPI_Aint sentPlaces[],
                           const MPI_Datatype sentTypes[], void *buffer, const int counts[], const MPI_Aint places[],
                           const MPI_Datatype types[], MPI_Comm comm);

// Attributes.

typedef int MPI_Comm_copy_attr_function(MPI_Comm copied, int key, void *extra, void *value, void *copy, int *flag);
typedef int MPI_Comm_delete_attr_function(MPI_Comm owner, int key, void *value, void *extra);
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete_, int *key, void *extra);
int MPI_Comm_free_keyval(int *key);
int MPI_Comm_set_attr(MPI_Comm owner, int key, void *value);
int MPI_Comm_delete_attr(MPI_Comm owner, int key);
int MPI_COMM_DUP_FN(MPI_Comm copied, int key, void *extra, void *value, void *copy, int *flag);
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
typedef int MPI_Type_copy_attr_function(MPI_Datatype copied, int key, void *extra, void *value, void *copy, int *flag);
typedef int MPI_Type_delete_attr_function(MPI_Datatype owner, int key, void *value, void *extra);
int MPI_Type_create_keyval(MPI_Type_copy_attr_function *copy, MPI_Type_delete_attr_function *delete_, int *key, void *extra);
int MPI_Type_free_keyval(int *key);
int MPI_Type_set_attr(MPI_Datatype owner, int key, void *value);
int MPI_Type_delete_attr(MPI_Datatype owner, int key);
int MPI_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag);
int MPI_TYPE_DUP_FN(MPI_Datatype copied, int key, void *extra, void *value, void *copy, int *flag);
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function *)0)
typedef int MPI_Win_copy_attr_function(MPI_Win copied, int key, void *extra, void *value, void *copy, int *flag);
typedef int MPI_Win_delete_attr_function(MPI_Win owner, int key, void *value, void *extra);
int MPI_Win_create_keyval(MPI_Win_copy_attr_function *copy, MPI_Win_delete_attr_function *delete_, int *key, void *extra);
int MPI_Win_free_keyval(int *key);
int MPI_Win_set_attr(MPI_Win owner, int key, void *value);
int MPI_Win_delete_attr(MPI_Win owner, int key);
int MPI_WIN_DUP_FN(MPI_Win copied, int key, void *extra, void *value, void *copy, int *flag);
#define MPI_WIN_NULL_COPY_FN ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_NULL_DELETE_FN ((MPI_Win_delete_attr_function *)0)

// Hints.

int MPI_Info_create(MPI_Info *info);
int MPI_Info_set(MPI_Info info, const char *key, const char *value);
int MPI_Info_get(MPI_Info info, const char *key, int length, char *value, int *flag);
int MPI_Info_get_valuelen(MPI_Info info, const char *key, int *length, int *flag);
int MPI_Info_get_nkeys(MPI_Info info, int *count);
int MPI_Info_get_nthkey(MPI_Info info, int place, char *key);
int MPI_Info_delete(MPI_Info info, const char *key);
int MPI_Info_dup(MPI_Info info, MPI_Info *made);
int MPI_Info_free(MPI_Info *info);
int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info);
int MPI_Comm_get_info(MPI_Comm comm, MPI_Info *info);
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made);

// One-sided communication.

int MPI_Win_create(void *base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win);
int MPI_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win);
int MPI_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win);
int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *bytes, int *unit, void *base);
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win);
int MPI_Win_attach(MPI_Win win, void *base, MPI_Aint bytes);
int MPI_Win_detach(MPI_Win win, const void *base);
int MPI_Win_free(MPI_Win *freed);
int MPI_Win_fence(int assertion, MPI_Win win);
int MPI_Win_post(MPI_Group group, int assertion, MPI_Win win);
int MPI_Win_start(MPI_Group group, int assertion, MPI_Win win);
int MPI_Win_complete(MPI_Win win);
int MPI_Win_wait(MPI_Win win);
int MPI_Win_test(MPI_Win win, int *flag);
int MPI_Win_get_group(MPI_Win win, MPI_Group *group);
int MPI_Win_get_attr(MPI_Win win, int key, void *value, int *flag);
int MPI_Win_set_name(MPI_Win win, const char *name);
int MPI_Win_get_name(MPI_Win win, char *name, int *length);
int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler handler);
int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *handler);
int MPI_Win_set_info(MPI_Win win, MPI_Info info);
int MPI_Win_get_info(MPI_Win win, MPI_Info *info);
int MPI_Put(const void *from, int count, MPI_Datatype type, int rank, MPI_Aint place, int otherCount, MPI_Datatype other,
            MPI_Win win);
int MPI_Get(void *to, int count, MPI_Datatype type, int rank, MPI_Aint place, int otherCount, MPI_Datatype other,
            MPI_Win win);
int MPI_Accumulate(const void *from, int count, MPI_Datatype type, int rank, MPI_Aint place, int otherCount,
                   MPI_Datatype other, MPI_Op op, MPI_Win win);
int MPI_Get_accumulate(const void *from, int count, MPI_Datatype type, void *to, int resultCount, MPI_Datatype result,
                       int rank, MPI_Aint place, int otherCount, MPI_Datatype other, MPI_Op op, MPI_Win win);
int MPI_Fetch_and_op(const void *from, void *to, MPI_Datatype type, int rank, MPI_Aint place, MPI_Op op, MPI_Win win);
int MPI_Compare_and_swap(const void *from, const void *compared, void *to, MPI_Datatype type, int rank, MPI_Aint place,
                         MPI_Win win);

#endif
