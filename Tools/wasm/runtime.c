// What a simulation's module needs and WebAssembly lacks: memory allocation, functions of <string.h> and <math.h>, and a
// wide multiplication. Nothing here uses the outside, so the module has no imports.

typedef unsigned long size;
_Static_assert(sizeof(size) == sizeof(void *), "a size is as wide as a pointer");

// Why the module stopped, for the program that runs it. The numbers are part of the interface (docs/PLUGINS.md).
enum { unknown_fault = 0, no_memory = 1, system_randomness = 2 };
static int fault = unknown_fault;

__attribute__((export_name("potluck_fault"))) int potluck_fault(void) { return fault; }

// Blocks have a power of two of bytes, with a header in front. A freed block waits in the list of its size class for
// the next request. Simulations allocate small, short-lived blocks, so blocks are never joined or returned.

enum { smallest = 5, classes = 32, page = 65536 };

struct block {
    unsigned class;
    struct block *next;  // while free
    char pad[8];
};
_Static_assert(sizeof(struct block) == 16, "what follows a header is aligned to 16");

extern char __heap_base;
static struct block *free_blocks[classes];
static size heap_end;

static void *more(size count) {
    if (heap_end == 0) heap_end = ((size)&__heap_base + 15) & ~(size)15;
    size limit = __builtin_wasm_memory_size(0) * page;
    if (count > limit - heap_end) {
        size pages = (count - (limit - heap_end) + page - 1) / page;
        if (__builtin_wasm_memory_grow(0, pages) == (size)-1) return 0;
    }
    void *start = (void *)heap_end;
    heap_end += count;
    return start;
}

void *malloc(size count) {
    unsigned class = smallest;
    struct block *block = 0;
    if (count <= (size)1 << 30) {
        while (((size)1 << class) < count + sizeof(struct block)) class++;
        block = free_blocks[class];
        if (block)
            free_blocks[class] = block->next;
        else
            block = more((size)1 << class);
    }
    // Swift stops at once when it gets no memory.
    if (!block) {
        fault = no_memory;
        return 0;
    }
    block->class = class;
    return block + 1;
}

void free(void *pointer) {
    if (!pointer) return;
    struct block *block = (struct block *)pointer - 1;
    block->next = free_blocks[block->class];
    free_blocks[block->class] = block;
}

// Swift allocates its objects with this. Their alignment is at most 16, because the kit keeps no wider vector in
// memory.
int posix_memalign(void **out, size alignment, size count) {
    enum { invalid = 22, none_left = 12 };
    if (alignment > 16) return invalid;
    *out = malloc(count);
    return *out ? 0 : none_left;
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
    fault = system_randomness;
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
    typedef unsigned long long word;
    word a0 = (unsigned)a, a1 = (word)a >> 32, b0 = (unsigned)b, b1 = (word)b >> 32;
    word p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    word middle = (p00 >> 32) + (unsigned)p01 + (unsigned)p10;
    word low = (unsigned)p00 | middle << 32;
    word high = p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
    high += (word)(a >> 64) * (word)b + (word)a * (word)(b >> 64);
    return (unsigned __int128)high << 64 | low;
}
