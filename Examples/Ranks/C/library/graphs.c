// Graphs: communicators whose ranks have neighbours.

#include <stdlib.h>
#include <string.h>

#include "inside.h"

// Either all edges, which every rank knows, or those that come to this rank and leave it.
struct graph {
    bool isDistributed, isWeighted;
    int nodes, edgeCount;
    int *index, *edges;
    int inCount, outCount;
    int *in, *inWeights, *out, *outWeights;
};

static int *copy(const int *from, int count) {
    int *made = potluck_memory(count * sizeof *made);
    if (count > 0) memcpy(made, from, count * sizeof *made);
    return made;
}

int potluck_topology(MPI_Comm comm) {
    return comm->grid ? MPI_CART : !comm->graph ? MPI_UNDEFINED : comm->graph->isDistributed ? MPI_DIST_GRAPH : MPI_GRAPH;
}

static int check_kind(const char *call, MPI_Comm comm, int kind) {
    TRY(potluck_check(call, comm));
    if (potluck_topology(comm) == kind) return MPI_SUCCESS;
    const char *wanted = kind == MPI_GRAPH ? "MPI_Graph_create" : "MPI_Dist_graph_create";
    return potluck_fail(comm, MPI_ERR_TOPOLOGY, call, "the communicator does not come from %s", wanted);
}

// index[i] is the number of edges of the nodes up to i.
int MPI_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm *made) {
    (void)reorder;
    TRY(potluck_check(__func__, comm));
    if (nodes < 0 || nodes > comm->size) {
        return potluck_fail(comm, MPI_ERR_ARG, __func__, "the graph has %d nodes for %d ranks", nodes, comm->size);
    }
    for (int node = 0; node < nodes; node++) {
        if (index[node] < (node > 0 ? index[node - 1] : 0)) {
            return potluck_fail(comm, MPI_ERR_ARG, __func__, "node %d has a negative number of edges", node);
        }
    }
    int count = nodes > 0 ? index[nodes - 1] : 0;
    for (int edge = 0; edge < count; edge++) {
        if (edges[edge] >= 0 && edges[edge] < nodes) continue;
        return potluck_fail(comm, MPI_ERR_ARG, __func__, "an edge leads to node %d of %d", edges[edge], nodes);
    }
    TRY(MPI_Comm_split(comm, comm->rank < nodes ? 0 : MPI_UNDEFINED, comm->rank, made));
    if (!*made) return MPI_SUCCESS;
    (*made)->graph = potluck_memory(sizeof *(*made)->graph);
    *(*made)->graph = (struct graph){
        .nodes = nodes, .edgeCount = count, .index = copy(index, nodes), .edges = copy(edges, count),
    };
    return MPI_SUCCESS;
}

int MPI_Graphdims_get(MPI_Comm comm, int *nodes, int *edges) {
    TRY(check_kind(__func__, comm, MPI_GRAPH));
    *nodes = comm->graph->nodes;
    *edges = comm->graph->edgeCount;
    return MPI_SUCCESS;
}

int MPI_Graph_get(MPI_Comm comm, int mostNodes, int mostEdges, int index[], int edges[]) {
    TRY(check_kind(__func__, comm, MPI_GRAPH));
    for (int i = 0; i < mostNodes && i < comm->graph->nodes; i++) index[i] = comm->graph->index[i];
    for (int i = 0; i < mostEdges && i < comm->graph->edgeCount; i++) edges[i] = comm->graph->edges[i];
    return MPI_SUCCESS;
}

static int first_edge(const struct graph *graph, int node) { return node > 0 ? graph->index[node - 1] : 0; }

int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *count) {
    TRY(check_kind(__func__, comm, MPI_GRAPH));
    TRY(potluck_check_root(__func__, comm, rank));
    *count = comm->graph->index[rank] - first_edge(comm->graph, rank);
    return MPI_SUCCESS;
}

int MPI_Graph_neighbors(MPI_Comm comm, int rank, int most, int found[]) {
    int count;
    TRY(MPI_Graph_neighbors_count(comm, rank, &count));
    for (int i = 0; i < most && i < count; i++) found[i] = comm->graph->edges[first_edge(comm->graph, rank) + i];
    return MPI_SUCCESS;
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int inCount, const int in[], const int inWeights[], int outCount,
                                   const int out[], const int outWeights[], MPI_Info info, int reorder, MPI_Comm *made) {
    (void)info, (void)reorder;
    TRY(potluck_check(__func__, comm));
    for (int i = 0; i < inCount + outCount; i++) {
        TRY(potluck_check_root(__func__, comm, i < inCount ? in[i] : out[i - inCount]));
    }
    TRY(MPI_Comm_split(comm, 0, comm->rank, made));
    bool isWeighted = inWeights != MPI_UNWEIGHTED && outWeights != MPI_UNWEIGHTED;
    (*made)->graph = potluck_memory(sizeof *(*made)->graph);
    *(*made)->graph = (struct graph){
        .isDistributed = true, .isWeighted = isWeighted, .inCount = inCount, .outCount = outCount,
        .in = copy(in, inCount), .out = copy(out, outCount), .inWeights = copy(inWeights, isWeighted ? inCount : 0),
        .outWeights = copy(outWeights, isWeighted ? outCount : 0),
    };
    return MPI_SUCCESS;
}

