import PotluckCore
import PotluckSystem
import Testing

@testable import Potluck
@testable import PotluckCommand
@testable import PotluckScreen

/// A session may take an order and its answer may be lost. Each point of a sweep still has one job, and one result.
@Suite struct SweepAnswerTests {
    /// When the place tells of the job whose answer it lost.
    enum Told: Sendable, CaseIterable {
        /// The result, before the sweep knows that the answer is lost.
        case beforeTheLoss
        /// The result, after that.
        case afterTheLoss
        /// A picture after that, and then the result.
        case inTwoSteps
        /// The result, once the order has come again.
        case afterTheSecondOrder
    }

    /// Keeps one job for each order, as a coordinator does, and loses the first answer to each.
    private final class Place: SessionClient {
        private struct State: Sendable {
            var jobs: [JobOrder] = []
            var orders = 0
            var cancelled = 0
        }
        private let state = Guarded(State())
        private let told: Told
        private let tell: @Sendable (ClientEvent) -> Void

        init(_ told: Told, _ tell: @escaping @Sendable (ClientEvent) -> Void) { (self.told, self.tell) = (told, tell) }

        var counts: (jobs: Int, orders: Int, cancelled: Int) {
            state.with { ($0.jobs.count, $0.orders, $0.cancelled) }
        }

        func submit(_ order: JobOrder, _ ticket: JobTicket) async throws(JobError) -> JobID {
            let (index, isNew) = state.with { state in
                state.orders += 1
                if let index = state.jobs.firstIndex(of: order) { return (index, false) }
                state.jobs.append(order)
                return (state.jobs.count - 1, true)
            }
            let id = JobID(UInt64(index + 1))
            guard isNew else {
                if told == .afterTheSecondOrder { tell(.job(finished(id, order))) }
                return id
            }
            switch told {
            case .beforeTheLoss: tell(.job(finished(id, order)))
            case .afterTheLoss: Task { tell(.job(finished(id, order))) }
            case .inTwoSteps:
                Task {
                    tell(.job(.snapshot(picture(id, order))))
                    tell(.job(finished(id, order)))
                }
            case .afterTheSecondOrder: break
            }
            throw JobError("no answer within 30 s; the connection may be lost")
        }

        private func finished(_ id: JobID, _ order: JobOrder) -> JobEvent {
            let spec = JobSpec(JobRecipe(experiment: order.experiment, goal: order.goal))
            let result = JobResult(
                spec: spec, trials: 10, tally: [1], readings: [], completion: .trials, elapsed: .seconds(1), nodes: [])
            return .finished(id, result, isOurs: false)
        }

        private func picture(_ id: JobID, _ order: JobOrder) -> JobSnapshot {
            JobSnapshot(
                JobSpec(JobRecipe(experiment: order.experiment, goal: order.goal)),
                JobPicture(id: id, submitter: "eve", state: .running, trials: 5, elapsed: .seconds(1)))
        }

        func command(_ command: JobCommand, _ job: JobID, _ ticket: JobTicket?) async throws(JobError) {
            state.with { $0.cancelled += 1 }
        }
        func output(of job: JobID, _ result: JobResult) async throws(JobError) -> JobOutput {
            throw JobError("a point has no output")
        }
        func leave() async {}
    }

    @Test(arguments: Told.allCases) func aLostAnswerMakesNoSecondJob(told: Told) async throws {
        let words = ["run", "monty-hall", "--trials", "10", "-p", "doors=3..5", "--seed", "7", "--ephemeral"]
        guard case .run(_, let arguments) = try Main.program.parse(words) else {
            Issue.record("these words run a sweep")
            return
        }
        let sweep = try #require(try Sweep(try ChosenSimulation(arguments), arguments))
        let place = Guarded<Place?>(nil)
        let work = await SessionSweep.start(
            .init(sweep, Array(sweep.points.indices), arguments), in: try #require(SessionID("Monty")), ended: {},
            at: { tell in
                let new = Place(told, tell)
                place.with { $0 = new }
                tell(.link(true))
                return new
            })
        var ended: [Int] = []
        for await news in work.news {
            switch news {
            case .ended(let index, _): ended.append(index)
            case .progress, .stopped: break
            case .failed(_, let why), .broken(let why): Issue.record("\(why)")
            }
        }
        #expect(ended.sorted() == Array(sweep.points.indices))
        let counts = try #require(place.with { $0 }).counts
        #expect(counts.jobs == sweep.points.count && counts.cancelled == 0)
    }
}
