// Calls of MPI besides those of the teaching books, each checked where it is made. Every rank prints one line if all are
// right.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(holds) \
    do { \
        if (!(holds)) { \
            printf("line %d is wrong\n", __LINE__); \
            MPI_Abort(MPI_COMM_WORLD, 9); \
        } \
    } while (0)

static int rank, size;
static MPI_Comm world;

// All calls are under way at once, and end in any order.
static void collectives(void) {
    MPI_Request requests[16];
    int count = 0;
    int root = 1 % size, last = size - 1;
    double news[2] = {rank == root ? 1.5 : 0, rank == root ? 2 : 0};
    double own[2] = {1.0 / (rank + 1), rank}, sum[2], total[2], prefix[2], before[2] = {-1, -1}, expected[2];
    MPI_Ibcast(news, 2, MPI_DOUBLE, root, world, &requests[count++]);
    MPI_Ibarrier(world, &requests[count++]);
    MPI_Ireduce(own, sum, 2, MPI_DOUBLE, MPI_SUM, last, world, &requests[count++]);
    MPI_Iallreduce(own, total, 2, MPI_DOUBLE, MPI_SUM, world, &requests[count++]);
    MPI_Iscan(own, prefix, 2, MPI_DOUBLE, MPI_SUM, world, &requests[count++]);
    MPI_Iexscan(own, before, 2, MPI_DOUBLE, MPI_SUM, world, &requests[count++]);

    int pair[2] = {rank, -rank}, part[2], scattered;
    int *gathered = calloc(2 * size, sizeof(int)), *all = calloc(2 * size, sizeof(int));
    int *given = calloc(2 * size, sizeof(int)), *taken = calloc(2 * size, sizeof(int));
    int *counts = calloc(size, sizeof(int)), *places = calloc(size, sizeof(int)), length = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        places[i] = length;
        length += i + 1;
    }
    int *mine = calloc(size, sizeof(int)), *parts = calloc(length, sizeof(int)), *numbers = calloc(size, sizeof(int));
    for (int i = 0; i < size; i++) {
        mine[i] = rank;
        numbers[i] = rank + i;
    }
    for (int i = 0; i < 2 * size; i++) given[i] = 100 * rank + i;
    MPI_Igather(pair, 2, MPI_INT, gathered, 2, MPI_INT, 0, world, &requests[count++]);
    MPI_Iallgather(pair, 2, MPI_INT, all, 2, MPI_INT, world, &requests[count++]);
    MPI_Iscatter(given, 2, MPI_INT, part, 2, MPI_INT, 0, world, &requests[count++]);
    MPI_Ialltoall(given, 2, MPI_INT, taken, 2, MPI_INT, world, &requests[count++]);
    MPI_Ireduce_scatter_block(numbers, &scattered, 1, MPI_INT, MPI_SUM, world, &requests[count++]);
    MPI_Iallgatherv(mine, rank + 1, MPI_INT, parts, counts, places, MPI_INT, world, &requests[count++]);
    for (int left = count, index; left > 0; left--) {
        MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
        CHECK(index != MPI_UNDEFINED && requests[index] == MPI_REQUEST_NULL);
    }

    CHECK(news[0] == 1.5 && news[1] == 2);
    // The bits are those of the calls that block.
    MPI_Reduce(own, expected, 2, MPI_DOUBLE, MPI_SUM, last, world);
    if (rank == last) CHECK(memcmp(sum, expected, sizeof sum) == 0);
    MPI_Allreduce(own, expected, 2, MPI_DOUBLE, MPI_SUM, world);
    CHECK(memcmp(total, expected, sizeof total) == 0);
    MPI_Scan(own, expected, 2, MPI_DOUBLE, MPI_SUM, world);
    CHECK(memcmp(prefix, expected, sizeof prefix) == 0);
    expected[0] = expected[1] = -1;
    MPI_Exscan(own, expected, 2, MPI_DOUBLE, MPI_SUM, world);
    CHECK(memcmp(before, expected, sizeof before) == 0);
    for (int i = 0; i < size; i++) {
        if (rank == 0) CHECK(gathered[2 * i] == i && gathered[2 * i + 1] == -i);
        CHECK(all[2 * i] == i && all[2 * i + 1] == -i && taken[2 * i] == 100 * i + 2 * rank && parts[places[i]] == i);
    }
    CHECK(part[0] == 2 * rank && part[1] == 2 * rank + 1 && scattered == size * (size - 1) / 2 + size * rank);
}

