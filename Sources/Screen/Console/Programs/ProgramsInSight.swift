import PotluckCore
import PotluckRanks

/// The programs with ranks that a node hears of. The end of a program may never be heard, so one without news leaves
/// the screens.
public struct ProgramsInSight: Sendable, Equatable {
    /// The most programs that are shown at once: a screen has no room for more.
    public static let most = 4
    /// After this time without a picture, screens say so. There are two pictures a second, and a node that lost its
    /// link is usually back sooner.
    static let silentAfter = Duration.seconds(5)
    /// After this time without a picture, a program is not shown any more.
    static let goneAfter = Duration.seconds(30)
    /// How long the end of a program is shown: everybody has looked at the screen by then.
    static let endShown = Duration.seconds(60)
    /// The most programs that are remembered, even if a node floods the session with pictures.
    private static let mostKnown = 16
    /// The most programs that are remembered as over, so that a late picture does not bring one back.
    private static let mostOver = 64

    private struct Entry: Sendable, Equatable {
        let launch: UInt64
        var show: RankShow
        /// When the latest picture came.
        var heard: Instant
        var isOver: Bool { show.state != .running }

        func isInSight(at now: Instant) -> Bool {
            now - heard < (isOver ? ProgramsInSight.endShown : ProgramsInSight.goneAfter)
        }
    }

    /// In the order in which they began.
    private var entries: [Entry] = []
    private var over: [UInt64] = []

    public init() {}

    /// Takes a picture of a program that came at `now`. Returns the news in it.
    public mutating func take(_ launch: UInt64, _ show: RankShow, at now: Instant) -> [ProgramNews] {
        guard !over.contains(launch) else { return [] }
        var news: [ProgramNews] = []
        if let index = entries.firstIndex(where: { $0.launch == launch }) {
            guard !entries[index].isOver else { return [] }
            (entries[index].show, entries[index].heard) = (show, now)
        } else {
            // The end of the one before was shown until now.
            forget { $0.isOver }
            while entries.count >= Self.mostKnown, let silent = entries.min(by: { $0.heard < $1.heard }) {
                forget { $0.launch == silent.launch }
            }
            entries.append(Entry(launch: launch, show: show, heard: now))
            news.append(.began(show))
        }
        if show.state != .running { news.append(.ended(show)) }
        return news
    }

    /// Forgets programs that are out of sight. Returns news that no picture brings: the programs that are silent.
    public mutating func pass(to now: Instant) -> [ProgramNews] {
        let lost = entries.filter { !$0.isOver && !$0.isInSight(at: now) }
        forget { !$0.isInSight(at: now) }
        return lost.map { .lost($0.launch, $0.show) }
    }

    private mutating func forget(_ isGone: (Entry) -> Bool) {
        // A silent program may come back, and its end would be news.
        over = (over + entries.filter { $0.isOver && isGone($0) }.map(\.launch)).suffix(Self.mostOver)
        entries.removeAll(where: isGone)
    }

    /// Whether no program is known, not even one that is over.
    public var isEmpty: Bool { entries.isEmpty }

    /// Whether a program is running, as far as anybody knows.
    public func isRunning(at now: Instant) -> Bool { entries.contains { !$0.isOver && $0.isInSight(at: now) } }

    /// What screens show, the latest program first.
    public func pictures(at now: Instant) -> [ProgramPicture] {
        entries.reversed().filter { $0.isInSight(at: now) }.prefix(Self.most).map { entry in
            let silence = now - entry.heard
            let state: ProgramPicture.State =
                switch entry.show.state {
                case .running: silence >= Self.silentAfter ? .silent(silence) : .running
                case .ended: .ended
                case .failed(let why): .failed(why)
                }
            return ProgramPicture(entry.show, state)
        }
    }

    /// The latest pictures of the programs that run, with the time since they came, for new viewers.
    public func story(at now: Instant) -> [(launch: UInt64, show: RankShow, age: Duration)] {
        entries.filter { !$0.isOver && $0.isInSight(at: now) }.map { ($0.launch, $0.show, max(.zero, now - $0.heard)) }
    }
}
