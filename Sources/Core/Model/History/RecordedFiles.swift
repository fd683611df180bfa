/// The files that a run read.
public struct RecordedFiles: Sendable, Hashable {
    /// The SHA-256 of all files: the four slots that follow the parameters in an experiment.
    public let hash: [UInt64]
    /// The files that were given; empty if they are not known any more.
    public let inputs: [RecordedInput]

    public init(hash: [UInt64], inputs: [RecordedInput]) {
        self.hash = hash
        self.inputs = inputs
    }

    /// A hash of 256 bits takes four slots.
    public static let hashSlots = 4

    /// Splits an experiment's parameters into those that users set and the hash of
    /// the files. The hash is empty if there were no files.
    static func split(_ slots: [UInt64], after named: Int) -> (own: [UInt64], hash: [UInt64]) {
        guard slots.count == named + hashSlots else { return (slots, []) }
        return (Array(slots.prefix(named)), Array(slots.suffix(hashSlots)))
    }

    /// 64 hexadecimal digits, in the usual order.
    public var digits: String {
        hash.flatMap { slot in withUnsafeBytes(of: slot.littleEndian, Array.init) }.hexadecimal
    }
}

/// A file that a run read, with the simulation's name for this input.
public struct RecordedInput: Sendable, Hashable {
    public var name: String
    /// The path as the user typed it.
    public var path: String
    public var rows: Int
    public var columns: Int

    public init(name: String, path: String, rows: Int, columns: Int) {
        self.name = name
        self.path = path
        self.rows = rows
        self.columns = columns
    }
}
