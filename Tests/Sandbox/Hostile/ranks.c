// A program with ranks whose calls are random, or wrong in one way, which is defined as WRONG=way. The seed of its start
// chooses the calls.

typedef unsigned long long slot;
typedef unsigned int address;
#define EXPORT(name) __attribute__((export_name(name)))
#define IMPORT(name) __attribute__((import_module("potluck_comm"), import_name(name)))

enum {
    fine, random_calls, other_import, other_type, old_abi, with_tally, describe_calls, short_answer, other_shape, code,
    endless, crash, refuses
};

IMPORT("rank") int comm_rank(void);
IMPORT("size") int comm_size(void);
IMPORT("time") double comm_time(void);
IMPORT("log") void comm_log(const void *text, address count);
IMPORT("abort") void comm_abort(int code);
IMPORT("send") void comm_send(int to, int tag, int context, const void *from, address count, int mode);
IMPORT("isend") int comm_isend(int to, int tag, int context, const void *from, address count, int mode);
IMPORT("receive") void comm_receive(int from, int tag, int context, void *to, address count, void *status);
IMPORT("ireceive") int comm_ireceive(int from, int tag, int context, void *to, address count);
IMPORT("probe") int comm_probe(int from, int tag, int context, int wait, void *status);
IMPORT("wait") int comm_wait(void *requests, int count, void *status);
IMPORT("test") int comm_test(int request, void *status);
IMPORT("checkpoint") void comm_checkpoint(const void *state, address count);
IMPORT("restore") int comm_restore(void *state, address count);
#ifdef WRONG_other_import
IMPORT("launch_missiles") void comm_other(void);
#endif
#ifdef WRONG_other_type
IMPORT("time") int comm_wrong_time(int zone);
#endif

static slot request[64], answer[64];
static unsigned used;
static int memory[4096], requests[64], open;
static slot state;

static void put(slot number) { answer[used++] = number; }
static slot give(void) { return (slot)(address)answer << 32 | used * sizeof(slot); }
static unsigned draw(unsigned below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % below;
}

EXPORT("potluck_abi") int version(void) { return WRONG == old_abi ? 1 : 2; }
EXPORT("potluck_alloc") address alloc(address count) { return count <= sizeof request ? (address)request : 0; }

EXPORT("potluck_describe") slot describe(void) {
    if (WRONG == describe_calls) comm_log("hello", 5);
    used = 0;
    put(5), put(0);
    // The name "wild", no summary, no source, no parameters.
    put(4), put(0x646c6977), put(0), put(0), put(0);
    if (WRONG == with_tally) put(1), put(1), put('n'), put(1), put(0), put(0), put(0);
    else put(0);
    put(0), put(0);
    return give();
}

EXPORT("potluck_configure") slot configure(address from, address count) {
    used = 0;
    if (WRONG == refuses) put(3), put(4), put(0x6f6f6f6e);
    else put(0);
    return give();
}

// An address that is usually inside, or odd in one of several ways.
static void *place(void) {
    static const address odd[] = {0, 1, 0xffffffff, 0xfffffff0, 0x80000000, 0x7fffffff, 65535, 1 << 30};
    return draw(8) ? (void *)&memory[draw(1024)] : (void *)odd[draw(8)];
}
static address count(void) {
    static const address odd[] = {0xffffffff, 0x80000000, 1 << 30, 300 << 20, 1 << 20, 65537, 0, 3};
    return draw(12) ? draw(64) : odd[draw(8)];
}
static int number(int below) {
    static const int odd[] = {-1, -2, 1 << 30, -2147483647 - 1, 2147483647, 1000};
    return draw(16) ? (int)draw(below) : odd[draw(6)];
}
static void *status(void) { return draw(2) ? 0 : place(); }

static void call(void) {
    switch (draw(13)) {
    case 0: comm_log(place(), count()); break;
    case 1: comm_send(number(2), number(3), number(2), place(), count(), number(3)); break;
    case 2: requests[open++ % 64] = comm_isend(number(2), number(3), number(2), place(), count(), number(3)); break;
    case 3: comm_receive(number(2), number(3), number(2), place(), count(), status()); break;
    case 4: requests[open++ % 64] = comm_ireceive(number(2), number(3), number(2), place(), count()); break;
    case 5: comm_probe(number(2), number(3), number(2), number(2), status()); break;
    case 6: comm_wait(draw(2) ? (void *)requests : place(), number(65), status()); break;
    case 7: comm_test(draw(4) ? requests[draw(64)] : number(100), status()); break;
    case 8: comm_checkpoint(place(), count()); break;
    case 9: comm_restore(place(), count()); break;
    case 10: comm_time(); break;
    case 11: if (!draw(8)) comm_abort(number(9)); break;
    default: comm_rank(), comm_size();
    }
}

EXPORT("potluck_main") slot run(address from, address octets) {
    state = request[1];
    if (WRONG == random_calls)
        for (slot left = 1 + request[1] % 20; left; left--) call();
    if (WRONG == endless)
        for (volatile int i = 0;; i++) {}
    if (WRONG == crash) __builtin_trap();
    used = 0;
    put(WRONG == other_shape ? 1 : 5), put(WRONG == code ? 3 : 0);
    if (WRONG == short_answer) return give();
    put(2), put('h' | 'i' << 8);
    return give();
}
#ifdef WRONG_other_import
EXPORT("use") void use(void) { comm_other(); }
#endif
#ifdef WRONG_other_type
EXPORT("use") int use(void) { return comm_wrong_time(1); }
#endif
