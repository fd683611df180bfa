/// What a run took from files.
public struct RecordedFiles: Sendable, Hashable {
    /// The SHA-256 of all of them, as it follows the parameters in an experiment: four slots.
    public let hash: [UInt64]
    /// Those that were given; none where it is not known any more.
    public let inputs: [RecordedInput]

    public init(hash: [UInt64], inputs: [RecordedInput]) {
        self.hash = hash
        self.inputs = inputs
    }

    /// 256 bits.
    public static let hashSlots = 4

    /// An experiment's parameters in two: those that people set, and the hash of the files where it took some.
    static func split(_ slots: [UInt64], after named: Int) -> (own: [UInt64], hash: [UInt64]) {
        guard slots.count == named + hashSlots else { return (slots, []) }
        return (Array(slots.prefix(named)), Array(slots.suffix(hashSlots)))
    }

    /// 64 hexadecimal digits, in the order in which everybody writes them.
    public var digits: String {
        hash.flatMap { slot in withUnsafeBytes(of: slot.littleEndian, Array.init) }.hexadecimal
    }
}

/// A file, by the name that the simulation's author has for what is in it.
public struct RecordedInput: Sendable, Hashable {
    public let name: String
    /// As it was typed.
    public let path: String
    public let rows: Int
    public let columns: Int

    public init(name: String, path: String, rows: Int, columns: Int) {
        self.name = name
        self.path = path
        self.rows = rows
        self.columns = columns
    }
}
