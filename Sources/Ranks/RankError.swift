/// Why a program with ranks ends early.
public enum RankError: Error, Hashable, Sendable {
    /// The number of a call that is wrong.
    public enum Argument: String, Sendable {
        case rank, tag, context, mode, request, count
    }

    /// A number that a rank passed to a call is outside its range.
    case argument(rank: Int, call: String, Argument, Int)
    /// An address outside the rank's memory.
    case address(rank: Int, call: String)
    case tooLong(rank: Int, call: String, octets: Int, most: Int)
    /// A message is longer than the place for it.
    case truncated(rank: Int, RankStatus, capacity: Int)
    case tooManyRequests(rank: Int)
    /// The messages that nobody has received need too much memory.
    case pending(rank: Int)
    /// No rank can continue: each waits, or has ended.
    case deadlock([RankWait])
    /// A rank has messages or requests that are open at a checkpoint.
    case openAtCheckpoint(rank: Int, messages: Int, requests: Int)
    /// A rank calls others before its program has begun.
    case early(rank: Int, call: String)
    /// A rank called abort.
    case aborted(rank: Int, code: Int)
    /// A rank's program ended itself with a code other than 0.
    case failed(rank: Int, code: Int)
    /// A rank crashed, or broke a limit of the sandbox.
    /// The numbers are the places in the module of the crash and of the calls that led there.
    case crashed(rank: Int, String, places: [Int])
    /// Somebody stopped the program.
    case stopped
    /// A letter fits nothing here. Only a program that forges letters sends it.
    case misfit
    /// A node refuses the program, or ends it, for this reason.
    case ended(why: String, code: Int? = nil)
    /// The node of these ranks is gone.
    case lost(ranks: [Int], laptop: String)
}

/// A waiting rank, and what it waits for.
public struct RankWait: Hashable, Sendable {
    public let rank: Int
    let cause: RankActivity.Cause
    /// A rank without which the wait cannot end, and which has ended; nil if there is none.
    let ended: Int?

    public init(rank: Int, cause: RankActivity.Cause, ended: Int?) {
        (self.rank, self.cause, self.ended) = (rank, cause, ended)
    }

    /// The waits of all ranks that wait.
    static func all(_ activities: [RankActivity]) -> [RankWait] {
        activities.enumerated().compactMap { rank, activity in
            guard case .waiting(let cause, _) = activity else { return nil }
            let ended =
                cause == .checkpoint
                ? activities.firstIndex(of: .ended) : cause.rank.flatMap { activities[$0] == .ended ? $0 : nil }
            return RankWait(rank: rank, cause: cause, ended: ended)
        }
    }
}

extension RankError {
    /// The codes with which a program can end in failure.
    static let codes = 1...255

    /// The code that the program chose for its end: that of `MPI_Abort` or `exit`, as `mpirun` has it. It is nil if the
    /// program chose none, or one that no program can end with.
    public var code: Int? {
        switch self {
        case .aborted(_, let code), .failed(_, let code): Self.codes.contains(code) ? code : nil
        case .ended(_, let code): code
        default: nil
        }
    }
}

extension RankError: CustomStringConvertible {
    /// One line that says what went wrong and what to do.
    public var description: String {
        switch self {
        case .argument(let rank, let call, .rank, let number):
            "rank \(rank) calls \(call) with rank \(number), which does not exist"
        case .argument(let rank, let call, .request, let number):
            "rank \(rank) calls \(call) with request \(number), which is not open; a request can be waited for once"
        case .argument(let rank, let call, let argument, let number):
            "rank \(rank) calls \(call) with \(argument.rawValue) \(number), which is not allowed"
        case .address(let rank, let call):
            "rank \(rank) calls \(call) with an address outside its memory"
        case .tooLong(let rank, let call, let octets, let most):
            "rank \(rank) calls \(call) with \(octets) bytes, more than the limit of \(most)"
        case .truncated(let rank, let status, let capacity):
            "rank \(rank) receives \(status.octets) bytes from rank \(status.source) (tag \(status.tag)), but has room for "
                + "\(capacity); make the buffer larger, or probe first"
        case .tooManyRequests(let rank):
            "rank \(rank) has \(RankLimits.requests) open requests; wait for those that are complete"
        case .pending(let rank):
            "rank \(rank) sends more than anybody receives: \(RankLimits.pending >> 30) GiB wait; receive more often, or use "
                + "synchronous sends"
        case .deadlock(let waits): Self.deadlock(waits)
        case .openAtCheckpoint(let rank, let messages, let requests):
            "a checkpoint must find nothing open, but rank \(rank) has not received "
                + "\(Self.count(messages, "message")) and has \(Self.count(requests, "open request")); receive and wait "
                + "for all of them first"
        case .early(let rank, let call): "rank \(rank) calls \(call) before its program has begun"
        case .aborted(let rank, let code): "rank \(rank) aborted the program with code \(code)"
        case .failed(let rank, let code): "rank \(rank) ended with code \(code)"
        case .crashed(let rank, let why, _): "rank \(rank): \(why)"
        case .stopped: "stopped"
        case .misfit: "another node sent what fits nothing; its version may differ, or it is not honest"
        case .ended(let why, _): why
        case .lost(let ranks, let laptop): "\(Self.named(ranks)) lost: the connection to \(laptop) broke"
        }
    }

    private static func count(_ number: Int, _ what: String) -> String {
        "\(number) \(what)\(number == 1 ? "" : "s")"
    }

    /// The beginning of a sentence about ranks.
    private static func named(_ ranks: [Int]) -> String {
        guard ranks.count > 1 else { return "rank \(ranks.first ?? 0) is" }
        let isRow = zip(ranks, ranks.dropFirst()).allSatisfy { $1 == $0 + 1 }
        if isRow, ranks.count > 2 { return "ranks \(ranks[0]) to \(ranks[ranks.count - 1]) are" }
        return "ranks " + ranks.dropLast().map(String.init).joined(separator: ", ")
            + " and \(ranks[ranks.count - 1]) are"
    }

    /// How many waiting ranks a message names: as many as a reader can follow.
    private static let namedWaits = 8

    private static func deadlock(_ waits: [RankWait]) -> String {
        let named = waits.prefix(namedWaits).map {
            "rank \($0.rank) \($0.cause)" + ($0.ended.map { " (rank \($0) has ended)" } ?? "")
        }
        let rest = waits.count - named.count
        return "deadlock: no rank can continue; " + named.joined(separator: "; ")
            + (rest > 0 ? "; and \(rest) more wait" : "")
    }
}
