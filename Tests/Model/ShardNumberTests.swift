import PotluckCore
import Testing

@Suite struct ShardNumberTests {
    /// The parts are the blocks, each once and in order, and differ by one block at most.
    @Test func theyAreTheWhole() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let first = random.next(below: 1000)
            let size = random.next(below: [3, 100, 1 << 59][Int(random.next(below: 3))])
            let blocks = first..<first + size
            let count = Int(1 + random.next(below: 50))
            let parts = try (1...count).map { try #require(ShardNumber($0, of: count)).part(of: blocks) }
            #expect(parts.first?.lowerBound == blocks.lowerBound && parts.last?.upperBound == blocks.upperBound)
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
            let sizes = parts.map(\.count)
            #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
        }
    }

    @Test func impossibleOnesAreNone() {
        #expect(ShardNumber(0, of: 3) == nil && ShardNumber(4, of: 3) == nil && ShardNumber(1, of: 0) == nil)
        #expect(ShardNumber(1, of: ShardNumber.most + 1) == nil)
        #expect(ShardNumber(ShardNumber.most, of: ShardNumber.most)?.part(of: 0..<10) == 9..<10)
    }
}
