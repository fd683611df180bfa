import Potluck
import PotluckCore
import PotluckRanks
import PotluckScreen

/// Where the ranks of a program run in a session, as the arguments say.
struct LaunchPlace {
    static let session = Option("session", "SESSION", "start the ranks on the laptops of a session", in: .place) {
        (text) throws(ValueError) -> SessionID in
        guard let id = SessionID(text) else { throw ValueError("not a session name") }
        return id
    }
    static let perNode = Option(
        "ranks-per-node", "N", "start at most N ranks on each laptop", in: .place, default: "one on each core"
    ) { (text) throws(ValueError) -> Int in
        guard let count = Int(text), (1...RankLimits.ranks).contains(count) else {
            throw ValueError("must be from 1 to \(RankLimits.ranks)")
        }
        return count
    }
    static let map = Option(
        "map", "NAME:N,NAME:N", "start N ranks on the laptop of that name; ranks are numbered in this order",
        in: .place, shares)
    static let restarts = Option(
        "restarts", "N", "if a laptop is lost, start again from the last checkpoint, up to N times", in: .place,
        default: "0"
    ) { (text) throws(ValueError) -> Int in
        guard let count = Int(text), (0...mostRestarts).contains(count) else {
            throw ValueError("must be from 0 to \(mostRestarts)")
        }
        return count
    }

    /// The most restarts. A room that loses more laptops has another problem.
    private static let mostRestarts = 100

    static let options = [session.declaration] + ofSession
    /// The options that mean nothing without a session.
    private static let ofSession = [perNode.declaration, map.declaration, restarts.declaration]

    let session: SessionID
    let placement: RankPlacement
    let restarts: Int

    /// Nil for a program on this machine.
    init?(_ arguments: Arguments) throws {
        guard let session = try arguments[Self.session] else {
            try Self.refuseStray(arguments)
            return nil
        }
        self.session = session
        let (perNode, shares) = (try arguments[Self.perNode], try arguments[Self.map])
        switch (perNode, shares) {
        case (nil, nil): placement = .byCores
        case (let count?, nil): placement = .perNode(count)
        case (nil, let shares?):
            let total = shares.reduce(0) { $0 + $1.ranks }
            if let size = try arguments[LaunchCommand.ranks], size != total {
                throw UsageError("\(RankPlacement.PlacementError.otherSize(ranks: size, named: total))")
            }
            placement = .named(shares)
        case (_?, _?): throw UsageError("--map and --ranks-per-node cannot be used together")
        }
        restarts = try arguments[Self.restarts] ?? 0
    }

    /// Throws if an option has no effect on this machine.
    private static func refuseStray(_ arguments: Arguments) throws(UsageError) {
        let stray = (ofSession + StateDirectory.options + GuestSession.options).first {
            arguments.has($0) && arguments.source(of: $0) == "--\($0.name)"
        }
        guard let stray else { return }
        throw UsageError("--\(stray.name) applies to a session; name the session with --session SESSION")
    }

    /// Parses `NAME:N,NAME:N`. A name may contain colons.
    private static func shares(_ text: String) throws(ValueError) -> [RankPlacement.Share] {
        var shares: [RankPlacement.Share] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let colon = part.lastIndex(of: ":"), let ranks = Int(part[part.index(after: colon)...].trimmed) else {
                throw ValueError("use NAME:N,NAME:N, such as ana:4,bob:2")
            }
            let name = part[..<colon].trimmed
            guard !name.isEmpty else { throw ValueError("use NAME:N,NAME:N, such as ana:4,bob:2") }
            guard (1...RankLimits.ranks).contains(ranks) else {
                throw ValueError("a laptop gets from 1 to \(RankLimits.ranks) ranks")
            }
            guard !shares.contains(where: { $0.name == name }) else {
                throw ValueError("\(Spelling.quoted(name)) occurs twice")
            }
            shares.append(RankPlacement.Share(name: name, ranks: ranks))
        }
        let total = shares.reduce(0) { $0 + $1.ranks }
        guard total <= RankLimits.ranks else {
            throw ValueError("it has \(total) ranks; a program has at most \(RankLimits.ranks)")
        }
        return shares
    }
}
