import Builtin

/// A condition for each lane, such as `car == pick`. `&&`, `||` and `!` combine conditions.
@frozen public struct LaneMask: Sendable {
    /// All bits of a lane are set if the condition holds there, and none otherwise.
    @usableFromInline var words: SIMD16<UInt32>

    @inlinable @inline(__always)
    init(words: SIMD16<UInt32>) { self.words = words }

    @inlinable @inline(__always)
    init(raw: Builtin.Vec16xInt1) { words = SIMD16(raw: Builtin.sext_Vec16xInt1_Vec16xInt32(raw)) }

    /// Creates the condition that a word's top bit is set.
    @inlinable @inline(__always)
    init(signsOf words: SIMD16<UInt32>) {
        self.init(raw: Builtin.cmp_slt_Vec16xInt32(words.raw, SIMD16<UInt32>.zero.raw))
    }

    /// Creates a condition that holds in all lanes or in none.
    @inlinable @inline(__always)
    public init(_ holds: Bool) { words = SIMD16(repeating: holds ? .max : 0) }

    // The comparison and the extension before it cancel each other.
    @inlinable @inline(__always)
    var raw: Builtin.Vec16xInt1 { Builtin.cmp_slt_Vec16xInt32(words.raw, SIMD16<UInt32>.zero.raw) }

    /// Whether the condition holds in one lane.
    @inlinable
    public subscript(_ lane: Int) -> Bool {
        get { words[lane] != 0 }
        set { words[lane] = newValue ? .max : 0 }
    }

    /// The number of lanes in which the condition holds.
    @inlinable @inline(__always)
    public var count: Int { bits.nonzeroBitCount }

    /// A bit for each lane, that of the first lane last.
    @inlinable @inline(__always)
    var bits: UInt16 { UInt16(Builtin.bitcast_Vec16xInt1_Int16(raw)) }

    /// Returns `a` where the condition holds, and `b` elsewhere.
    @inlinable @inline(__always)
    func words(_ a: SIMD16<UInt32>, _ b: SIMD16<UInt32>) -> SIMD16<UInt32> {
        SIMD16(raw: Builtin.select_Vec16xInt1_Vec16xInt32(raw, a.raw, b.raw))
    }

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
public func any(_ mask: LaneMask) -> Bool { mask.bits != 0 }

/// Returns whether the condition holds in all lanes.
@inlinable @inline(__always)
public func all(_ mask: LaneMask) -> Bool { mask.bits == .max }