// Each rank names edges of any ranks. All ranks get all of them, and each keeps its own.
int MPI_Dist_graph_create(MPI_Comm comm, int count, const int sources[], const int degrees[], const int destinations[],
                          const int weights[], MPI_Info info, int reorder, MPI_Comm *made) {
    TRY(potluck_check(__func__, comm));
    struct edge { int from, to, weight; };
    int own = 0, all = 0, next = 0;
    for (int i = 0; i < count; i++) own += degrees[i];
    struct edge *edges = potluck_memory(own * sizeof *edges);
    bool isWeighted = weights != MPI_UNWEIGHTED;
    for (int i = 0; i < count; i++) {
        TRY(potluck_check_root(__func__, comm, sources[i]));
        for (int j = 0; j < degrees[i]; j++, next++) {
            TRY(potluck_check_root(__func__, comm, destinations[next]));
            edges[next] = (struct edge){sources[i], destinations[next], isWeighted ? weights[next] : 0};
        }
    }
    int bytes = own * sizeof *edges, *counts = potluck_memory(2 * comm->size * sizeof *counts), *places = counts + comm->size;
    TRY(MPI_Allgather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, comm));
    for (int rank = 0; rank < comm->size; rank++) {
        places[rank] = all;
        all += counts[rank];
    }
    struct edge *every = potluck_memory(all);
    TRY(MPI_Allgatherv(edges, bytes, MPI_BYTE, every, counts, places, MPI_BYTE, comm));
    int total = all / sizeof *every, *in = potluck_memory(4 * total * sizeof *in), *out = in + 2 * total;
    int inCount = 0, outCount = 0, *inWeights = in + total, *outWeights = out + total;
    for (int i = 0; i < total; i++) {
        if (every[i].to == comm->rank) {
            inWeights[inCount] = every[i].weight;
            in[inCount++] = every[i].from;
        }
        if (every[i].from == comm->rank) {
            outWeights[outCount] = every[i].weight;
            out[outCount++] = every[i].to;
        }
    }
    int error = MPI_Dist_graph_create_adjacent(comm, inCount, in, isWeighted ? inWeights : MPI_UNWEIGHTED, outCount, out,
                                               isWeighted ? outWeights : MPI_UNWEIGHTED, info, reorder, made);
    free(edges);
    free(counts);
    free(every);
    free(in);
    return error;
}

int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int *in, int *out, int *isWeighted) {
    TRY(check_kind(__func__, comm, MPI_DIST_GRAPH));
    *in = comm->graph->inCount;
    *out = comm->graph->outCount;
    *isWeighted = comm->graph->isWeighted;
    return MPI_SUCCESS;
}

int MPI_Dist_graph_neighbors(MPI_Comm comm, int mostIn, int in[], int inWeights[], int mostOut, int out[],
                             int outWeights[]) {
    TRY(check_kind(__func__, comm, MPI_DIST_GRAPH));
    const struct graph *graph = comm->graph;
    for (int i = 0; i < mostIn && i < graph->inCount; i++) {
        in[i] = graph->in[i];
        if (graph->isWeighted && inWeights != MPI_UNWEIGHTED) inWeights[i] = graph->inWeights[i];
    }
    for (int i = 0; i < mostOut && i < graph->outCount; i++) {
        out[i] = graph->out[i];
        if (graph->isWeighted && outWeights != MPI_UNWEIGHTED) outWeights[i] = graph->outWeights[i];
    }
    return MPI_SUCCESS;
}

// In a grid, those of each dimension: the one before, then the one after.
int potluck_neighbours(const char *call, MPI_Comm comm, struct neighbours *found) {
    TRY(potluck_check(call, comm));
    if (comm->grid) {
        int count = 2 * comm->grid->dimensions, *ranks = potluck_memory(count * sizeof *ranks);
        for (int d = 0; 2 * d < count; d++) TRY(MPI_Cart_shift(comm, d, 1, &ranks[2 * d], &ranks[2 * d + 1]));
        *found = (struct neighbours){count, count, ranks, copy(ranks, count), true};
    } else if (!comm->graph) {
        return potluck_fail(comm, MPI_ERR_TOPOLOGY, call, "the communicator is neither a grid nor a graph");
    } else if (comm->graph->isDistributed) {
        const struct graph *graph = comm->graph;
        *found = (struct neighbours){
            graph->inCount, graph->outCount, copy(graph->in, graph->inCount), copy(graph->out, graph->outCount), false,
        };
    } else {
        int first = first_edge(comm->graph, comm->rank), count = comm->graph->index[comm->rank] - first;
        const int *edges = comm->graph->edges + first;
        *found = (struct neighbours){count, count, copy(edges, count), copy(edges, count), false};
    }
    return MPI_SUCCESS;
}

void potluck_forget_neighbours(struct neighbours *found) {
    free(found->in);
    free(found->out);
}
