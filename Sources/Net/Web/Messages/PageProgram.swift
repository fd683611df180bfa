import PotluckCore

/// A picture of a program with ranks for a page.
public struct PageProgram: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        case running, silent, ended, failed
    }

    public struct Rank: Sendable, Equatable {
        public enum State: String, Sendable, CaseIterable {
            case computes, waits, ended
        }

        public let number: Int
        public let state: State

        public init(number: Int, state: State) { (self.number, self.state) = (number, state) }
    }

    public struct Laptop: Sendable, Equatable {
        public let name: String
        /// The activities of its ranks and the bytes that they have sent, in words.
        let facts: String
        /// Its longest wait, in words; nil if no rank waits long.
        let wait: String?
        /// Nil if the program has too many to show each.
        let ranks: [Rank]?

        public init(name: String, facts: String, wait: String?, ranks: [Rank]?) {
            (self.name, self.facts, self.wait, self.ranks) = (name, facts, wait, ranks)
        }
    }

    public let name: String
    let launcher: String
    public let state: State
    /// How it ended, or that no news come; nil while it runs.
    let detail: String?
    /// Its size and the bytes that it has sent, in words.
    let facts: [String]
    /// Empty unless it runs.
    let laptops: [Laptop]
    /// How many laptops are left out.
    let more: Int

    public init(
        name: String, launcher: String, state: State, detail: String?, facts: [String], laptops: [Laptop], more: Int
    ) {
        (self.name, self.launcher, self.state, self.detail) = (name, launcher, state, detail)
        (self.facts, self.laptops, self.more) = (facts, laptops, more)
    }

    public var json: JSON {
        [
            "name": .string(name), "launcher": .string(launcher), "state": .string(state.rawValue),
            "detail": JSON(detail), "facts": JSON(facts.map(JSON.string)), "laptops": JSON(laptops.map(\.json)),
            "more": JSON(more),
        ]
    }
}

extension PageProgram.Laptop {
    fileprivate var json: JSON {
        [
            "name": .string(name), "facts": .string(facts), "wait": JSON(wait),
            "ranks": ranks.map { ranks in
                JSON(ranks.map { .array([JSON($0.number), .string($0.state.rawValue)]) })
            } ?? .null,
        ]
    }
}
