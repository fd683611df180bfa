/// The memory of one walk through a search. It frees its rows when it is released: keep it with `withExtendedLifetime`
/// as long as they are used.
public final class SearchMemory {
    @usableFromInline var rows: [UnsafeMutableRawPointer] = []

    /// Creates a memory without rows.
    public init() {}
    deinit { for row in rows { row.deallocate() } }

    /// Returns a row of `count` numbers.
    @inlinable
    public func row<Element: BitwiseCopyable>(_ value: Element, count: Int) -> Row<Element> {
        Misuse.stop(unless: count >= 0, "a row cannot have fewer than 0 numbers")
        let start: UnsafeMutablePointer<Element> = space(count)
        start.initialize(repeating: value, count: count)
        return Row(start: start, count: count)
    }

    /// Returns room for `count` values that are not set. Unused room costs no memory where the system gives out memory
    /// at its first use.
    @inlinable
    func space<Element: BitwiseCopyable>(_ count: Int) -> UnsafeMutablePointer<Element> {
        let start = UnsafeMutablePointer<Element>.allocate(capacity: count)
        rows.append(UnsafeMutableRawPointer(start))
        return start
    }
}

/// A row of numbers that all partial solutions of a walk share. Changing it costs no more than in C. An index outside of
/// it stops the search with an error.
public struct Row<Element: BitwiseCopyable>: BitwiseCopyable {
    @usableFromInline let start: UnsafeMutablePointer<Element>
    /// The number of elements.
    public let count: Int

    @inlinable
    init(start: UnsafeMutablePointer<Element>, count: Int) {
        self.start = start
        self.count = count
    }

    /// The element at `index`, which must be at least 0 and less than `count`.
    @inlinable
    public subscript(index: Int) -> Element {
        get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            return start[index]
        }
        nonmutating set {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            start[index] = newValue
        }
    }

    /// Exchanges two elements.
    @inlinable
    public func swapAt(_ one: Int, _ other: Int) {
        let value = self[one]
        self[one] = self[other]
        self[other] = value
    }
}
