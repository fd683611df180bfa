/// The interface between a module and the program that runs it: what both sides must agree on, and what docs/PLUGINS.md
/// spells out for authors in other languages. Append to what is here, never renumber.
public enum ModuleInterface {
    /// What `potluck_abi` answers.
    public static var version: UInt32 { 1 }

    /// How the work of a simulation is put together.
    public enum Shape: UInt64, Sendable {
        /// Tallies that add up.
        case tally = 1
        /// Octets joined in order of block, beside a tally.
        case collect = 2
        /// The best of many, found with a bound that all share.
        case search = 3
    }

    /// What kind of value a parameter has.
    public enum Domain: UInt64, Sendable {
        case integer = 1
        case real = 2
        case choice = 3
        case flag = 4
    }

    /// What `potluck_configure` says of the parameters.
    public enum Verdict: UInt64, Sendable {
        case ready = 0
        case wrongCount = 1
        case outOfRange = 2
        case conflict = 3
    }

    /// What a reading has, a bit each.
    public enum ReadingPart {
        public static var value: UInt64 { 1 }
        public static var interval: UInt64 { 2 }
        public static var exact: UInt64 { 4 }
        public static var varies: UInt64 { 8 }
        public static var spoilt: UInt64 { 16 }
        public static var range: UInt64 { 32 }
    }
}

/// A record under way from one side to the other: 8-byte slots, least significant octet first.
public struct RecordWriter: Sendable {
    public private(set) var slots: [UInt64] = []

    public init() {}

    public mutating func put(_ number: UInt64) { slots.append(number) }
    public mutating func put(_ number: Int) { slots.append(UInt64(truncatingIfNeeded: number)) }
    public mutating func put(_ number: Double) { slots.append(number.bitPattern) }

    /// A text or anything else made of octets: their number, then eight to a slot, the last one filled up with zeros.
    public mutating func put(_ octets: UnsafeBufferPointer<UInt8>) {
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

    public mutating func put(_ octets: [UInt8]) {
        octets.withUnsafeBufferPointer { put($0) }
    }

    public mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { put($0) }
    }
}
