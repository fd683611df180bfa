import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// The list of all open jobs of a session. It is complete: every coordinator has announced its jobs before.
@Suite struct ListingTests {
    private static let spec = JobSpec(
        JobRecipe(experiment: VirtualNode.order(seed: 5, goal: Goal(trials: 1000)).experiment, goal: Goal(trials: 1000))
    )

    private static func jobs(_ answer: JobAnswer?) -> Set<JobID>? {
        if case .jobs(let open)? = answer { Set(open.keys) } else { nil }
    }

    @Test func aListWaitsForEveryCoordinator() {
        var room = QueueRoom()
        let token = room.lists()
        #expect(room.questions.map(\.index) == [0, 1])
        room.hears(.listed(token: token), from: 1)
        room.hears(.listed(token: token), from: 1)
        room.hears(.refused("no", token: token), from: 0)
        // Every number of a job means that job.
        room.hears(.job(JobID(.max), Self.spec), from: 0)
        #expect(room.answers[token] == nil)
        room.hears(.listed(token: token), from: 0)
        #expect(Self.jobs(room.answers[token]) == [JobID(.max)])
    }

    /// The list has the jobs that came when a coordinator is lost or does not answer.
    @Test(arguments: [false, true]) func aListDoesNotWaitForEver(isLost: Bool) {
        var room = QueueRoom()
        room.hears(.job(JobID(7), Self.spec), from: 0)
        let token = room.lists()
        room.hears(.listed(token: token), from: 0)
        #expect(room.answers[token] == nil)
        if isLost { room.loses(1) } else { room.passes(JobLimits.listing + .seconds(1)) }
        #expect(Self.jobs(room.answers[token]) == [JobID(7)])
    }

    @Test func whoAsksIsAnsweredAfterTheAnnouncements() throws {
        var room = QueueRoom()
        let id = try room.ordered(VirtualNode.order(seed: 5, goal: Goal(trials: 1000)))
        room.hears(.list(token: 9), from: 1)
        #expect(room.specs[id] != nil)
        #expect(room.listed.map(\.token) == [9] && room.listed.map(\.index) == [1])
    }
}
