// The area under x² by trapezoids. Rank 0 reads the ends and the number of trapezoids from its standard input:
//
//     echo 0 3 3000 >ends.txt
//     potluck launch -n 4 trapezoid.c --input stdin=ends.txt

#include <mpi.h>
#include <stdio.h>

// What rank 0 has read. All of it travels in one message.
struct task {
    double from, to;
    int trapezoids;
};

static double height(double x) { return x * x; }

static MPI_Datatype task_type(void) {
    int lengths[] = {2, 1};
    MPI_Aint places[] = {offsetof(struct task, from), offsetof(struct task, trapezoids)};
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT}, made;
    MPI_Type_create_struct(2, lengths, places, types, &made);
    MPI_Type_commit(&made);
    return made;
}

int main(int argc, char **argv) {
    int rank, size;
    struct task task = {0, 3, 3000};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && scanf("%lf %lf %d", &task.from, &task.to, &task.trapezoids) != 3) {
        printf("no input, so these are the ends 0 and 3\n");
    }
    MPI_Datatype type = task_type();
    MPI_Bcast(&task, 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);

    // Each rank has one stretch.
    int first = (long long)task.trapezoids * rank / size, last = (long long)task.trapezoids * (rank + 1) / size;
    double width = (task.to - task.from) / task.trapezoids, part = 0, area;
    for (int i = first; i < last; i++) {
        part += (height(task.from + i * width) + height(task.from + (i + 1) * width)) / 2 * width;
    }
    MPI_Reduce(&part, &area, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("the area from %g to %g is %.6f\n", task.from, task.to, area);
    MPI_Finalize();
    return 0;
}
