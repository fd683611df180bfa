import PotluckSimulator
import PotluckSystem

/// Hands out seeds to threads, and adds up what came of them.
final class Board: Sendable {
    private let left: Guarded<Range<UInt64>>
    let sum: Guarded<Sum>

    init(first: UInt64, count: UInt64) {
        let (end, overflow) = first.addingReportingOverflow(count)
        left = Guarded(first..<(overflow ? .max : end))
        sum = Guarded(Sum())
    }

    func next() -> UInt64? { left.with { $0.popFirst() } }
}

struct Sum {
    private(set) var runs = 0
    private(set) var failures = 0
    private var jobs = 0
    private var finished = 0
    private var failed = 0
    private var chunks = 0
    private var outputs = 0
    private var events = 0
    private var lies = 0
    private var caught = 0
    private var seconds = 0.0
    /// The same in whatever order they came.
    private var hash: UInt64 = 0

    mutating func add(_ outcome: Schedule.Outcome) {
        runs += 1
        failures += outcome.failure == nil ? 0 : 1
        jobs += outcome.jobs
        finished += outcome.finished
        failed += outcome.failed
        chunks += outcome.chunks
        outputs += outcome.outputs
        events += outcome.events
        lies += outcome.lies
        caught += outcome.caught
        seconds += Double(outcome.time.components.seconds)
        hash &+= outcome.hash
    }

    var report: String {
        let digits = String(hash, radix: 16)
        return """
            \(runs) schedules, \(failures) of them wrong: \(jobs) jobs, \(finished) finished and \(failed) rightly failed; \
            \(chunks) chunks, \(outputs) files, \(lies) lies, \(caught) times a liar found out; \(events) events in \
            \(Int(seconds / 3600)) virtual hours
            trace hash \(String(repeating: "0", count: 16 - digits.count))\(digits)
            """
    }
}
