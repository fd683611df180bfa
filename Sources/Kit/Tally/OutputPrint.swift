/// What a gathering wrote, told by a field of its tally: how many octets, and four sums of hashes, one hash for each block.
///
/// Sums merge in any order, so this goes wherever a tally goes, and whoever holds the octets of the blocks can show that they
/// are the ones that were counted. Four of them, because of one a liar could look for blocks that add up to the right sum: with
/// 1024 bits and some hundred blocks that takes more than 2¹⁰⁰ tries. See docs/decisions/0044-gatherings.md.
@frozen public struct OutputPrint: Accumulator, Equatable {
    public var octets: UInt64 = 0
    var first = ExactSum()
    var second = ExactSum()
    var third = ExactSum()
    var fourth = ExactSum()

    public init() {}

    /// Words in each of the four hashes.
    public static var words: Int { 4 }

    /// A block with so many octets; each hash has four words.
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
