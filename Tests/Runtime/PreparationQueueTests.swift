import Dispatch
import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckSystem
import Testing

@testable import Potluck

/// What one simulation that is slow to prepare, or never ready, means for the others.
@Suite struct PreparationQueueTests {
    private static let done: Simulations.Prepared = (nil, .impossible("done"))

    /// Waits for what the preparation of one simulation comes to.
    private static func outcome(
        _ queue: PreparationQueue, _ prepare: @escaping @Sendable () -> Simulations.Prepared = { done }
    ) async -> String {
        await withCheckedContinuation { told in
            queue.add("sample", prepare) { prepared in
                if case .impossible(let why) = prepared.what { told.resume(returning: why) }
            }
        }
    }

    @Test func theyArePreparedInTheirOrder() async {
        let queue = PreparationQueue(.init(patience: .seconds(1000), deadline: nil))
        let order = Guarded<[Int]>([])
        for number in 0..<100 {
            queue.add("sample") {
                order.with { $0.append(number) }
                return Self.done
            } done: { _ in
            }
        }
        #expect(await Self.outcome(queue) == "done")
        #expect(order.with { $0 } == Array(0..<100))
    }

    /// The first ends only when the second is done.
    @Test func aSlowOneDoesNotBlockTheNext() async {
        let queue = PreparationQueue(.init(patience: .milliseconds(1), deadline: nil))
        let isDone = DispatchSemaphore(value: 0)
        async let slow = Self.outcome(queue) {
            isDone.wait()
            return Self.done
        }
        #expect(await Self.outcome(queue) == "done")
        isDone.signal()
        #expect(await slow == "done")
    }

    /// Those that never end are given up, with a reason. A few of them leave the queue to the others, and when there
    /// are too many a node says that it has to be restarted.
    @Test func oneThatNeverEndsIsGivenUp() async {
        let queue = PreparationQueue(.init(patience: .seconds(1000), deadline: .milliseconds(5)))
        let end = DispatchSemaphore(value: 0)
        let stuck: @Sendable () -> Simulations.Prepared = {
            end.wait()
            return Self.done
        }
        for _ in 0..<PreparationQueue.mostGivenUp {
            #expect(await Self.outcome(queue, stuck).hasPrefix("sample was not ready after"))
        }
        #expect(await Self.outcome(queue).contains("restart its potluck"))
        for _ in 0..<PreparationQueue.mostGivenUp { end.signal() }
        // When they end after all, the queue takes simulations again.
        var outcome = ""
        while outcome != "done" { outcome = await Self.outcome(queue) }
    }

    /// A laptop that was busy for a while computes in the end.
    @Test func oneThatIsReadyLateIsReady() async {
        let queue = PreparationQueue(.init(patience: .seconds(1000), deadline: .milliseconds(5)))
        let end = DispatchSemaphore(value: 0)
        let facts = JobFacts(layout: TallyLayout(of: SearchTally.self), blockSize: 1, title: JobTitle())
        let outcomes = AsyncStream<String> { told in
            queue.add("sample") {
                end.wait()
                return (nil, .ready(facts))
            } done: { prepared in
                guard case .impossible(let why) = prepared.what else {
                    told.yield("ready")
                    return told.finish()
                }
                told.yield(why)
                end.signal()
            }
        }
        let all = await outcomes.reduce(into: []) { $0.append($1) }
        #expect(all.count == 2 && all[0].hasPrefix("sample was not ready after") && all[1] == "ready")
    }

    /// What waits when there are too many hears that, too: its turn would never come.
    @Test func nothingWaitsForEver() async {
        let queue = PreparationQueue(.init(patience: .milliseconds(1), deadline: .milliseconds(50)))
        let end = DispatchSemaphore(value: 0)
        let count = 3 * PreparationQueue.mostThreads
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<count {
                group.addTask {
                    await Self.outcome(queue) {
                        end.wait()
                        return Self.done
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == count && outcomes.contains { $0.contains("restart its potluck") })
        for _ in 0..<count { end.signal() }
    }
}
