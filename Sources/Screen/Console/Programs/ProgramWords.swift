import PotluckCore
import PotluckRanks

/// The words about a program with ranks, for screens, pages and lines.
extension ProgramPicture {
    /// `heat by ana`
    package var title: String { "\(name) by \(launcher)" }

    /// What the program does or how it ended, in one sentence. A line may end after each of its pieces.
    package var sentence: [String] {
        let words: [String] =
            switch state {
            case .running: ["\(title):"]
            case .silent: ["\(title):", detail ?? ""]
            case .ended: ["\(title)", "has", "\(detail ?? ""):"]
            case .failed: ["\(title)", detail ?? ""]
            }
        let last = facts.count - 1
        let counted = facts.enumerated().map { $0 < last ? "\($1)," : $1 }
        return words.flatMap { $0.split(separator: " ").map(String.init) } + (isCounted ? counted : [])
    }

    /// Whether the sentence ends with the facts. They would hide that the program failed or is silent.
    private var isCounted: Bool { state == .running || state == .ended }

    /// `8 ranks on 3 laptops`, `1 234 messages`, `56 MB`, `12 s`
    package var facts: [String] {
        var parts = [
            "\(Self.count(size, "rank")) on \(Self.count(laptops.count, "laptop"))", Self.count(messages, "message"),
            Figures.size(octets),
        ]
        if checkpoints > 0 { parts.append(Self.count(checkpoints, "checkpoint")) }
        if state == .running { parts.append(Figures.rough(elapsed)) }
        return parts
    }

    /// How the program ended, or that nothing is known of it; nil while it runs.
    package var detail: String? {
        let after = elapsed > .zero ? " after \(Figures.time(elapsed))" : ""
        return switch state {
        case .running: nil
        case .silent(let time): "no news for \(Figures.rough(time))"
        case .ended: "ended\(after)"
        case .failed(RankError.stopped.description): "was stopped\(after)"
        case .failed(let why): "failed\(after): \(why)"
        }
    }

    package static func count(_ count: Int, _ what: String) -> String {
        "\(Figures.grouped(UInt64(clamping: count))) \(what)\(count == 1 ? "" : "s")"
    }
}

extension ProgramPicture.Laptop {
    /// `2 compute, 1 waits, 12 MB sent`
    package var facts: String {
        let counts = ProgramPicture.Standing.allCases.compactMap { standing in
            let count = count(standing)
            return count > 0 ? "\(count) \(standing.words(count))" : nil
        }
        return (counts + ["\(Figures.size(octets)) sent"]).joined(separator: ", ")
    }

    /// The numbers of its ranks: `0–3, 8`.
    var numbers: String {
        var runs: [ClosedRange<Int>] = []
        for rank in ranks.map(\.number) {
            if let last = runs.last, last.upperBound + 1 == rank {
                runs[runs.count - 1] = last.lowerBound...rank
            } else {
                runs.append(rank...rank)
            }
        }
        return runs.map { run in
            switch run.count {
            case 1: "\(run.lowerBound)"
            case 2: "\(run.lowerBound), \(run.upperBound)"
            default: "\(run.lowerBound)–\(run.upperBound)"
            }
        }.joined(separator: ", ")
    }
}

extension ProgramPicture.Standing {
    fileprivate func words(_ count: Int) -> String {
        switch self {
        case .computes: count == 1 ? "computes" : "compute"
        case .waits: count == 1 ? "waits" : "wait"
        case .ended: count == 1 ? "has ended" : "have ended"
        }
    }
}

/// A program with ranks began or ended, in the words of a log.
public enum ProgramNews: Sendable, Equatable {
    case began(RankShow)
    case ended(RankShow)
    /// No news of the program has come for so long that it does not count as running any more.
    case lost(UInt64, RankShow)

    public var words: String {
        switch self {
        case .began(let show):
            return "\(show.launcher) runs \(show.name) on \(ProgramPicture.count(show.rows.count, "rank"))"
        case .ended(let show):
            switch show.state {
            case .failed(let why): return "\(show.name) failed: \(why)"
            case .running, .ended:
                let picture = ProgramPicture(show, .ended)
                return "\(show.name) has \(picture.detail ?? ""): \(picture.facts.joined(separator: ", "))"
            }
        case .lost(_, let show):
            return "no news of \(show.name) by \(show.launcher) for \(Figures.rough(ProgramsInSight.goneAfter))"
        }
    }

    public var ink: Ink {
        switch self {
        case .began: .plain
        case .ended(let show): show.state == .ended ? .good : .bad
        case .lost: .warning
        }
    }

    /// Whether the program is over. While it runs, the screen shows it anyway.
    public var isEnd: Bool { if case .began = self { false } else { true } }
}
