// Files, each call checked where it is made. Every rank prints one line if all are right.

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define CHECK(holds) \
    do { \
        if (!(holds)) { \
            printf("line %d is wrong\n", __LINE__); \
            MPI_Abort(MPI_COMM_WORLD, 9); \
        } \
    } while (0)
#define FINE(call) CHECK((call) == MPI_SUCCESS)
#define FAILS(call, expected) \
    do { \
        int class_, code_ = (call); \
        MPI_Error_class(code_, &class_); \
        CHECK(class_ == (expected)); \
    } while (0)

enum { values = 5 };
static int rank, size;
static MPI_Comm world;

static MPI_File open(MPI_Comm comm, const char *name, int mode) {
    MPI_File file;
    FINE(MPI_File_open(comm, name, mode, MPI_INFO_NULL, &file));
    return file;
}

static MPI_Offset bytes_of(MPI_File file) {
    MPI_Offset bytes;
    FINE(MPI_File_get_size(file, &bytes));
    return bytes;
}

static MPI_Offset place_of(MPI_File file) {
    MPI_Offset place;
    FINE(MPI_File_get_position(file, &place));
    return place;
}

static int count_of(const MPI_Status *status) {
    int count;
    FINE(MPI_Get_count(status, MPI_INT, &count));
    return count;
}

// The value that a rank writes at a place.
static int value(int of, int place) { return 1000 * of + place; }

