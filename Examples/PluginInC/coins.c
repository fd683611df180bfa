// A plugin without Swift and without PotluckKit: how long is the longest run of heads in some tosses of a coin?
// docs/PLUGINS.md explains each record. Build it with any clang that supports WebAssembly:
//
//     clang --target=wasm32 -O3 -ffreestanding -nostdlib -Wl,--no-entry -o coins.wasm coins.c

typedef unsigned long long slot;
typedef unsigned int address;
#define EXPORT(name) __attribute__((export_name(name)))

// The numbers of shapes, kinds and parts from docs/PLUGINS.md.
enum { tally = 1, integer = 1, count = 1, histogram = 5, mean = 2, histogram_reading = 5, moments = 6 };
enum { has_value = 1, has_interval = 2, varies = 8, has_range = 32 };
enum { ready = 0, wrong_count = 1, out_of_range = 2 };
enum { lanes = 16, block_size = 4096, bins = 32, fewest = 1, most = 200 };

// A tally: the number of games, the sum of their longest runs and of the squares, and the count of each length.
// The sums are five slots each: 256 bits in units of 2⁻¹²⁸, and a slot of flags.
enum { sum_slots = 5, histogram_at = 1 + 2 * sum_slots, all_slots = histogram_at + bins + 2 };

static slot request[256];
static slot answer[256];
static unsigned used;
static slot tosses = 20;

static void put(slot number) { answer[used++] = number; }

static void put_real(double number) {
    union {
        double real;
        slot bits;
    } same = {number};
    put(same.bits);
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

// Memory is only requested for requests, so one buffer is enough.
EXPORT("potluck_alloc") address potluck_alloc(address octets) { return octets <= sizeof request ? (address)request : 0; }

EXPORT("potluck_describe") slot potluck_describe(void) {
    used = 0;
    put(tally);
    put(0);  // random numbers of our own
    put_text("coins-in-c");
    put_text("How long is the longest run of heads?");
    put_text("");  // no Swift source: the module's own hash identifies the simulation
    put(1);        // parameters
    put_text("tosses");
    put_text("tosses of the coin");
    put(integer), put(fewest), put(most), put(20);
    put(2);  // fields of the tally
    put_text("longest");
    put(moments), put(0), put_real(0), put_real(0);
    put_text("lengths");
    put(histogram), put(bins), put_real(0), put_real(bins);
    put(2);  // readings
    put_text("longest run");
    put(mean);
    put_text("lengths");
    put(histogram_reading);
    return give();
}

EXPORT("potluck_configure") slot potluck_configure(address at, address octets) {
    const slot *given = (const slot *)at;
    used = 0;
    if (octets < 2 * sizeof(slot) || given[0] != 1) {
        put(wrong_count);
    } else if (given[1] < fewest || given[1] > most) {
        put(out_of_range), put(0);
    } else {
        tosses = given[1];
        put(ready), put(block_size);
    }
    return give();
}

// The stream of a lane depends only on seed, block and lane.
static slot mix(slot *state) {
    slot z = *state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static slot longest_row(slot *state) {
    slot longest = 0, row = 0, coins = 0;
    for (slot toss = 0; toss < tosses; toss++) {
        if (toss % 64 == 0) coins = mix(state);
        row = coins & 1 ? row + 1 : 0;
        coins >>= 1;
        if (row > longest) longest = row;
    }
    return longest;
}

EXPORT("potluck_run") slot potluck_run(address at, address octets) {
    const slot *given = (const slot *)at;
    if (octets < 5 * sizeof(slot) || given[0] != tally) __builtin_trap();
    slot seed = given[1], first = given[2], blocks = given[3], left = given[4];
    slot games = 0, sum = 0, squares = 0, lengths[bins + 2] = {0};
    for (slot block = first; block < first + blocks; block++) {
        slot trials = left < block_size ? left : block_size;
        left -= trials;
        for (slot lane = 0; lane < lanes && lane < trials; lane++) {
            slot state = seed, key = mix(&state);
            state = key ^ (block * lanes + lane);
            for (slot trial = lane; trial < trials; trial += lanes) {
                slot row = longest_row(&state);
                games++;
                sum += row;
                squares += row * row;
                // Below the range, the bins, above it.
                lengths[row < bins ? row + 1 : bins + 1]++;
            }
        }
    }
    used = 0;
    put(tally), put(blocks), put(0), put(0);
    put(all_slots);
    put(games);
    put(0), put(0), put(sum), put(0), put(0);
    put(0), put(0), put(squares), put(0), put(0);
    for (unsigned i = 0; i < bins + 2; i++) put(lengths[i]);
    put(0), put(0);  // no output, nothing left
    return give();
}

EXPORT("potluck_read") slot potluck_read(address at, address octets) {
    const slot *given = (const slot *)at;
    if (octets != (2 + all_slots) * sizeof(slot)) __builtin_trap();
    const slot *slots = given + 2;
    double games = (double)slots[0], average = 0, half = 0;
    if (games > 1) {
        double sum = (double)slots[3], squares = (double)slots[8];
        average = sum / games;
        double variance = (squares - sum * average) / (games - 1);
        half = 1.959963984540054 * __builtin_sqrt(variance > 0 ? variance / games : 0);
    }
    used = 0;
    put(2);
    put(games > 1 ? has_value | has_interval | (half > 0 ? varies : 0) : 0);
    put_real(average), put_real(average - half), put_real(average + half), put_real(0);
    put_real(0), put_real(0), put(0);
    put(has_range);
    put_real(0), put_real(0), put_real(0), put_real(0);
    put_real(0), put_real(bins), put(bins + 2);
    for (unsigned i = 0; i < bins + 2; i++) put(slots[histogram_at + i]);
    return give();
}
