/// The interface between a module and the program that runs it. docs/PLUGINS.md describes it for authors in other
/// languages. Append to these enumerations, never renumber.
public enum ModuleInterface {
    /// The version that `potluck_abi` returns in modules of simulations, gatherings and searches.
    public static var version: UInt32 { 1 }
    /// The version of programs with ranks. Their modules import functions, and simulations' modules never do.
    public static var ranksVersion: UInt32 { 2 }

    /// How the results of blocks are joined.
    public enum Shape: UInt64, Sendable {
        /// Tallies are merged.
        case tally = 1
        /// Tallies are merged, and the output of blocks is joined in order.
        case collect = 2
        /// The best result of many, with a bound that all share. Each block returns its remaining work in a form of its
        /// own. The kit makes no such modules.
        case search = 3
        /// The best result of many, in a space of points whose ranges can be searched in any order.
        case space = 4
        /// Ranks that send messages to each other. Only modules of version 2 have this shape.
        case ranks = 5
    }

    /// The kind of a parameter's values.
    public enum Domain: UInt64, Sendable {
        /// An integer from a range.
        case integer = 1
        /// A real number from a range.
        case real = 2
        /// One of several names.
        case choice = 3
        /// Yes or no.
        case flag = 4
        /// Several of up to 64 names.
        case several = 5
    }

    /// The answer of `potluck_configure` about the parameters.
    public enum Verdict: UInt64, Sendable {
        /// The parameters are valid, and the module is ready to run.
        case ready = 0
        /// The request has another number of parameters than the module declares.
        case wrongCount = 1
        /// A parameter is outside its range. Its index follows.
        case outOfRange = 2
        /// The simulation refuses the combination of parameters, or the tables. A sentence that says why follows.
        case conflict = 3
    }

    /// The bits that say which parts a reading has.
    public enum ReadingPart {
        /// The reading has a value.
        public static var value: UInt64 { 1 }
        /// The reading has an interval.
        public static var interval: UInt64 { 2 }
        /// The reading has an exact answer.
        public static var exact: UInt64 { 4 }
        /// The trials differed.
        public static var varies: UInt64 { 8 }
        /// The tally is spoilt: the simulation added a number that it must not add.
        public static var spoilt: UInt64 { 16 }
        /// The reading has a range of bins.
        public static var range: UInt64 { 32 }
    }
}

/// Takes a record of 8-byte slots, least significant byte first, for the other side of the interface.
public protocol RecordSink {
    /// Appends a number as one slot.
    mutating func put(_ number: UInt64)
}

extension RecordSink {
    /// Appends an integer as one slot, in two's complement.
    @inlinable public mutating func put(_ number: Int) { put(UInt64(truncatingIfNeeded: number)) }
    /// Appends a real number as one slot, its bit pattern.
    @inlinable public mutating func put(_ number: Double) { put(number.bitPattern) }

    /// Appends bytes: their number, then eight bytes to a slot. The last slot is padded with zeros.
    @inlinable public mutating func put(_ octets: UnsafeBufferPointer<UInt8>) {
        put(octets.count)
        var slot: UInt64 = 0
        for index in octets.indices {
            slot |= UInt64(octets[index]) &<< UInt64(8 * (index & 7))
            if index & 7 == 7 {
                put(slot)
                slot = 0
            }
        }
        if octets.count & 7 != 0 { put(slot) }
    }

    /// Appends bytes: their number, then eight bytes to a slot. The last slot is padded with zeros.
    @inlinable public mutating func put(_ octets: [UInt8]) {
        octets.withUnsafeBufferPointer { put($0) }
    }

    /// Appends a text as the bytes of its UTF-8.
    @inlinable public mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { put($0) }
    }

    /// Appends a reading of the answer of `potluck_read`, except the counts of a histogram, which follow.
    mutating func put(_ estimate: Estimate, exact: Double?) {
        var parts: UInt64 = 0
        if estimate.value != nil { parts |= ModuleInterface.ReadingPart.value }
        if estimate.interval != nil { parts |= ModuleInterface.ReadingPart.interval }
        if exact != nil { parts |= ModuleInterface.ReadingPart.exact }
        if estimate.varies { parts |= ModuleInterface.ReadingPart.varies }
        if estimate.isSpoilt { parts |= ModuleInterface.ReadingPart.spoilt }
        if estimate.range != nil { parts |= ModuleInterface.ReadingPart.range }
        put(parts)
        put(estimate.value ?? 0)
        put(estimate.interval?.lowerBound ?? 0)
        put(estimate.interval?.upperBound ?? 0)
        put(exact ?? 0)
        put(estimate.range?.lowerBound ?? 0)
        put(estimate.range?.upperBound ?? 0)
    }
}

/// A record in memory.
public struct RecordWriter: RecordSink, Sendable {
    /// The slots written so far.
    public private(set) var slots: [UInt64] = []

    /// Creates an empty record.
    public init() {}

    /// Appends a number as one slot.
    public mutating func put(_ number: UInt64) { slots.append(number) }
}