static void errors(void) {
    MPI_File file;
    FAILS(MPI_File_open(world, "none.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file), MPI_ERR_NO_SUCH_FILE);
    FAILS(MPI_File_open(world, "none.dat", MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &file), MPI_ERR_AMODE);
    file = open(world, "a.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY);
    int own = rank;
    FAILS(MPI_File_read(file, &own, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ACCESS);
    FINE(MPI_File_write_ordered(file, &own, 1, MPI_INT, MPI_STATUS_IGNORE));
    FINE(MPI_File_close(&file));
    CHECK(file == MPI_FILE_NULL);
    FAILS(MPI_File_open(world, "a.dat", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_INFO_NULL, &file),
          MPI_ERR_FILE_EXISTS);
    file = open(world, "a.dat", MPI_MODE_RDONLY);
    FAILS(MPI_File_write(file, &own, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
    CHECK(bytes_of(file) == (MPI_Offset)(size * sizeof own));
    FINE(MPI_File_close(&file));
}

// Each rank writes, and reads what its neighbour wrote.
static void places(void) {
    MPI_File file = open(world, "b.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    FINE(MPI_File_set_size(file, 0));
    int own[values], read[values + 1], next = (rank + 1) % size;
    for (int i = 0; i < values; i++) own[i] = value(rank, i);
    MPI_Status status;
    FINE(MPI_File_write_at(file, rank * sizeof own, own, values, MPI_INT, &status));
    CHECK(count_of(&status) == values);
    FINE(MPI_File_sync(file));
    MPI_Barrier(world);
    FINE(MPI_File_sync(file));
    FINE(MPI_File_read_at(file, next * sizeof own, read, values, MPI_INT, &status));
    CHECK(count_of(&status) == values && read[0] == value(next, 0) && read[values - 1] == value(next, values - 1));
    // At the end of the file there are fewer.
    FINE(MPI_File_read_at(file, ((size - 1) * values + 3) * sizeof *own, read, values, MPI_INT, &status));
    CHECK(count_of(&status) == 2 && read[1] == value(size - 1, 4));
    FINE(MPI_File_seek(file, -(MPI_Offset)sizeof *own, MPI_SEEK_END));
    FINE(MPI_File_read(file, read, 1, MPI_INT, &status));
    CHECK(read[0] == value(size - 1, 4) && place_of(file) == (MPI_Offset)(size * sizeof own));
    FINE(MPI_File_read(file, read, 1, MPI_INT, &status));
    CHECK(count_of(&status) == 0);
    MPI_Request request;
    FINE(MPI_File_iread_at(file, 0, read, 2, MPI_INT, &request));
    FINE(MPI_Wait(&request, &status));
    CHECK(count_of(&status) == 2 && read[1] == value(0, 1) && request == MPI_REQUEST_NULL);
    FINE(MPI_File_preallocate(file, 1000));
    CHECK(bytes_of(file) == 1000);
    FINE(MPI_File_close(&file));
}

// Ranks write the columns of a table, whose rows lie one after the other in the file.
static void views(void) {
    MPI_File file = open(world, "c.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    MPI_Datatype column, rows;
    MPI_Type_vector(values, 1, size, MPI_INT, &rows);
    MPI_Type_create_resized(rows, 0, values * size * sizeof(int), &column);
    MPI_Type_commit(&column);
    FINE(MPI_File_set_view(file, 8 + rank * sizeof(int), MPI_INT, column, "native", MPI_INFO_NULL));
    int own[values], read[8 * values];
    for (int i = 0; i < values; i++) own[i] = value(rank, i);
    FINE(MPI_File_write_all(file, own, 2, MPI_INT, MPI_STATUS_IGNORE));
    FINE(MPI_File_write_all(file, own + 2, values - 2, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(place_of(file) == values);
    MPI_Offset byte;
    FINE(MPI_File_get_byte_offset(file, values + 1, &byte));
    CHECK(byte == (MPI_Offset)(8 + (rank + (values + 1) * size) * sizeof(int)));
    FINE(MPI_File_seek(file, 1, MPI_SEEK_SET));
    FINE(MPI_File_read_all(file, read, 2, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(read[0] == own[1] && read[1] == own[2]);
    FINE(MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MPI_Status status;
    FINE(MPI_File_read_at(file, 0, read, size * values, MPI_INT, &status));
    CHECK(count_of(&status) == size * values);
    for (int i = 0; i < size * values; i++) CHECK(read[i] == value(i % size, i / size));
    FINE(MPI_File_close(&file));
    FAILS(MPI_File_open(world, "c.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file), MPI_ERR_NO_SUCH_FILE);
}

// Lines of different lengths, in the order of ranks, and more behind them.
static void order(void) {
    char line[64], all[256] = "", expected[256] = "";
    for (int turn = 0; turn < 2; turn++) {
        MPI_File file = open(world, "d.txt", MPI_MODE_CREATE | MPI_MODE_WRONLY | (turn > 0 ? MPI_MODE_APPEND : 0));
        int length = snprintf(line, sizeof line, "%d:%.*s\n", turn, rank, "........");
        FINE(MPI_File_write_ordered(file, line, length, MPI_CHAR, MPI_STATUS_IGNORE));
        FINE(MPI_File_close(&file));
        for (int i = 0; i < size; i++) sprintf(expected + strlen(expected), "%d:%.*s\n", turn, i, "........");
    }
    MPI_File file = open(world, "d.txt", MPI_MODE_RDONLY);
    CHECK(bytes_of(file) == (MPI_Offset)strlen(expected));
    FINE(MPI_File_read_all(file, all, strlen(expected), MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK(strcmp(all, expected) == 0);
    FINE(MPI_File_close(&file));
}

// One rank writes a file alone, and all read it.
static void alone(void) {
    int own = 42, read = 0;
    if (rank == size - 1) {
        MPI_File file = open(MPI_COMM_SELF, "e.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY);
        FINE(MPI_File_write(file, &own, 1, MPI_INT, MPI_STATUS_IGNORE));
        FINE(MPI_File_close(&file));
    }
    MPI_Barrier(world);
    MPI_File file = open(world, "e.dat", MPI_MODE_RDONLY);
    FINE(MPI_File_read(file, &read, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(read == 42);
    FINE(MPI_File_close(&file));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    errors();
    places();
    views();
    order();
    alone();
    MPI_Barrier(world);
    if (rank == 0) {
        const char *names[] = {"a.dat", "b.dat", "d.txt"};
        for (int i = 0; i < 3; i++) FINE(MPI_File_delete(names[i], MPI_INFO_NULL));
        FAILS(MPI_File_delete("a.dat", MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    }
    printf("%d has checked all\n", rank);
    MPI_Finalize();
}
