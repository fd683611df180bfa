// A module that is correct, or wrong in exactly one way, which is defined as WRONG=way and, for the preprocessor,
// WRONG_way. The sandbox must survive all of them. Ways without another remark concern `run`.

typedef unsigned long long slot;
typedef unsigned int address;
#define EXPORT(name) __attribute__((export_name(name)))

enum {
    fine, endless_run, endless_describe, endless_alloc, endless_start, endless_read, hungry, nothing_called, wild_read, wild_write,
    divided_by_zero, bottomless, unreachable, old_abi, no_describe, no_alloc, no_configure, no_run, no_read, other_type,
    describe_outside, describe_huge, describe_ragged, describe_short, describe_long, escape_in_name, escape_in_summary, inverted_range,
    standard_outside, unknown_shape, unknown_kind, histogram_without_bins, other_streams, alloc_outside, alloc_nothing,
    alloc_odd, odd_block, huge_block, run_outside, run_other_shape, run_fewer_blocks, run_fewer_slots, run_more_slots, run_output,
    run_more, run_long, read_nan, read_inverted, read_other, remembers, imports, huge_memory, log_outside, wrong_second,
    collects, endless_configure, endless_log, typed_describe, typed_alloc, typed_configure, typed_run, typed_read, typed_log,
    describe_many, latin_name, latin_summary, latin_log, many_tables, tabled, run_many_slots, run_many_octets, run_over_request,
    run_misaligned, read_many, read_infinite, stopped_describe,
    // These have the shape collect, with blocks of 16 units that write text.
    writes, writes_much, writes_untold, writes_ragged, writes_more, writes_of_none, no_units, many_units, unknown_output
};

#define WRITES (WRONG >= writes)

static slot request[64], answer[64];
static unsigned used;
static slot calls;

static void put(slot number) { answer[used++] = number; }
static slot give(void) { return (slot)(address)answer << 32 | used * sizeof(slot); }
static void loop(void) {
    for (volatile int i = 0;; i++) {}
}

#ifdef WRONG_typed_describe
EXPORT("potluck_describe") slot typed(slot a) { return a; }
#elif defined WRONG_typed_alloc
EXPORT("potluck_alloc") double typed(address a) { return a; }
#elif defined WRONG_typed_configure
EXPORT("potluck_configure") void typed(address a, address b) {}
#elif defined WRONG_typed_run
EXPORT("potluck_run") address typed(address a, address b) { return a; }
#elif defined WRONG_typed_read
EXPORT("potluck_read") slot typed(address a) { return a; }
#elif defined WRONG_typed_log
EXPORT("potluck_log") slot typed(double a) { return a; }
#endif

#ifdef WRONG_many_tables
static __externref_t first[0], second[0], third[0], fourth[0], fifth[0];
EXPORT("tables") int tables(void) {
    return __builtin_wasm_table_size(first) + __builtin_wasm_table_size(second) + __builtin_wasm_table_size(third) +
           __builtin_wasm_table_size(fourth) + __builtin_wasm_table_size(fifth);
}
#endif

#ifdef WRONG_tabled
static __externref_t table[0];
static void grow(void) {
    while (__builtin_wasm_table_grow(table, __builtin_wasm_ref_null_extern(), 1000) != -1) {}
}
#else
static void grow(void) {}
#endif

#ifdef WRONG_imports
__attribute__((import_module("env"), import_name("system"))) int system_call(int);
EXPORT("use") int use(void) { return system_call(1); }
#endif

#ifdef WRONG_huge_memory
static char large[1u << 30];
EXPORT("large") char *large_memory(void) { return large; }
#endif

#ifdef WRONG_endless_start
__attribute__((constructor)) static void begin(void) { loop(); }
extern void __wasm_call_ctors(void);
EXPORT("potluck_abi") address potluck_abi(void) { __wasm_call_ctors(); return 1; }
#elif defined WRONG_other_type
EXPORT("potluck_abi") slot potluck_abi(int a) { return a; }
#else
EXPORT("potluck_abi") address potluck_abi(void) { return WRONG == old_abi ? 7 : 1; }
#endif

#if !defined WRONG_no_alloc && !defined WRONG_typed_alloc
EXPORT("potluck_alloc") address potluck_alloc(address octets) {
    if (WRONG == endless_alloc) loop();
    if (WRONG == alloc_outside) return 0xffffff00;
    if (WRONG == alloc_nothing) return 0;
    if (WRONG == alloc_odd) return (address)request + 1;
    return octets <= sizeof request ? (address)request : 0;
}
#endif

#if !defined WRONG_no_describe && !defined WRONG_typed_describe
EXPORT("potluck_describe") slot potluck_describe(void) {
    if (WRONG == endless_describe) loop();
    if (WRONG == stopped_describe) __builtin_trap();
    if (WRONG == describe_outside) return 0xfffffff0ull << 32 | 64;
    if (WRONG == describe_huge) return (slot)(address)answer << 32 | 0xfffffff8;
    used = 0;
    put(WRONG == unknown_shape ? 99 : WRONG == collects || WRITES ? 2 : 1);
    put(WRONG == other_streams ? 1000 : 0);
    put(5), put(WRONG == escape_in_name ? 0x1b5b6d6964 : WRONG == latin_name ? 0x656cf6706f : 0x656c70706f);
    put(1), put(WRONG == escape_in_summary ? 7 : WRONG == latin_summary ? 0xf6 : '?');
    put(0);
    put(WRONG == describe_many ? ~0ull : 1);  // one parameter: "n", "", 0 to 9, 3
    put(1), put('n');
    put(0);
    put(WRONG == unknown_kind ? 50 : 1), put(WRONG == inverted_range ? 10 : 0), put(9);
    put(WRONG == standard_outside ? 11 : 3);
    put(1);  // one field: a count
    put(1), put('c');
    put(WRONG == histogram_without_bins ? 5 : 1), put(0), put(0), put(0);
    put(1);  // one reading: a proportion
    put(1), put('r');
    put(1);
    if (WRITES) put(0);  // no inputs
    if (WRONG == describe_long) put(0), put(0);
    if (WRONG == describe_short) used--;
    if (WRONG == describe_ragged) return give() - 3;
    return give();
}
#endif

