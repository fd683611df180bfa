import PotluckCore
import PotluckScreen

/// The value of `--shard`.
package struct ShardChoice: Equatable {
    package enum Number: Equatable {
        case given(ShardNumber)
        /// As the batch engine says. `count` is the number of tasks, if the user gave it.
        case auto(count: Int?)
    }

    package let number: Number
    /// The blocks that the shards share; nil for all blocks of the job. `potluck campaign` writes them.
    package let round: Range<UInt64>?

    private static let form = "use I/N, for example 1/8 for the first of eight, or auto"

    /// Parses `3/8`, `auto` or `auto/8`, each with `@FIRST..END` after it if a round has these blocks.
    package init(_ text: String) throws(ValueError) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        round = parts.count > 1 ? try Self.round(parts[1]) : nil
        let numbers = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        let count = numbers.count == 2 ? Self.number(numbers[1]) : nil
        guard numbers.count == 1 || count != nil, numbers.count <= 2 else { throw ValueError(Self.form) }
        if numbers[0] == "auto" {
            guard count.map({ (1...ShardNumber.most).contains($0) }) ?? true else { throw Self.bounds }
            number = .auto(count: count)
        } else {
            guard let index = Self.number(numbers[0]), let count else { throw ValueError(Self.form) }
            guard let shard = ShardNumber(index, of: count) else {
                throw 1...ShardNumber.most ~= count
                    ? ValueError("the first number must be from 1 to \(count)") : Self.bounds
            }
            number = .given(shard)
        }
    }

    private static let bounds = ValueError("the number of shards must be from 1 to \(ShardNumber.most)")

    private static func round(_ text: Substring) throws(ValueError) -> Range<UInt64> {
        let ends = text.split(separator: ".", omittingEmptySubsequences: false)
        guard ends.count == 3, ends[1].isEmpty, let first = UInt64(ends[0]), let end = UInt64(ends[2]), first < end
        else { throw ValueError("use I/N@FIRST..END, as 'potluck campaign' prints it") }
        return first..<end
    }

    private static func number(_ text: Substring) -> Int? {
        // `Int` would also take a sign.
        text.allSatisfy { ("0"..."9").contains($0) } ? Int(text) : nil
    }
}
