import PotluckCore
import PotluckEngine
import PotluckKit

/// Busy evenings: several people with several jobs each, which wait for each other, for a time and for nodes, are paused
/// and cancelled; sweeps; viewers that come late; and cuts of links at the moments at which a job changes.
extension Schedule {
    /// The phase with faults.
    private static let busyWar = Duration.seconds(30)
    /// How long a room stays together to see lost jobs given up.
    private static let late = Duration.seconds(60)

    /// Plays a busy evening. `listener` gets a line for each event and effect.
    public static func busy(seed: UInt64, listener: ((String) -> Void)? = nil) -> Outcome {
        let room = SimulatedCluster(seed: ~seed &* 0x9e37_79b9_7f4a_7c15, listener: listener)
        room.wishes.war = busyWar
        room.wishes.isBusy = true
        room.wishes.rarity = SeededGenerator(seed: room.seed ^ 0x6a09_e667_f3bc_c908)
        room.gather()
        room.planBusy()
        if room.chance(0.3) { room.wishes.staysUntil = .start + late }
        return live(room, seed: seed)
    }
}

extension SimulatedCluster {
    /// The lengths of cuts: too short for the ends to notice, long enough to lose a link, and so long that each counts as
    /// gone for the other.
    private static let cuts: [ClosedRange<Duration>] = [
        .milliseconds(50) ... .milliseconds(2500), .seconds(3) ... .seconds(9), .seconds(10) ... .seconds(18),
    ]

    /// How long a job runs that outlasts hundreds of others.
    private static let long = Duration.seconds(45)

    func planBusy() {
        let hosts = guests == .submits ? Array(laptops.indices) : laptops.indices.filter { mayHost(laptops[$0]) }
        for _ in 0..<pick(1...3) {
            let seat = hosts[pick(0...hosts.count - 1)]
            for _ in 0..<pick(1...4) { after(.milliseconds(300) ... .seconds(20)) { $0.orderBusily(seat) } }
        }
        if chance(0.4) {
            let seat = hosts[pick(0...hosts.count - 1)]
            let points = newSweep()
            after(.milliseconds(500) ... .seconds(8)) { $0.sweep(seat, points) }
        }
        for _ in 0..<pick(0...3) {
            let seat = pick(0...laptops.count - 1)
            after(.seconds(1) ... .seconds(60)) { $0.openViewer(seat) }
        }
        for _ in 0..<(chance(0.3) ? 0 : pick(1...4)) { after(.milliseconds(200) ... .seconds(29)) { $0.befall() } }
        wishes.cutsOnTheWay = wishes.rarity.fraction() < 0.25
        if wishes.rarity.fraction() < 0.1 { planLongJob() }
    }

    /// A guest's long job beside a sweep of hundreds of points by the host, or the other way round: many more jobs than a
    /// node remembers of one coordinator.
    private func planLongJob() {
        let guest = laptops.indices.first { !mayHost(laptops[$0]) && laptops[$0].forger == nil }
        guard guests == .submits, laptops[0].setup.session?.mode == .server, let guest else { return }
        let seats = wishes.rarity.fraction() < 0.5 ? (long: guest, sweep: 0) : (long: 0, sweep: guest)
        let experiment = VirtualSimulation.experiment(
            .even, seed: random.next() | 1 << 9 | 1, blockSize: 16, cost: .milliseconds(20))
        let long = JobOrder(JobRecipe(experiment: experiment, goal: Goal(duration: Self.long)))
        let points = newSweep(of: pick(200...400))
        after(.milliseconds(300) ... .seconds(2)) { $0.order(seats.long, long) }
        after(.seconds(2) ... .seconds(4)) { $0.sweep(seats.sweep, points) }
    }

    private func newSweep(of count: Int? = nil) -> [JobOrder] {
        let count = count ?? (chance(0.3) ? pick(140...220) : pick(10...40))
        let blocks = UInt64(count > 100 ? pick(1...10) : pick(2...60))
        let cost = Duration.microseconds(500 << pick(0...2))
        return (0..<count).map { _ in
            // Its output is not collected, and reading is fast.
            let experiment = VirtualSimulation.experiment(
                .even, seed: random.next() | 1 << 9 | 1, blockSize: 16, cost: cost)
            return JobOrder(JobRecipe(experiment: experiment, goal: Goal(trials: 16 * blocks)))
        }
    }

    private func orderBusily(_ seat: Seat) {
        var order = newOrder()
        order.workers = chance(0.15) ? min(pick(2...3), laptops.count) : 1
        order.delay = chance(0.2) ? .milliseconds(Int64(pick(500...6000))) : .zero
        order.nodes = chance(0.15) ? [laptops[pick(0...laptops.count - 1)].name] : []
        self.order(seat, order)
        let experiment = order.experiment
        if chance(0.3) {
            after(.milliseconds(50) ... .seconds(6)) { room in
                room.commandOwn(.pause, experiment, seat)
                room.after(.seconds(1) ... .seconds(8)) { $0.commandOwn(.resume, experiment, seat) }
            }
        }
        let isCancelled = chance(experiment.kind == .search ? 0.6 : 0.2)
        if isCancelled { after(.milliseconds(50) ... .seconds(8)) { $0.commandOwn(.cancel, experiment, seat) } }
    }

    /// Commands the job of an order, if it was taken.
    private func commandOwn(_ command: JobCommand, _ experiment: Experiment, _ seat: Seat) {
        guard let id = wishes.jobs.last(where: { wishes.known[$0]?.order?.experiment == experiment }) else { return }
        want(seat, .command(command, id, ticket: wishes.known[id]?.ticket))
    }

    /// A coordinator shows that its job changes. Sometimes its link to another node breaks at that moment.
    func disturb(_ laptop: Laptop) {
        guard mayDisturb, chance(0.03) else { return }
        cutLink(of: laptop)
    }

    /// The same when a job is taken, confirmed, taken over or handed over, or its output is fetched. Some evenings have
    /// such cuts.
    func disturbOnTheWay(_ laptop: Laptop) {
        guard mayDisturb, wishes.cutsOnTheWay, wishes.rarity.fraction() < 0.03 else { return }
        cutLink(of: laptop)
    }

    private var mayDisturb: Bool { wishes.isBusy && now < .start + wishes.war && laptops.count > 1 }

    private func cutLink(of laptop: Laptop) {
        let seat = laptop.seat
        let other = pick(0...laptops.count - 1)
        let cut = Self.cuts[pick(0...2)]
        after(.zero ... .milliseconds(30)) { room in
            room.cut(
                seat, other, bothWays: room.chance(0.6),
                for: room.random.duration(from: cut.lowerBound, to: cut.upperBound))
        }
    }
}
