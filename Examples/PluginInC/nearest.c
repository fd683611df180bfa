// A plugin without Swift and without PotluckKit that writes a list: for each point of a file, which other point is nearest to
// it, and how far away that is. docs/PLUGINS.md explains each record; coins.c beside this is one that only counts. To build it,
// with any clang that knows WebAssembly, and to run it:
//
//     clang --target=wasm32 -O3 -ffreestanding -nostdlib -Wl,--no-entry -o nearest.wasm nearest.c
//     potluck run nearest.wasm --input points=points.txt --output -

typedef unsigned long long slot;
typedef unsigned int address;
#define EXPORT(name) __attribute__((export_name(name)))

// Shape, kinds and parts by the numbers that docs/PLUGINS.md gives them.
enum { collect = 2, flag = 4, minimum = 3, derived = 4, has_value = 1 };
enum { ready = 0, wrong_count = 1, out_of_range = 2, conflict = 3, rows_of_reals = 2 };
// One block a call; one point a unit. A row that is written has two numbers.
enum { block_size = 64, row = 2, most_points = 1 << 20, page = 1 << 16 };
static const slot nothing = 0x7fffffffffffffff;   // a minimum of nothing yet
static const slot infinity = 0x7ff0000000000000;  // and no reading is as large as this

// The largest answer is a block's: its tally, and what it writes.
static slot answer[16 + row * block_size];
static unsigned used;

// What a block needs of the parameters and the file. They stay in the memory that potluck_alloc gave.
static const double *points;
static slot count, columns, is_squared;

static void put(slot number) { answer[used++] = number; }

static slot bits(double real) {
    union {
        double real;
        slot bits;
    } same = {real};
    return same.bits;
}

// A text: its length in octets, then its octets, filled up to whole slots.
static void put_text(const char *text) {
    unsigned length = 0;
    while (text[length]) length++;
    put(length);
    for (unsigned at = 0; at < length; at += 8) {
        slot eight = 0;
        for (unsigned i = 0; i < 8 && at + i < length; i++) eight |= (slot)(unsigned char)text[at + i] << 8 * i;
        put(eight);
    }
}

// Where the answer is, and how long, in one number.
static slot give(void) { return (slot)(address)answer << 32 | used * sizeof(slot); }

EXPORT("potluck_abi") address potluck_abi(void) { return 1; }

// What is given stays: the parameters with the file come first, and each call's short request behind them in the same place.
extern unsigned char __heap_base;
static address kept;

EXPORT("potluck_alloc") address potluck_alloc(address octets) {
    address start = ((address)&__heap_base + 7) / 8 * 8 + kept;
    address have = __builtin_wasm_memory_size(0) * page;
    if (octets > 0xffffffff - page - start) return 0;
    address need = start + octets;
    if (need > have && __builtin_wasm_memory_grow(0, (need - have + page - 1) / page) == (unsigned long)-1) return 0;
    return start;
}

EXPORT("potluck_describe") slot potluck_describe(void) {
    used = 0;
    put(collect);
    put(0);  // no random numbers of PotluckKit
    put_text("nearest");
    put_text("Which other point of a file is nearest to each?");
    put_text("");  // no Swift source: the module's own hash tells which simulation this is
    put(1);        // parameters
    put_text("squared");
    put_text("give the square of the distance");
    put(flag), put(0);
    put(1);  // fields of the tally
    put_text("closest");
    put(minimum), put(0), put(0), put(0);
    put(1);  // readings
    put_text("closest");
    put(derived);
    put(1);  // inputs
    put_text("points");
    put_text("a point a line, its coordinates apart by blanks");
    return give();
}

// The request: how many parameters, each of them, and the file: octets, rows, columns, numbers.
EXPORT("potluck_configure") slot potluck_configure(address at, address octets) {
    const slot *given = (const slot *)at;
    used = 0;
    if (octets < 3 * sizeof(slot) || given[0] != 1) {
        put(wrong_count);
    } else if (given[1] > 1) {
        put(out_of_range), put(0);
    } else if (given[2] == 0) {
        put(conflict), put_text("give a file of points");
    } else if (given[3] < 2 || given[3] > most_points) {
        put(conflict), put_text("the points are 2 to 1048576");
    } else {
        is_squared = given[1];
        count = given[3];
        columns = given[4];
        points = (const double *)(given + 5);
        kept = octets;
        put(ready), put(block_size), put(count), put(rows_of_reals);
    }
    return give();
}

static double distance(slot a, slot b) {
    double sum = 0;
    for (slot i = 0; i < columns; i++) {
        double apart = points[a * columns + i] - points[b * columns + i];
        sum += apart * apart;
    }
    return is_squared ? sum : __builtin_sqrt(sum);
}

// One block, as it writes: its number, and how many points are in it.
EXPORT("potluck_run") slot potluck_run(address at, address octets) {
    const slot *given = (const slot *)at;
    if (octets < 7 * sizeof(slot) || given[0] != collect || given[3] != 1 || given[4] > block_size) __builtin_trap();
    slot first = given[2] * block_size, units = given[4], closest = nothing;
    used = 0;
    put(collect), put(1), put(0), put(0);
    put(1);  // the tally, which is known last
    unsigned tally = used;
    put(nothing);
    put(units * row * sizeof(double));
    for (slot point = first; point < first + units; point++) {
        slot best = point == 0;
        for (slot other = 0; other < count; other++) {
            // Of two that are equally near the first.
            if (other != point && distance(point, other) < distance(point, best)) best = other;
        }
        // A number from 0 on has its bits for a key. Points are counted from 1 by people.
        slot key = bits(distance(point, best));
        put(bits((double)(best + 1))), put(key);
        if (key < closest) closest = key;
    }
    answer[tally] = closest;
    put(0);  // nothing left
    return give();
}

EXPORT("potluck_read") slot potluck_read(address at, address octets) {
    const slot *given = (const slot *)at;
    if (octets != 3 * sizeof(slot)) __builtin_trap();
    slot closest = given[2];
    used = 0;
    put(1);
    put(closest < infinity ? has_value : 0);
    put(closest < infinity ? closest : 0);
    for (unsigned i = 0; i < 6; i++) put(0);  // no interval, no exact answer, no bins
    return give();
}
