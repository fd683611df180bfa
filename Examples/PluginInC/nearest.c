// A plugin without Swift and without PotluckKit that writes a list: for each point of a file, the nearest other point and
// its distance. docs/PLUGINS.md explains each record; coins.c in this folder is a plugin that only counts. Build it with any
// clang that supports WebAssembly, and run it:
//
//     clang --target=wasm32 -O3 -ffreestanding -nostdlib -Wl,--no-entry -o nearest.wasm nearest.c
//     potluck run nearest.wasm --input points=points.txt --output -

typedef unsigned long long slot;
typedef unsigned int address;
#define EXPORT(name) __attribute__((export_name(name)))

// The numbers of shapes, kinds and parts from docs/PLUGINS.md.
enum { collect = 2, flag = 4, minimum = 3, derived = 4, has_value = 1 };
enum { ready = 0, wrong_count = 1, out_of_range = 2, conflict = 3, rows_of_reals = 2 };
// Each call has one block, and each unit is one point. Each output row has two numbers.
enum { block_size = 64, row = 2, most_points = 1 << 20, page = 1 << 16 };
static const slot nothing = 0x7fffffffffffffff;   // the minimum before the first number
static const slot infinity = 0x7ff0000000000000;  // larger than any reading

// The largest answer is that of a block: its tally and its output.
static slot answer[16 + row * block_size];
static unsigned used;

// What a block needs of the parameters and the file, which stay in the memory that potluck_alloc returned.
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

// Appends a text: its length in octets, then its octets, padded to whole slots.
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

// Returns the address and the length of the answer in one number.
static slot give(void) { return (slot)(address)answer << 32 | used * sizeof(slot); }

EXPORT("potluck_abi") address potluck_abi(void) { return 1; }

// The parameters and the file are kept. The short request of each call follows them, always at the same address.
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
    put_text("For each point of a file, which other point is nearest?");
    put_text("");  // no Swift source: the module's own hash identifies the simulation
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
    put_text("one point per line, with spaces between its coordinates");
    return give();
}

// The request: the number of parameters, each parameter, and the file: octets, rows, columns, numbers.
EXPORT("potluck_configure") slot potluck_configure(address at, address octets) {
    const slot *given = (const slot *)at;
    used = 0;
    if (octets < 3 * sizeof(slot) || given[0] != 1) {
        put(wrong_count);
    } else if (given[1] > 1) {
        put(out_of_range), put(0);
    } else if (given[2] == 0) {
        put(conflict), put_text("missing input; use --input points=FILE");
    } else if (given[3] < 2 || given[3] > most_points) {
        put(conflict), put_text("the file must have 2 to 1048576 points");
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

// Runs one block, because it has output. The request has its number and its number of points.
EXPORT("potluck_run") slot potluck_run(address at, address octets) {
    const slot *given = (const slot *)at;
    if (octets < 7 * sizeof(slot) || given[0] != collect || given[3] != 1 || given[4] > block_size) __builtin_trap();
    slot first = given[2] * block_size, units = given[4], closest = nothing;
    used = 0;
    put(collect), put(1), put(0), put(0);
    put(1);  // the tally, filled in at the end
    unsigned tally = used;
    put(nothing);
    put(units * row * sizeof(double));
    for (slot point = first; point < first + units; point++) {
        slot best = point == 0;
        for (slot other = 0; other < count; other++) {
            // If two are equally near, take the first.
            if (other != point && distance(point, other) < distance(point, best)) best = other;
        }
        // The key of a number that is not negative is its bits. People count points from 1.
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
