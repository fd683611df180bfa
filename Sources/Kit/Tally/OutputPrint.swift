/// The print of a gathering's output, as a field of its tally: the number of bytes, and
/// four sums of hashes. Each block adds one hash to each sum.
///
/// Sums merge in any order, so a print merges like any tally. A node with the bytes of the blocks can
/// prove that they are the ones that were counted. There are four sums because a dishonest node could
/// search for blocks with the right single sum. With 1024 bits and some hundred blocks that takes more
/// than 2¹⁰⁰ attempts. See docs/decisions/0044-gatherings.md.
@frozen public struct OutputPrint: Accumulator, Equatable {
    /// The number of bytes of output. It stays at 2⁶⁴ − 1 on overflow.
    public var octets: UInt64 = 0
    var first = ExactSum()
    var second = ExactSum()
    var third = ExactSum()
    var fourth = ExactSum()

    /// Creates the print of no output.
    public init() {}

    /// The number of 64-bit words in each of the four hashes.
    public static var words: Int { 4 }

    /// Adds a block with this number of bytes and its four hashes of four words each.
    public mutating func add(octets: UInt64, hashes: [[UInt64]]) {
        precondition(hashes.count == 4 && hashes.allSatisfy { $0.count == Self.words }, "four hashes of four words")
        let (sum, overflow) = self.octets.addingReportingOverflow(octets)
        self.octets = overflow ? .max : sum
        first.join(hashes[0][0], hashes[0][1], hashes[0][2], hashes[0][3])
        second.join(hashes[1][0], hashes[1][1], hashes[1][2], hashes[1][3])
        third.join(hashes[2][0], hashes[2][1], hashes[2][2], hashes[2][3])
        fourth.join(hashes[3][0], hashes[3][1], hashes[3][2], hashes[3][3])
    }

    public static var kind: FieldKind { .print }
    public static func rules(_ add: (SlotRule, Int) -> Void) {
        add(.count, 1)
        add(.sum, 4)
    }

    public func write(_ slots: inout SlotWriter) {
        slots.put(octets)
        for sum in [first, second, third, fourth] { sum.write(&slots) }
    }

    public mutating func read(_ slots: inout SlotReader) {
        octets = slots.take()
        first.read(&slots)
        second.read(&slots)
        third.read(&slots)
        fourth.read(&slots)
    }
}
