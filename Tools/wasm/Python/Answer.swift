// The answer of a call.

/// A record in memory that is reused, and replaced when it is too small.
struct Answer: RecordSink {
    private var start: UnsafeMutablePointer<UInt64>?
    private var capacity = 0
    private var count = 0

    /// The slots of the first memory. Most answers fit.
    private static let first = 512

    /// Begins another answer.
    mutating func begin() { count = 0 }

    mutating func put(_ slot: UInt64) { next(1)[0] = slot }

    /// Appends slots, and returns where they are to be written.
    @inline(never)
    mutating func next(_ slots: Int) -> UnsafeMutablePointer<UInt64> {
        if slots > capacity &- count { grow(slots) }
        defer { count &+= slots }
        return start.unsafelyUnwrapped + count
    }

    @inline(never)
    private mutating func grow(_ slots: Int) {
        let larger = max(Self.first, (count &+ slots) &* 2)
        let made = UnsafeMutablePointer<UInt64>.allocate(capacity: larger)
        if let start {
            made.moveInitialize(from: start, count: count)
            start.deallocate()
        }
        start = made
        capacity = larger
    }

    /// The answer's address in the upper 32 bits and its length in bytes in the lower ones.
    var place: UInt64 { UInt64(UInt(bitPattern: start)) &<< 32 | UInt64(count &* 8) }
}

nonisolated(unsafe) var answer = Answer()
