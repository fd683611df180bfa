/// A block that no node can compute, which ends its job: the line that everybody is told, and what it says.
public struct BlockFailure: Hashable, Sendable, CustomStringConvertible {
    public let block: UInt64
    public let seed: UInt64
    /// What happened, as the worker said it.
    public let text: String

    public init(block: UInt64, seed: UInt64, text: String) {
        self.block = block
        self.seed = seed
        self.text = text
    }

    public var description: String { "it fails at block \(block) with seed \(seed): \(text)" }

    /// Why a job failed, for people: the sandbox names seed and block itself, and they are not said twice.
    public static func brief(_ why: String) -> String {
        guard let failure = BlockFailure(why),
            failure.text.contains("seed \(failure.seed), block \(failure.block): ")
        else { return why }
        return failure.text
    }

    /// Of such a line; nil for one that says something else.
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
