import Testing

@testable import PotluckSimulation

/// A session with as many workers as a cluster has nodes.
@Suite struct ClusterTests {
    /// The laws of all schedules hold, the result is exact, and every guest computes and hears how the job ended.
    @Test(arguments: [3, 64, 500]) func everyNodeOfAClusterComputes(guests: Int) {
        let outcome = Schedule.crowd(guests)
        #expect(outcome.failure == nil)
        #expect(outcome.finished == 1)
        #expect(outcome.workers == guests + 1)
    }
}
