// A prototype of a search, to show that the records of docs/PLUGINS.md suffice for one: the shortest round trip through
// some cities. A block is the first three cities of a way. Neither the order in which blocks are computed nor the
// bounds received on the way change the best way, or which of several equally long ones is chosen.

typedef unsigned long long slot;
typedef long long key;
typedef unsigned int address;
#define EXPORT(name) __attribute__((export_name(name)))

enum { search = 3, integer = 1, count = 1, derived = 4, text = 1 };
enum { ready = 0, wrong_count = 1, out_of_range = 2 };
enum { fewest = 4, most = 12, standard = 8, fixed = 3 };
// The number of steps in a call, which takes some milliseconds.
enum { steps = 20000 };

static const key nothing = 0x7fffffffffffffff;

static slot request[256];
static slot answer[256];
static unsigned used;
static slot cities = standard;
static unsigned distance[most][most];

static void put(slot number) { answer[used++] = number; }

static void put_octets(const unsigned char *octets, unsigned length) {
    put(length);
    for (unsigned at = 0; at < length; at += 8) {
        slot eight = 0;
        for (unsigned i = 0; i < 8 && at + i < length; i++) eight |= (slot)octets[at + i] << 8 * i;
        put(eight);
    }
}

static void put_text(const char *line) {
    unsigned length = 0;
    while (line[length]) length++;
    put_octets((const unsigned char *)line, length);
}

static slot give(void) { return (slot)(address)answer << 32 | used * sizeof(slot); }

EXPORT("potluck_abi") address potluck_abi(void) { return 1; }

EXPORT("potluck_alloc") address potluck_alloc(address octets) { return octets <= sizeof request ? (address)request : 0; }

EXPORT("potluck_describe") slot potluck_describe(void) {
    used = 0;
    put(search);
    put(0);
    put_text("salesman");
    put_text("The shortest way through all cities and back");
    put_text("");
    put(2);
    put_text("cities");
    put_text("how many");
    put(integer), put(fewest), put(most), put(standard);
    put_text("map");
    put_text("where they lie");
    put(integer), put(0), put(1000000), put(1);
    put(1);  // the number of steps; it depends on when bounds arrive, and only shows the effort
    put_text("steps");
    put(count), put(0), put(0), put(0);
    put(1);
    put_text("steps");
    put(derived);
    put(0);  // inputs
    return give();
}

EXPORT("potluck_configure") slot potluck_configure(address at, address octets) {
    const slot *given = (const slot *)at;
    used = 0;
    if (octets < 4 * sizeof(slot) || given[0] != 2) {
        put(wrong_count);
    } else if (given[1] < fewest || given[1] > most) {
        put(out_of_range), put(0);
    } else if (given[2] > 1000000) {
        put(out_of_range), put(1);
    } else {
        cities = given[1];
        slot state = given[2];
        for (unsigned a = 0; a < cities; a++) {
            for (unsigned b = 0; b < a; b++) {
                state = state * 6364136223846793005 + 1442695040888963407;
                // Only a few lengths, so that many ways are equally long.
                distance[a][b] = distance[b][a] = 1 + (unsigned)(state >> 33) % 5;
            }
        }
        put(ready), put(1), put((cities - 1) * (cities - 2)), put(text);
    }
    return give();
}

static key key_of(unsigned length) {
    union {
        double real;
        key bits;
    } same = {length};
    return same.bits;
}

static unsigned char way[most];
static unsigned at;

static unsigned length_to(unsigned end) {
    unsigned length = 0;
    for (unsigned i = 1; i <= end; i++) length += distance[way[i - 1]][way[i]];
    return length;
}

static int is_used(void) {
    for (unsigned i = 0; i < at; i++) {
        if (way[i] == way[at]) return 1;
    }
    return 0;
}

// Request: shape, seed, first block, blocks, trials, bound, and the rest of the search: the best of this block so far,
// the place, the way.
EXPORT("potluck_run") slot potluck_run(address where, address octets) {
    const slot *given = (const slot *)where;
    if (octets < 7 * sizeof(slot) || given[0] != search || given[3] != 1) __builtin_trap();
    slot block = given[2];
    if (block >= (cities - 1) * (cities - 2)) __builtin_trap();
    key bound = (key)given[5], own = nothing;
    way[0] = 0;
    if (given[6] == 0) {
        way[1] = 1 + block / (cities - 2);
        way[2] = 1 + block % (cities - 2);
        if (way[2] >= way[1]) way[2]++;
        at = fixed;
        way[at] = 1;
    } else {
        const unsigned char *rest = (const unsigned char *)(given + 7);
        own = (key)given[7];
        at = rest[8];
        for (unsigned i = 0; i < most; i++) way[i] = rest[9 + i];
    }
    key found = nothing;
    unsigned char best[most];
    slot done = 0;
    int more = 1;
    while (more && done < steps && found == nothing) {
        done++;
        if (way[at] >= cities) {
            if (at == fixed) {
                more = 0;
            } else {
                way[--at]++;
            }
            continue;
        }
        unsigned length = length_to(at) + (unsigned)(cities - at);
        // A way exactly as long as the best known counts, unless this block has found it before.
        key least = key_of(length);
        if (is_used() || least > bound || least >= own) {
            way[at]++;
        } else if (at + 1 < cities) {
            way[++at] = 1;
        } else {
            key whole = key_of(length - 1 + distance[way[at]][0]);
            if (whole <= bound && whole < own) {
                found = own = whole;
                for (unsigned i = 0; i < cities; i++) best[i] = way[i];
            }
            way[at]++;
        }
    }
    used = 0;
    put(search), put(more ? 0 : 1), put(more), put((slot)found);
    put(1), put(done);
    unsigned char line[4 * most];
    unsigned written = 0;
    for (unsigned i = 0; found != nothing && i < cities; i++) {
        if (best[i] >= 10) line[written++] = '0' + best[i] / 10;
        line[written++] = '0' + best[i] % 10;
        line[written++] = i + 1 < cities ? ' ' : '\n';
    }
    put_octets(line, written);
    unsigned char rest[9 + most];
    for (unsigned i = 0; i < 8; i++) rest[i] = (unsigned char)(own >> 8 * i);
    rest[8] = (unsigned char)at;
    for (unsigned i = 0; i < most; i++) rest[9 + i] = way[i];
    put_octets(rest, more ? sizeof rest : 0);
    return give();
}

EXPORT("potluck_read") slot potluck_read(address where, address octets) {
    const slot *given = (const slot *)where;
    if (octets != 3 * sizeof(slot)) __builtin_trap();
    union {
        double real;
        slot bits;
    } same = {(double)given[2]};
    used = 0;
    put(1);
    put(1), put(same.bits), put(0), put(0), put(0), put(0), put(0), put(0);
    return give();
}
