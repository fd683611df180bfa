import PotluckCore
import PotluckKit

/// The beginning of a job in slow motion, so that a class sees how its value settles from the first trial on: 1 trial, 2, 5, 10 and
/// so on, each shown for a while. They are the first trials of the job itself, which its coordinator computes alone. The job then
/// computes all of its trials as ever, so only the pace differs.
struct Opening: Sendable {
    /// The numbers of trials that are still to be shown, in order.
    private var left: [UInt64]
    /// Whether the trials and readings of the first of them were asked for.
    private var isAsked = false
    /// Until when the latest picture is shown; nil before the first one.
    private var end: Instant?
    /// Whether it has begun.
    private(set) var hasBegun = false

    /// No opening.
    init() { left = [] }

    /// The opening of a job that wants so many trials; nil means that it has no such limit.
    init(blockSize: UInt64, wanted: UInt64?) { left = Self.steps(before: min(blockSize, wanted ?? .max)) }

    /// The numbers of trials that are shown: fewer than a block has and the job wants. A block takes some milliseconds, so these
    /// few take no time.
    static func steps(before most: UInt64) -> [UInt64] {
        var steps: [UInt64] = []
        var power: UInt64 = 1
        while power < most {
            steps += [1, 2, 5].map { $0 * power }.filter { $0 < most }
            power *= 10
        }
        return steps
    }

    /// Whether everything was shown for long enough.
    func isOver(_ now: Instant) -> Bool { left.isEmpty && end.map { $0 <= now } ?? true }

    /// Returns the number of trials to ask for, once the picture before was shown for long enough; nil if nothing is due.
    mutating func next(_ now: Instant) -> UInt64? {
        guard !isAsked, end.map({ $0 <= now }) ?? true, let next = left.first else { return nil }
        (isAsked, hasBegun) = (true, true)
        return next
    }

    /// Readings have come. Returns false if they were not asked for.
    mutating func took(_ trials: UInt64, _ now: Instant) -> Bool {
        guard isAsked, trials == left.first else { return false }
        isAsked = false
        left.removeFirst()
        end = now + JobLimits.openingStep
        return true
    }

    /// Leaves out the rest.
    mutating func giveUp() { (left, isAsked, end) = ([], false, nil) }

    /// When `next` has something to do; nil while readings are awaited.
    var wakeTime: Instant? { isAsked ? nil : end }
}

/// Shows the first trials of a job before it computes.
extension JobRun {
    /// Asks for the trials that are due. After the last of them the job takes its turn as one that waits.
    mutating func advanceOpening(_ turn: inout Turn) {
        guard case .opening = phase else { return }
        if display.opening.isOver(turn.now) { phase = .waiting(.simulation) }
        guard let trials = display.opening.next(turn.now) else { return }
        turn.act(.read(ReadRequest(job: id, tally: [], trials: trials, purpose: .opening)))
    }

    /// Shows the first trials. Without readings a trial failed: the job will say why.
    mutating func opened(
        _ request: ReadRequest, _ readings: [Reading], _ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn
    ) {
        // A user may have cancelled the job meanwhile.
        guard phase.mayOpen, display.opening.took(request.trials, turn.now) else { return }
        guard !readings.isEmpty else {
            display.opening.giveUp()
            return advanceOpening(&turn)
        }
        note(request, readings, &turn)
        evaluation.latest = (request, readings)
        display.showOthersSoon(turn.now)
        publish(workers, &turn)
    }
}

extension JobRun.Phase {
    /// Whether an opening may be under way.
    fileprivate var mayOpen: Bool {
        switch self {
        case .opening, .paused: true
        case .waiting, .running, .stopping, .filling, .concluding, .over: false
        }
    }
}
