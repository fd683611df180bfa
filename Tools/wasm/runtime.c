// What a simulation's module needs and WebAssembly lacks: memory allocation, five functions of <string.h>, and a wide
// multiplication. Nothing here uses the outside, so the module has no imports.

typedef unsigned long size;
_Static_assert(sizeof(size) == sizeof(void *), "a size is as wide as a pointer");

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

// Hashing needs a seed. It is constant, because every run of a module must be the same.
void arc4random_buf(void *out, size count) { memset(out, 0x5a, count); }

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
