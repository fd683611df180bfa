// What a simulation's module needs and WebAssembly lacks: memory allocation, functions of <string.h> and <math.h>, and a
// wide multiplication. Nothing here uses the outside, so the module has no imports.

typedef unsigned long size;
_Static_assert(sizeof(size) == sizeof(void *), "a size is as wide as a pointer");

// Why the module stopped, for the program that runs it. The numbers are part of the interface (docs/PLUGINS.md). A module
// of this file never has 3, which is for programs in C.
enum { unknown_fault = 0, no_memory = 1, system_randomness = 2, too_deep = 4 };

// Blocks have a power of two of bytes, with a header in front. A freed block waits in the list of its size class for
// the next request. Simulations allocate small, short-lived blocks, so blocks are never joined or returned.

enum { smallest = 5, classes = 32, page = 65536 };

struct block {
    unsigned class;
    unsigned is_used;
    struct block *next;  // while free
    size count;          // what was asked for
};
_Static_assert(sizeof(struct block) == 16, "what follows a header is aligned to 16");

#ifdef POTLUCK_AUTHOR_HEAP
// The linker of modules in Python puts data of the author between this file's data and the heap.
__attribute__((import_module("author"), import_name("heap_base"))) char *author_heap_base(void);
#else
extern char __heap_base;
static char *author_heap_base(void) { return &__heap_base; }
#endif

// The variables of this file. What they remember does not matter to a simulation.
static _Alignas(8) struct {
    struct block *free_blocks[classes];
    size heap_end;
    int fault;
} own;
_Static_assert(sizeof own % 8 == 0, "the memory around the variables consists of words");

__attribute__((export_name("potluck_fault"))) int potluck_fault(void) { return own.fault; }

// The workshop lets a function that may call itself call this when the stack is used up.
__attribute__((export_name("potluck_too_deep"))) void potluck_too_deep(void) {
    own.fault = too_deep;
    __builtin_trap();
}

static size heap_start(void) { return ((size)author_heap_base() + 15) & ~(size)15; }

static void *more(size count) {
    if (own.heap_end == 0) own.heap_end = heap_start();
    size limit = __builtin_wasm_memory_size(0) * page;
    if (count > limit - own.heap_end) {
        size pages = (count - (limit - own.heap_end) + page - 1) / page;
        if (__builtin_wasm_memory_grow(0, pages) == (size)-1) return 0;
    }
    void *start = (void *)own.heap_end;
    own.heap_end += count;
    return start;
}

void *malloc(size count) {
    unsigned class = smallest;
    struct block *block = 0;
    if (count <= (size)1 << 30) {
        while (((size)1 << class) < count + sizeof(struct block)) class++;
        block = own.free_blocks[class];
        if (block)
            own.free_blocks[class] = block->next;
        else
            block = more((size)1 << class);
    }
    // Swift stops at once when it gets no memory.
    if (!block) {
        own.fault = no_memory;
        return 0;
    }
    block->class = class;
    block->is_used = 1;
    block->count = count;
    return block + 1;
}

void free(void *pointer) {
    if (!pointer) return;
    struct block *block = (struct block *)pointer - 1;
    block->is_used = 0;
    block->next = own.free_blocks[block->class];
    own.free_blocks[block->class] = block;
}

// Swift allocates its objects with this. Their alignment is at most 16, because the kit keeps no wider vector in
// memory.
int posix_memalign(void **out, size alignment, size count) {
    enum { invalid = 22, none_left = 12 };
    if (alignment > 16) return invalid;
    *out = malloc(count);
    return *out ? 0 : none_left;
}

// A hash of all that outlives a call: the variables, and the blocks that are in use. Where a block is does not matter. It
// depends on what was allocated before, so addresses count as nothing, and blocks are added in any order. Of a block that
// is larger than any state it looks only at a part, because tables of many megabytes would take too long.

typedef unsigned long long word;
void *memset(void *, int, size);
typedef word __attribute__((may_alias)) any_word;
enum { width = 4, largest = 1 << 20, gap = 64, unused_most = 1 << 16 };

// A word without the addresses of blocks in it.
static word placeless(word value) {
    size start = heap_start(), low = (size)value, high = (size)(value >> 32);
    if (low - start < own.heap_end - start && low % 16 == 0) value &= ~(word)0xffffffff;
    if (high - start < own.heap_end - start && high % 16 == 0) value &= 0xffffffff;
    return value;
}

static word mixed(word sum, word value) {
    word both = sum ^ placeless(value);
    return (both << 29 | both >> 35) * 0x9e3779b97f4a7c15;
}

