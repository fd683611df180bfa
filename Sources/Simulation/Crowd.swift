import PotluckCore
import PotluckEngine

/// A cluster's nodes as workers of one session: many guests that were given their server's address, and a job that needs
/// all of them. Nothing goes wrong; the laws that hold for an evening with faults hold here, too.
extension Schedule {
    /// The guests are started within this time, as a batch system starts them.
    private static let arrival = Duration.seconds(2)
    /// The time that connecting and computing may take.
    private static let enough = Duration.seconds(120)

    /// The seed of the job. With it, readings take no time.
    private static let jobSeed: UInt64 = 1 << 9

    /// Plays a session with this many guests of one core each.
    static func crowd(_ guests: Int, seed: UInt64 = 1, listener: ((String) -> Void)? = nil) -> Outcome {
        let room = SimulatedCluster(seed: seed, listener: listener)
        room.guests = .watches
        let server = room.arrive("server", mode: .server, cores: 1)
        for number in 1...guests {
            let address = [10, 1, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
            room.arrive("node \(number)", mode: .client, cores: 1, address: address)
        }
        room.handle(server, .woke)
        for seat in room.laptops.indices.dropFirst() {
            room.after(.zero...arrival) { room in
                room.handle(seat, .woke)
                room.handle(seat, .session(.wanted(.connect(host: "server", port: room.laptops[server].endpoint.port))))
            }
        }
        // Five seconds of work for each guest, in blocks of 20 ms.
        let blocks = UInt64(250 * guests)
        let experiment = VirtualSimulation.experiment(
            .even, seed: jobSeed, blockSize: 16, cost: .milliseconds(20))
        // The last block is shorter, so that the trials are exact.
        let order = JobOrder(JobRecipe(experiment: experiment, goal: Goal(trials: 16 * blocks - 5)))
        room.after(arrival + .seconds(2)) { $0.order(server, order) }
        room.look()
        room.watchScreens()
        let end = Instant.start + enough
        // Looking at all laptops after every event would take longer than everything else.
        while room.failure == nil, room.now < end, !room.hasEveryoneHeard { room.run(until: room.now + .seconds(1)) }
        if room.failure == nil { room.checkEveryoneHeard() }
        if room.failure == nil { room.checkEnd() }
        return outcome(room, seed: seed)
    }
}

extension SimulatedCluster {
    /// In a session without faults, guests that ordered nothing hear the end of a job, too.
    func checkEveryoneHeard() {
        if !hasEveryoneHeard { fail(.told, "not every guest heard how the job ended") }
    }

    /// Whether every laptop knows how every job ended.
    fileprivate var hasEveryoneHeard: Bool {
        !wishes.jobs.isEmpty && wishes.jobs.allSatisfy { id in laptops.allSatisfy { $0.observed.endings[id] != nil } }
    }
}
