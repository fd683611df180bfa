/// Why a job failed.
public enum JobFailure: Hashable, Sendable {
    /// No node can compute a block.
    case block(BlockFailure)
    /// Another reason, in one line for users.
    case other(String)

    /// The block that no node can compute; nil if that is not the reason.
    public var block: BlockFailure? { if case .block(let failure) = self { failure } else { nil } }

    /// The reason for users who see it beside the job: each number is said once.
    public var brief: String { block?.brief ?? description }
}

extension JobFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .block(let failure): failure.description
        case .other(let why): why
        }
    }
}

extension JobFailure: ExpressibleByStringInterpolation {
    public init(stringLiteral why: String) { self = .other(why) }
}

/// A block that no node can compute.
public struct BlockFailure: Hashable, Sendable, CustomStringConvertible {
    public var block: UInt64
    var seed: UInt64
    /// What happened, as the worker reported it.
    public var text: String

    public init(block: UInt64, seed: UInt64, text: String) {
        (self.block, self.seed, self.text) = (block, seed, text)
    }

    public var description: String { "it fails at block \(block) with seed \(seed): \(text)" }

    /// The sandbox's text already contains the seed and the block.
    fileprivate var brief: String { text.contains("seed \(seed), block \(block): ") ? text : description }
}