// Adds memory to a hash. Looks at four words of every `step`.
static word hashed(word hash, const void *start, const void *end, size step) {
    // Four sums side by side, because each product waits for the one before.
    word a = hash, b = 1, c = 2, d = 3;
    const any_word *at = start, *last = end;
    for (; last - at >= (long)step; at += step) {
        a = mixed(a, at[0]);
        b = mixed(b, at[1]);
        c = mixed(c, at[2]);
        d = mixed(d, at[3]);
    }
    for (; at < last; at++) a = mixed(a, *at);
    return mixed(mixed(mixed(a, b), c), d);
}

extern char __global_base;

// Also clears the free blocks and puts their lists in order, so that the next call finds nothing of earlier ones.
word potluck_kept_memory(void) {
    word hash = hashed(0, &__global_base, &own, width);
    hash = hashed(hash, &own + 1, author_heap_base(), width);
    struct block **ends[classes];
    for (int class = 0; class < classes; class++) ends[class] = &own.free_blocks[class];
    for (size at = heap_start(); at < own.heap_end;) {
        struct block *block = (struct block *)at;
        size whole = (size)1 << block->class;
        at += whole;
        if (block->is_used) {
            size used = (block->count + 7) & ~(size)7;
            hash += hashed(used, block + 1, (char *)(block + 1) + used, used > largest ? gap : width);
            continue;
        }
        size unused = whole - sizeof *block;
        memset(block + 1, 0, unused < unused_most ? unused : unused_most);
        *ends[block->class] = block;
        ends[block->class] = &block->next;
    }
    for (int class = 0; class < classes; class++) *ends[class] = 0;
    return hash;
}

// Single instructions, because the compiler could turn a loop here into a call of the function itself.

void *memset(void *to, int value, size count) {
    __asm__("local.get %0\nlocal.get %1\nlocal.get %2\nmemory.fill 0" ::"r"(to), "r"(value), "r"(count));
    return to;
}

void *memmove(void *to, const void *from, size count) {
    __asm__("local.get %0\nlocal.get %1\nlocal.get %2\nmemory.copy 0, 0" ::"r"(to), "r"(from), "r"(count));
    return to;
}

void *memcpy(void *to, const void *from, size count) { return memmove(to, from, count); }

int memcmp(const void *a, const void *b, size count) {
    const unsigned char *x = a, *y = b;
    for (; count; count--, x++, y++)
        if (*x != *y) return *x - *y;
    return 0;
}

// Random numbers of the system. Here they would be the same in every run, so the module stops. Trials have a stream.
void arc4random_buf(void *out, size count) {
    own.fault = system_randomness;
    __builtin_trap();
}

// Swift's seed for hashing, and the function that initialises it. This definition takes the place of Swift's, which
// draws the seed, and which makes the order in a set depend on the set's address. The address depends on what the module
// computed before.
extern struct {
    unsigned long long seed[2];
    _Bool is_deterministic;
} hashing __asm__("$es32_swift_stdlib_Hashing_parametersSo06_SwiftC10ParametersVvp") __attribute__((weak));

void seed_hashing(void *context) __asm__("$es32_swift_stdlib_Hashing_parameters_WZ");
void seed_hashing(void *context) {
    hashing.seed[0] = hashing.seed[1] = 0x5a5a5a5a5a5a5a5a;
    hashing.is_deterministic = 1;
}

// Swift calls these for rounded() and truncatingRemainder(dividingBy:). WebAssembly has an instruction for truncating.

double round(double x) {
    double whole = __builtin_trunc(x);
    double rest = x - whole;
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole;
}

float roundf(float x) { return (float)round(x); }

// Subtracts the largest fitting product of y and a power of two, until nothing fits. Every step is exact.
double fmod(double x, double y) {
    double rest = __builtin_fabs(x), divisor = __builtin_fabs(y);
    if (!(rest < __builtin_inf()) || !(divisor > 0)) return __builtin_nan("");
    while (rest >= divisor) {
        double part = divisor;
        while (rest - part >= part) part *= 2;
        rest -= part;
    }
    return __builtin_copysign(rest, x);
}

float fmodf(float x, float y) { return (float)fmod(x, y); }

// The compiler calls this for 128-bit products. It uses four products of 32 bits.
unsigned __int128 __multi3(unsigned __int128 a, unsigned __int128 b) {
    word a0 = (unsigned)a, a1 = (word)a >> 32, b0 = (unsigned)b, b1 = (word)b >> 32;
    word p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    word middle = (p00 >> 32) + (unsigned)p01 + (unsigned)p10;
    word low = (unsigned)p00 | middle << 32;
    word high = p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
    high += (word)(a >> 64) * (word)b + (word)a * (word)(b >> 64);
    return (unsigned __int128)high << 64 | low;
}
