import PotluckSimulation
import PotluckSystem

/// Hands out seeds to the threads, and adds up the outcomes of the schedules.
final class Board: Sendable {
    /// The number of seeds for one process: few enough that all processes end at about the same time, and enough that
    /// starting one is cheap in comparison.
    private static let batch: UInt64 = 64

    private let left: Guarded<Range<UInt64>>
    let sum: Guarded<Sum>

    init(first: UInt64, count: UInt64) {
        let (end, overflow) = first.addingReportingOverflow(count)
        left = Guarded(first..<(overflow ? .max : end))
        sum = Guarded(Sum())
    }

    /// Returns the next seeds, or nil if none are left.
    func next() -> Range<UInt64>? {
        left.with { left in
            guard !left.isEmpty else { return nil }
            let end = left.lowerBound + min(Self.batch, left.upperBound - left.lowerBound)
            defer { left = end..<left.upperBound }
            return left.lowerBound..<end
        }
    }
}

/// The outcome of one schedule. A child process writes it as a line for its parent.
struct Tallied {
    /// The first word of such a line. All other lines are for people.
    private static let word = "outcome"

    let seed: UInt64
    let isWrong: Bool
    let hash: UInt64
    /// The figures of a sweep's report.
    let figures: [Int]

    init(_ outcome: Schedule.Outcome) {
        seed = outcome.seed
        isWrong = outcome.failure != nil
        hash = outcome.hash
        figures = [
            outcome.jobs, outcome.finished, outcome.failed, outcome.chunks, outcome.outputs, outcome.events,
            outcome.lies, outcome.caught, Int(outcome.time.components.seconds),
        ]
    }

    init(_ outcome: RankSchedule.Outcome) {
        seed = outcome.seed
        isWrong = outcome.failure != nil
        hash = outcome.hash
        let ends = RankSchedule.Outcome.End.allCases.map { $0 == outcome.end && outcome.failure == nil ? 1 : 0 }
        let counts = [
            outcome.messages, outcome.letters, outcome.checkpoints, outcome.restarts, outcome.forged, outcome.events,
        ]
        figures = ends + counts
    }

    /// Returns nil for any other line.
    init?(_ line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard words.count == 4 + Sum.figures, words[0] == Self.word, let seed = UInt64(words[1]),
            let hash = UInt64(words[3])
        else { return nil }
        self.seed = seed
        isWrong = words[2] != "0"
        self.hash = hash
        figures = words[4...].compactMap { Int($0) }
        guard figures.count == Sum.figures else { return nil }
    }

    var line: String {
        "\(Self.word) \(seed) \(isWrong ? 1 : 0) \(hash) " + figures.map(String.init).joined(separator: " ")
    }
}

/// The totals of a sweep.
struct Sum {
    static let figures = 9

    private(set) var runs = 0
    private(set) var failures = 0
    private var figures = [Int](repeating: 0, count: Self.figures)
    /// The sum of the hashes, which does not depend on the order of outcomes.
    private var hash: UInt64 = 0

    mutating func add(_ tallied: Tallied) {
        runs += 1
        failures += tallied.isWrong ? 1 : 0
        for index in figures.indices { figures[index] += tallied.figures[index] }
        hash &+= tallied.hash
    }

    /// Counts a schedule in which the engine trapped.
    mutating func addTrapped() {
        runs += 1
        failures += 1
    }

    func report(_ sweep: Sweep) -> String {
        let digits = String(hash, radix: 16)
        return """
            \(runs) schedules, \(failures) failed: \(sweep.report(figures))
            trace hash \(String(repeating: "0", count: 16 - digits.count))\(digits)
            """
    }
}
