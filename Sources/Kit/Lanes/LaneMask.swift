/// A condition for each lane, such as `car == pick`. `&&`, `||` and `!` combine conditions.
@frozen public struct LaneMask: Sendable {
    /// All bits of a lane are set if the condition holds there, and none otherwise.
    @usableFromInline var words: SIMD16<UInt32>

    @inlinable @inline(__always)
    init(words: SIMD16<UInt32>) { self.words = words }

    /// Creates a condition that holds in all lanes or in none.
    @inlinable @inline(__always)
    public init(_ holds: Bool) { words = SIMD16(repeating: holds ? .max : 0) }

    /// Whether the condition holds in one lane.
    @inlinable
    public subscript(_ lane: Int) -> Bool {
        get { words[lane] != 0 }
        set { words[lane] = newValue ? .max : 0 }
    }

    /// The number of lanes in which the condition holds.
    @inlinable @inline(__always)
    public var count: Int { words.topBitCount }

    /// Where both conditions hold.
    @inlinable @inline(__always)
    public static func && (a: LaneMask, b: LaneMask) -> LaneMask { LaneMask(words: a.words.and(b.words)) }

    /// Where at least one of two conditions holds.
    @inlinable @inline(__always)
    public static func || (a: LaneMask, b: LaneMask) -> LaneMask { LaneMask(words: a.words.or(b.words)) }

    /// Where the condition does not hold.
    @inlinable @inline(__always)
    public static prefix func ! (a: LaneMask) -> LaneMask {
        LaneMask(words: a.words.xor(SIMD16(repeating: .max)))
    }
}

/// Returns whether the condition holds in at least one lane.
@inlinable @inline(__always)
public func any(_ mask: LaneMask) -> Bool { mask.words.topBits != 0 }

/// Returns whether the condition holds in all lanes.
@inlinable @inline(__always)
public func all(_ mask: LaneMask) -> Bool { mask.words.topBits == .max }
