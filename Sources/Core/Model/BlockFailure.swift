/// A block that no node can compute, which ends its job. It converts to and from the line that all nodes get.
public struct BlockFailure: Hashable, Sendable, CustomStringConvertible {
    public let block: UInt64
    public let seed: UInt64
    /// What happened, as the worker reported it.
    public let text: String

    public init(block: UInt64, seed: UInt64, text: String) {
        self.block = block
        self.seed = seed
        self.text = text
    }

    public var description: String { "it fails at block \(block) with seed \(seed): \(text)" }

    /// Returns why a job failed, for users. The sandbox's text already contains the
    /// seed and the block, so these are not repeated.
    public static func brief(_ why: String) -> String {
        guard let failure = BlockFailure(why),
            failure.text.contains("seed \(failure.seed), block \(failure.block): ")
        else { return why }
        return failure.text
    }

    /// Parses such a line; returns nil for any other text.
    public init?(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: false)
        guard words.count == 8, words[..<4].elementsEqual(["it", "fails", "at", "block"]),
            words[5..<7].elementsEqual(["with", "seed"]), let block = UInt64(words[4])
        else { return nil }
        let rest = words[7].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard rest.count == 2, let seed = UInt64(rest[0]), rest[1].first == " " else { return nil }
        self.init(block: block, seed: seed, text: String(rest[1].dropFirst()))
    }
}
