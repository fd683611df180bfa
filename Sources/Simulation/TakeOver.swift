import PotluckCore
import PotluckEngine
import PotluckKit

/// Measures how much of a job is computed again after a take-over. Peers compute a job, one of them is cut off for a
/// while, and soon after it is back the coordinator may crash.
enum TakeOver {
    struct Outcome: Sendable {
        public let failure: Failure?
        let isFinished: Bool
        /// The trials of the job, and the trials that all nodes computed for it, including audits.
        public let trials: UInt64
        public let computed: UInt64
        /// The number of take-overs.
        let leads: Int

        public var again: Double { Double(computed) / Double(max(1, trials)) - 1 }
    }

    private static let names = ["ana", "bo", "cy", "dee", "eli"]
    private static let cores = 2
    private static let blockSize: UInt64 = 16
    private static let cost = Duration.milliseconds(5)
    /// Ten cores compute them in ten seconds.
    private static let blocks: UInt64 = 20_000

    public static func run(seed: UInt64, listener: ((String) -> Void)? = nil) -> Outcome {
        let room = SimulatedCluster(seed: seed, listener: listener)
        for name in names { room.arrive(name, mode: .peer, cores: cores) }
        for seat in room.laptops.indices { room.begin(seat) }
        room.run(until: .start + .seconds(1))
        let experiment = VirtualSimulation.experiment(
            .even, seed: room.random.next() | 1 << 9, blockSize: blockSize, cost: cost)
        room.order(0, JobOrder(JobRecipe(experiment: experiment, goal: Goal(trials: blocks * blockSize))))
        room.run(until: .start + .seconds(4))
        room.parts(with: 1 + Int(room.random.next(below: UInt64(names.count - 1))))
        let isOver = { room.wishes.jobs.allSatisfy { room.wishes.known[$0]?.ending != nil } }
        room.run(until: .start + .seconds(120), orUntil: isOver)
        return Outcome(
            failure: room.failure, isFinished: room.wishes.jobs.count == 1 && isOver(),
            trials: blocks * blockSize, computed: room.laws.tally.trials, leads: room.laws.tally.leads)
    }
}

extension SimulatedCluster {
    /// Cuts a node off from the coordinator or from all others. When it is back, the coordinator may crash.
    fileprivate func parts(with seat: Seat) {
        let time = Duration.milliseconds(Int64(pick(3500...5500)))
        if chance(0.5) {
            cut(seat, 0, bothWays: true, for: time)
        } else {
            part(laptops.indices.map { $0 == seat }, for: time)
        }
        guard chance(0.8) else { return }
        let powerFails = chance(0.5)
        after(time + .milliseconds(Int64(pick(0...2000)))) { $0.crash(0, powerFails: powerFails) }
    }
}
