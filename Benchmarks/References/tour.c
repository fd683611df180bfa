/* Finds the shortest round trip through some cities: depth first, by the length so far. The cities that are left are
   exchanged in place. Counts the nodes that it looks at. */
#include <math.h>
#include <stdint.h>
#include <string.h>

void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t cities, uint64_t *counts);

enum { MOST = 32 };

static double distances[MOST * MOST], best;
static int32_t order[MOST];
static uint32_t count;
static uint64_t expanded;

static void search(uint32_t depth, double length) {
    if (depth == count) {
        length += distances[order[count - 1] * count];
        if (length < best) best = length;
        return;
    }
    for (uint32_t branch = depth; branch < count; branch++) {
        int32_t city = order[branch];
        order[branch] = order[depth];
        order[depth] = city;
        double further = length + distances[order[depth - 1] * count + city];
        expanded++;
        if (further < best) search(depth + 1, further);
        order[depth] = order[branch];
        order[branch] = city;
    }
}

void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t cities, uint64_t *counts) {
    (void)seed, (void)first, (void)blocks;
    count = cities;
    double x[MOST], y[MOST];
    for (uint32_t i = 0; i < count; i++) {
        x[i] = (i * 73 + 11) % 101;
        y[i] = (i * i * 29 + 7) % 97;
        order[i] = (int32_t)i;
    }
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++)
            distances[a * count + b] = sqrt((x[b] - x[a]) * (x[b] - x[a]) + (y[b] - y[a]) * (y[b] - y[a]));
    best = INFINITY;
    expanded = 0;
    search(1, 0);
    memcpy(&counts[0], &best, sizeof best);
    counts[1] = expanded;
}
