// Memory for the lists of the author's code.

/// Returns zeroed memory that lives as long as the module, for what `prepare` makes.
@_expose(wasm, "rt_alloc") @_cdecl("rt_alloc")
public func allocate(_ octets: UInt32) -> UInt32 {
    let start = memory(octets)
    start.initializeMemory(as: UInt8.self, repeating: 0, count: Int(octets))
    return UInt32(UInt(bitPattern: start))
}

/// Returns memory, aligned to 16. The module stops if there is none.
private func memory(_ octets: UInt32) -> UnsafeMutableRawPointer {
    // More than this is refused in any case, and the number stays positive.
    UnsafeMutableRawPointer.allocate(byteCount: Int(min(octets, 1 << 31 - 1)), alignment: 16)
}

/// Memory for the lists of a trial. It is taken from the front of a part, and given back to a mark. When a part is full,
/// another one begins.
private struct Arena {
    /// The first free address; 0 before the first list.
    var next: UInt32 = 0
    /// The end of the part.
    var end: UInt32 = 0
    /// The start of the part, where the part before it is noted.
    var part: UInt32 = 0

    /// The size of the first part.
    static let first: UInt32 = 1 << 16
    /// What is noted of another part takes so many bytes.
    static let head: UInt32 = 16

    mutating func take(_ octets: UInt32) -> UInt32 {
        // Larger ones than half of the memory are never there.
        let size = (min(octets, 1 << 31) &+ 15) & ~15
        if size > end &- next { grow(size) }
        defer { next &+= size }
        return next
    }

    @inline(never)
    private mutating func grow(_ size: UInt32) {
        let length = max(size &+ Self.head, Self.first, 2 &* (end &- part))
        let start = UInt32(UInt(bitPattern: memory(length)))
        let before: UnsafeMutablePointer<Arena> = pointer(to: UInt64(start))
        before.pointee = self
        self = Arena(next: start &+ Self.head, end: start &+ length, part: start)
    }

    /// Gives back all that was taken since `next` was `mark`.
    mutating func reset(_ mark: UInt32) {
        while next != 0 && (mark <= part || mark > end) {
            let full: UnsafeMutablePointer<Arena> = pointer(to: UInt64(part))
            self = full.pointee
            UnsafeMutableRawPointer(full).deallocate()
        }
        next = mark
    }
}

nonisolated(unsafe) private var arena = Arena()

/// Returns memory for a list of a trial, aligned to 16. What it holds is left from other lists.
@_expose(wasm, "rt_arena") @_cdecl("rt_arena")
public func take(_ octets: UInt32) -> UInt32 { arena.take(octets) }

@_expose(wasm, "rt_arena_mark") @_cdecl("rt_arena_mark")
public func mark() -> UInt32 { arena.next }

@_expose(wasm, "rt_arena_reset") @_cdecl("rt_arena_reset")
public func reset(_ mark: UInt32) { arena.reset(mark) }