static void windows(void) {
    MPI_Win window;
    int *memory, next = (rank + 1) % size, value = rank + 1, got = -1, old, ten = 10;
    MPI_Win_allocate(size * sizeof(int), sizeof(int), MPI_INFO_NULL, world, &memory, &window);
    memset(memory, 0, size * sizeof(int));
    MPI_Win_fence(0, window);
    for (int i = 0; i < size; i++) MPI_Put(&value, 1, MPI_INT, i, rank, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < size; i++) CHECK(memory[i] == i + 1);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(0, window);
    int sum = 1 + size * (size + 1) / 2;
    if (rank == 0) CHECK(memory[0] == sum);
    if (size > 1) MPI_Get(&got, 1, MPI_INT, next, size - 1, 1, MPI_INT, window);
    // Ranks are served in order.
    MPI_Fetch_and_op(&ten, &old, MPI_INT, 0, 0, MPI_SUM, window);
    MPI_Win_fence(0, window);
    CHECK((size == 1 || got == size) && old == sum + 10 * rank);
    if (rank == 0) CHECK(memory[0] == sum + 10 * size);
    if (size > 1) {
        MPI_Datatype ends;
        MPI_Type_vector(2, 1, size - 1, MPI_INT, &ends);
        MPI_Type_commit(&ends);
        int two[2] = {7, 8};
        if (rank == 1) MPI_Put(two, 2, MPI_INT, 0, 0, 1, ends, window);
        MPI_Win_fence(0, window);
        if (rank == 0) CHECK(memory[0] == 7 && memory[size - 1] == 8);
    }
    // Each of two ranks opens its memory to the other, and uses the other's.
    MPI_Group all, peers;
    int peer = size - 1 - rank;
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, &peer, &peers);
    for (int i = 0; i < 3; i++) {
        int wanted = 1000 + rank + i;
        MPI_Win_post(peers, 0, window);
        MPI_Win_start(peers, 0, window);
        MPI_Put(&wanted, 1, MPI_INT, peer, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
        MPI_Win_wait(window);
        CHECK(memory[0] == 1000 + peer + i);
    }
    MPI_Aint *bytes;
    int flag;
    MPI_Win_get_attr(window, MPI_WIN_SIZE, &bytes, &flag);
    CHECK(flag && *bytes == (MPI_Aint)(size * sizeof(int)));
    MPI_Win_free(&window);
    CHECK(window == MPI_WIN_NULL);
}

// Also where both neighbours are one rank.
static void neighbours(void) {
    MPI_Comm ring, graph;
    int sizes[1] = {size}, periods[1] = {1}, sent[2] = {10 * rank, 10 * rank + 1}, taken[2], from;
    int before = (rank + size - 1) % size, after = (rank + 1) % size, degree = 1, in, out, isWeighted;
    MPI_Cart_create(world, 1, sizes, periods, 0, &ring);
    MPI_Neighbor_alltoall(sent, 1, MPI_INT, taken, 1, MPI_INT, ring);
    CHECK(taken[0] == 10 * before + 1 && taken[1] == 10 * after);
    MPI_Neighbor_allgather(sent, 1, MPI_INT, taken, 1, MPI_INT, ring);
    CHECK(taken[0] == 10 * before && taken[1] == 10 * after);
    MPI_Dist_graph_create(world, 1, &rank, &degree, &after, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &isWeighted);
    CHECK(in == 1 && out == 1 && !isWeighted);
    MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &from, 1, MPI_INT, graph);
    CHECK(from == before);
}

static int copies, deletions;

static int copy(MPI_Comm comm, int key, void *extra, void *value, void *made, int *flag) {
    (void)comm, (void)key, (void)extra;
    copies++;
    *(void **)made = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm, (void)key, (void)value, (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static void attributes(void) {
    MPI_Comm twin;
    MPI_Info info;
    int key, flag, count;
    void *value;
    char text[8];
    MPI_Comm_create_keyval(copy, delete, &key, 0);
    MPI_Comm_set_attr(world, key, &rank);
    MPI_Comm_dup(world, &twin);
    MPI_Comm_get_attr(twin, key, &value, &flag);
    CHECK(copies == 1 && flag && value == &rank);
    MPI_Comm_free(&twin);
    CHECK(deletions == 1);
    MPI_Info_create(&info);
    MPI_Info_set(info, "a", "1");
    MPI_Info_set(info, "b", "two");
    MPI_Info_get(info, "b", 7, text, &flag);
    MPI_Info_get_nkeys(info, &count);
    CHECK(flag && strcmp(text, "two") == 0 && count == 2);
    MPI_Info_delete(info, "a");
    MPI_Info_get(info, "a", 7, text, &flag);
    CHECK(!flag);
    MPI_Info_free(&info);
}

static void calendar(void) {
    time_t now = time(NULL);
    char text[32];
    CHECK(strftime(text, sizeof text, "%Y", localtime(&now)) == 4 && atoi(text) == 1900 + gmtime(&now)->tm_year);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    collectives();
    windows();
    neighbours();
    attributes();
    calendar();
    printf("%d has checked all\n", rank);
    return MPI_Finalize();
}