#if !defined WRONG_no_configure && !defined WRONG_typed_configure
EXPORT("potluck_configure") slot potluck_configure(address at, address octets) {
    const slot *given = (const slot *)at;
    if (WRONG == endless_configure) loop();
    used = 0;
    put(octets == 24 && given[0] == 1 && given[1] <= 9 ? 0 : 1);
    put(WRONG == odd_block ? 17 : WRONG == huge_block ? 1ull << 40 : 16);
    if (WRITES) {
        put(WRONG == no_units ? 0 : WRONG == many_units ? ~0ull : 1600);
        put(WRONG == unknown_output ? 9 : WRONG == writes_untold ? 0 : WRONG == writes_ragged ? 2 : 1);
    }
    return give();
}
#endif

static int (*volatile self)(int);
static int deep(int n) {
    volatile int room[64];
    room[0] = n;
    return self(n + 1) + room[0];
}

#if !defined WRONG_no_run && !defined WRONG_typed_run
EXPORT("potluck_run") slot potluck_run(address at, address octets) {
    const slot *given = (const slot *)at;
    volatile int zero = 0;
    calls++;
    if (octets != 56) __builtin_trap();
    switch (WRONG) {
        case endless_run: loop(); break;
        case hungry:
            while (__builtin_wasm_memory_grow(0, 16) != (unsigned long)-1) {}
            __builtin_trap();
        case nothing_called: ((int (*volatile)(void))zero)(); break;
        case wild_read: (void)*(volatile int *)0x7fffff00; break;
        case wild_write: *(volatile int *)0x7fffff00 = 1; break;
        case divided_by_zero: zero = 7 / zero; break;
        case bottomless: self = deep, deep(0); break;
        case unreachable: __builtin_trap();
        case tabled: grow(); __builtin_trap();
        case wrong_second: if (given[2] == 1) __builtin_trap(); break;
    }
    if (WRONG == run_outside) return 0xfffffff0ull << 32 | 64;
    used = 0;
    if (WRITES) {
        slot octets = WRONG == writes_much ? 40u << 20 : WRONG == writes_ragged ? 24 : 16;
        put(2), put(WRONG == writes_of_none ? 0 : given[3]), put(WRONG == writes_more), put(0), put(1), put(given[4] / 2);
        put(octets);
        if (WRONG == writes_much) {
            static slot *large;
            if (!large) large = (slot *)(__builtin_wasm_memory_grow(0, (41u << 20) / 65536) * 65536);
            for (unsigned i = 0; i < used; i++) large[i] = answer[i];
            return (slot)(address)large << 32 | ((used + 1) * sizeof(slot) + octets);
        }
        for (slot i = 0; i < octets; i += 8) put(given[2]);
        put(0);
        return give();
    }
    put(WRONG == run_other_shape ? 2 : 1);
    put(given[3] - (WRONG == run_fewer_blocks));
    put(WRONG == run_more), put(0);
    slot slots = WRONG == run_fewer_slots ? 0 : WRONG == run_more_slots ? 3 : 1;
    put(WRONG == run_many_slots ? ~0ull : slots);
    for (slot i = 0; i < slots; i++) put(WRONG == remembers ? calls : given[4] / 2);
    if (WRONG == run_output)
        put(3), put(5);
    else if (WRONG == run_many_octets)
        put(1ull << 63);
    else
        put(0);
    put(0);
    if (WRONG == run_long) put(0);
    if (WRONG == run_over_request) {
        for (unsigned i = 0; i < used; i++) request[i] = answer[i];
        return (slot)(address)request << 32 | used * sizeof(slot);
    }
    if (WRONG == run_misaligned) {
        char *odd = (char *)request + 3;
        for (unsigned i = 0; i < used * sizeof(slot); i++) odd[i] = ((char *)answer)[i];
        return (slot)(address)odd << 32 | used * sizeof(slot);
    }
    return give();
}
#endif

#if !defined WRONG_no_read && !defined WRONG_typed_read
EXPORT("potluck_read") slot potluck_read(address at, address octets) {
    if (WRONG == endless_read) loop();
    (void)at, (void)octets;
    used = 0;
    put(WRONG == read_other ? 2 : 1);
    put(3);
    put(WRONG == read_nan ? 0x7ff8000000000000 : WRONG == read_infinite ? 0x7ff0000000000000 : 0x3fe0000000000000);
    put(WRONG == read_inverted ? 0x4000000000000000 : 0), put(0x3ff0000000000000);
    put(0), put(0), put(0), put(WRONG == read_many ? 1ull << 40 : 0);
    return give();
}
#endif

#ifndef WRONG_typed_log
EXPORT("potluck_log") slot potluck_log(void) {
    if (WRONG == endless_log) loop();
    if (WRONG == latin_log) return (slot)(address)"\xf6\n" << 32 | 2;
    if (WRONG == log_outside) return 0xfffffff0ull << 32 | 64;
    return (slot)(address)"well\n" << 32 | 5;
}
#endif
