import PotluckChecks
import PotluckKit
import Testing

@testable import PotluckCore

/// Values that an engine cannot handle are refused before they reach it.
@Suite struct JobMessageLimitTests {
    private let spec = JobSamples.spec
    private let end = JobMessage.mostBlocks

    private func experiment(blockSize: UInt64 = 16, parameters: Int = 0, name: String = "a") -> JobMessage {
        let simulation = SimulationIdentity(name: name, source: "", streams: 1)
        let parameters = [UInt64](repeating: 0, count: parameters)
        let experiment = Experiment(simulation: simulation, parameters: parameters, seed: 0, blockSize: blockSize)
        return .job(JobSamples.id, JobSpec(JobRecipe(experiment: experiment, goal: spec.goal)))
    }

    private func goal(_ change: (inout Goal) -> Void) -> JobMessage {
        var goal = Goal()
        change(&goal)
        return .job(JobSamples.id, JobSpec(JobRecipe(experiment: spec.experiment, goal: goal)))
    }

    private func lent(_ blocks: Range<UInt64>) -> JobMessage {
        .lend(JobSamples.id, [LentChunk(attempt: 1, blocks: blocks)])
    }

    private func accepted(_ epoch: UInt64) -> JobMessage {
        let record = JobRecord(
            id: JobSamples.id, spec: [1], simulation: "a", submitter: "ana", acceptedAt: 0, epoch: epoch)
        return .replica(JobSamples.id, [.accepted(record)])
    }

    private func sized(_ size: Int) -> BlobReference? { BlobReference(hash: JobSamples.module.hash, size: size) }

    private static func limits(_ count: Int) -> [ReadingLimit] {
        (0..<count).map { ReadingLimit(reading: "reading \($0)", limit: $0 % 2 == 0 ? .absolute(1) : .relative(0.5)) }
    }

    /// Messages with the largest and smallest values that are allowed.
    private var good: [JobMessage] {
        [
            experiment(), experiment(blockSize: 65_536, parameters: 64), experiment(blockSize: 1),
            experiment(blockSize: 1_048_576), lent(end - 1..<end), lent(0..<end),
            goal { $0.trials = Goal.mostTrials }, goal { $0.precision = .relative(.leastNonzeroMagnitude) },
            goal { $0.precision = .named(Self.limits(Precision.mostNamed)) },
            .failure(JobSamples.id, attempt: 0, block: end - 1, text: ""),
            .job(JobSamples.id, spec, epoch: JobRecord.lastEpoch), accepted(JobRecord.lastEpoch),
        ]
    }

    /// Messages with values that are not.
    private var bad: [JobMessage] {
        [
            experiment(blockSize: 3), experiment(blockSize: 48), experiment(blockSize: 2_097_152),
            experiment(parameters: 65), experiment(name: ""), experiment(name: "a\u{1b}[2J"), lent(0..<0),
            lent(end..<end + 1), lent(0..<end + 1), lent(0..<UInt64.max), lent(5..<5),
            goal { $0.trials = Goal.mostTrials + 1 }, goal { $0.precision = .absolute(0) },
            goal { $0.precision = .absolute(-1) }, goal { $0.precision = .relative(.infinity) },
            goal { $0.precision = .named(Self.limits(1) + Self.limits(1)) },
            goal { $0.precision = .named([ReadingLimit(reading: "a", limit: .absolute(0))]) },
            .failure(JobSamples.id, attempt: 0, block: end, text: ""), .ready(JobID(0)),
            .job(JobSamples.id, spec, epoch: JobRecord.lastEpoch + 1), accepted(JobRecord.lastEpoch + 1),
            accepted(.max),
            .course(JobSamples.id, index: JobMessage.mostCourse, CoursePoint(trials: 1, readings: [])),
            .results(
                JobSamples.id,
                [
                    WorkResult(
                        attempt: 1, end: 1, tally: [UInt64](repeating: 0, count: JobMessage.mostSlots + 1), busy: .zero)
                ]),
            .results(JobSamples.id, [WorkResult(attempt: 1, end: end + 1, tally: [], busy: .zero)]),
            .fetch(JobSamples.module.hash, offset: BlobReference.largest),
            .order(
                JobOrder(
                    JobRecipe(
                        experiment: JobSamples.experiment, goal: Goal(), module: sized(BlobReference.largestModule + 1))
                ), ticket: JobSamples.ticket, token: 1),
            .order(
                JobOrder(
                    JobRecipe(
                        experiment: JobSamples.experiment, goal: Goal(),
                        payload: sized(BlobReference.largestPayload + 1))), ticket: JobSamples.ticket, token: 1),
            .results(
                JobSamples.id,
                [
                    WorkResult(
                        attempt: 1, end: 1, tally: [], busy: .zero, output: sized(BlobReference.largestOutput + 1))
                ]),
            .part(JobSamples.module.hash, offset: 0, octets: []),
            .part(JobSamples.module.hash, offset: 0, octets: [UInt8](repeating: 1, count: JobMessage.longestPart + 1)),
            .lend(JobSamples.id, (0...UInt64(LentChunk.most)).map { LentChunk(attempt: $0, blocks: $0..<$0 + 1) }),
            .drop(JobSamples.id, attempts: Array(0...UInt64(LentChunk.most))),
        ]
    }

    @Test func impossibleMessagesAreRefused() {
        for message in good { #expect((try? Message.decode(message.encoded())) == .job(message)) }
        for message in bad {
            #expect(throws: WireError.self, "\(message)") { try Message.decode(message.encoded()) }
        }
    }
}
