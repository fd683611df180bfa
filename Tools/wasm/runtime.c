// What a simulation's module needs and WebAssembly alone does not give: memory to allocate from, five functions of
// <string.h>, a wide multiplication. Nothing here asks the outside for anything, so the module has no imports.

typedef unsigned long size;
_Static_assert(sizeof(size) == sizeof(void *), "a size is as wide as a pointer");

// Blocks come in powers of two with a header in front; a freed one waits in its class for the next of that size. What a
// simulation allocates is small and short-lived, so nothing is ever joined or given back.

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
    if (count > (size)1 << 30) return 0;
    unsigned class = smallest;
    while (((size)1 << class) < count + sizeof(struct block)) class++;
    struct block *block = free_blocks[class];
    if (block)
        free_blocks[class] = block->next;
    else if (!(block = more((size)1 << class)))
        return 0;
    block->class = class;
    return block + 1;
}

void free(void *pointer) {
    if (!pointer) return;
    struct block *block = (struct block *)pointer - 1;
    block->next = free_blocks[block->class];
    free_blocks[block->class] = block;
}

// Swift asks for its objects here, always by 16 or less: the kit has no vector wider than that in memory.
int posix_memalign(void **out, size alignment, size count) {
    enum { invalid = 22, none_left = 12 };
    if (alignment > 16) return invalid;
    *out = malloc(count);
    return *out ? 0 : none_left;
}

// Single instructions, so that the compiler cannot turn a loop here into a call of itself.

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

// Hashing needs a seed; in a module every run is the same run.
void arc4random_buf(void *out, size count) { memset(out, 0x5a, count); }

// The compiler's own helper for 128-bit products, from four products of 32 bits.
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
