import PotluckCore
import PotluckRanks

/// What screens and pages show of a program with ranks.
public struct ProgramPicture: Sendable, Equatable {
    public enum State: Sendable, Equatable {
        case running
        /// It may be running, but no picture of it has come for this long.
        case silent(Duration)
        case ended
        case failed(String)
    }

    public enum Standing: Sendable, Equatable, CaseIterable {
        case computes, waits, ended
    }

    public struct Rank: Sendable, Equatable {
        public let number: Int
        public let standing: Standing
    }

    /// A rank that waits, and for how long.
    public struct Wait: Sendable, Equatable {
        public let rank: Int
        public let time: Duration
        /// `rank 3 waits for rank 1, 2.1 s`
        public let words: String
    }

    /// What the ranks on one laptop do.
    public struct Laptop: Sendable, Equatable {
        public let name: String
        public fileprivate(set) var ranks: [Rank] = []
        /// The messages that its ranks have sent, and their bytes.
        fileprivate(set) var messages = 0
        public fileprivate(set) var octets = 0
        /// The longest wait that lasts; nil if none is worth words.
        public fileprivate(set) var wait: Wait?

        public func count(_ standing: Standing) -> Int { ranks.count { $0.standing == standing } }
    }

    public let name: String
    public let launcher: String
    public let state: State
    /// Since the launch.
    public let elapsed: Duration
    /// How many checkpoints are complete.
    let checkpoints: Int
    /// In the order of their first ranks.
    public let laptops: [Laptop]

    public init(_ show: RankShow, _ state: State) {
        (name, launcher, self.state) = (show.name, show.launcher, state)
        (elapsed, checkpoints, laptops) = (show.elapsed, show.checkpoints, Self.laptops(show))
    }

    public var size: Int { laptops.reduce(0) { $0 + $1.ranks.count } }
    var messages: Int { laptops.reduce(0) { $0 + $1.messages } }
    public var octets: Int { laptops.reduce(0) { $0 + $1.octets } }

    /// The longest wait that lasts.
    var wait: Wait? { laptops.compactMap(\.wait).max { ($0.time, $1.rank) < ($1.time, $0.rank) } }

    /// Shorter waits come and go between two pictures.
    private static let leastWait = Duration.milliseconds(500)

    private static func laptops(_ show: RankShow) -> [Laptop] {
        var laptops: [Laptop] = []
        var places: [String: Int] = [:]
        for (rank, row) in show.rows.enumerated() {
            // A program on one machine need not name it.
            let name = show.laptops.indices.contains(rank) ? show.laptops[rank] : show.launcher
            let place = places[name] ?? laptops.count
            if place == laptops.count {
                laptops.append(Laptop(name: name))
                places[name] = place
            }
            laptops[place].add(row, of: rank)
        }
        return laptops
    }

    fileprivate static func isWorthWords(_ time: Duration) -> Bool { time >= leastWait }
}

extension ProgramPicture.Laptop {
    fileprivate mutating func add(_ row: RankRow, of rank: Int) {
        ranks.append(.init(number: rank, standing: .init(row.standing)))
        messages += row.traffic.messagesSent
        octets += row.traffic.octetsSent
        guard case .waits(let cause, let time) = row.standing, ProgramPicture.isWorthWords(time),
            wait.map({ $0.time < time }) ?? true
        else { return }
        wait = .init(rank: rank, time: time, words: "rank \(rank) \(cause.brief), \(Figures.time(time))")
    }
}

extension ProgramPicture.Standing {
    fileprivate init(_ standing: RankRow.Standing) {
        switch standing {
        case .computes: self = .computes
        case .waits: self = .waits
        case .ended: self = .ended
        }
    }
}

extension RankActivity.Cause {
    /// The end of a sentence that begins with the rank. It leaves out details for the program's author.
    var brief: String {
        switch self {
        case .message(let pattern): "waits for " + (pattern.source.map { "rank \($0)" } ?? "any rank")
        case .receiver(let rank): "waits for rank \(rank)"
        case .requests(_, let first): "\(first.brief) or others"
        case .checkpoint: "waits at a checkpoint"
        }
    }
}
