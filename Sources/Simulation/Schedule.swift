import PotluckCore
import PotluckEngine
import PotluckKit

/// An evening in a virtual room, drawn entirely from a seed: the laptops, their jobs, and the faults that hit them.
public enum Schedule {
    /// The outcome of a schedule.
    public struct Outcome: Sendable {
        public let seed: UInt64
        public let failure: Failure?
        /// A hash of all events and effects.
        public let hash: UInt64
        public let events: Int
        /// Its length in virtual time.
        public let time: Duration
        public let jobs: Int
        public let finished: Int
        public let failed: Int
        let lost: Int
        public let chunks: Int
        /// The number of nodes that computed something.
        public let workers: Int
        /// The number of modules that arrived at a node.
        let modules: Int
        /// The number of outputs that arrived at their submitter.
        public let outputs: Int
        public let lies: Int
        public let caught: Int
        /// The numbers of the kinds of messages that Byzantine members sent.
        let forged: Set<UInt64>
    }

    /// The phase with faults: all of them begin before this time.
    static let war = Duration.seconds(12)
    /// The time that jobs get to end after the faults: the longest sleep, the detection of nodes that are gone, and the
    /// remaining work.
    private static let peace = Duration.seconds(120)
    /// The additional time for outputs, as long as they make progress: eight megabytes over links of a few kilobytes a
    /// second.
    private static let slowest = Duration.seconds(1800)

    /// A fault of the simulator that breaks a law on purpose. A law that cannot be broken proves nothing.
    public enum Sabotage: Sendable, CaseIterable {
        /// Every node computes the first block wrong, and all of them in the same way.
        case wrongBlock
        /// No requested wake-up ever comes.
        case deafTimers
        /// No simulation is ever prepared.
        case nothingIsReady
        /// Disks confirm changes and keep nothing.
        case forgetfulDisks
        /// The collected output differs from the output that was checked.
        case swappedShelves
    }

    /// The numbers of all kinds of messages that members with a modified program send.
    static let kinds = Set(Forger.kinds.map(\.rawValue))

    /// Plays a schedule. `listener` gets a line for each event and effect.
    public static func run(
        seed: UInt64, sabotage: Sabotage? = nil, listener: ((String) -> Void)? = nil
    ) -> Outcome {
        let room = SimulatedCluster(seed: seed, listener: listener)
        room.sabotage = sabotage
        prepare(room)
        return live(room, seed: seed)
    }

    /// Plays a schedule and returns the trace of each node, in the format of a real node's trace.
    static func traces(seed: UInt64) -> [String] {
        let room = SimulatedCluster(seed: seed)
        room.records = []
        prepare(room)
        _ = live(room, seed: seed)
        return (room.records ?? []) + room.laptops.compactMap(\.record?.text)
    }

    private static func prepare(_ room: SimulatedCluster) {
        room.gather()
        room.infiltrate()
        room.plan()
    }

    /// Plays the plan of a room.
    static func live(_ room: SimulatedCluster, seed: UInt64) -> Outcome {
        room.look()
        room.watchScreens()
        room.run(until: .start + room.wishes.war)
        room.checkTables()
        room.makePeace()
        room.calm()
        let end = room.now + peace
        let settled = max(room.now + .seconds(6), room.wishes.staysUntil)
        // A job whose coordinator crashed is under way nowhere until another node notices that and takes it over.
        let isOver = {
            room.now > settled && room.areSweepsOver && room.jobsUnderWay.isEmpty && room.isAllTold
                && room.wishes.isQuiet
        }
        room.run(until: end, orUntil: isOver)
        room.awaitOutputs(until: room.now + slowest)
        // Wait until every submitter has heard how its job ended.
        if room.failure == nil { room.run(until: room.now + Laws.word) { room.isAllTold } }
        // Wait until every submitter has its output.
        if room.failure == nil { room.run(until: room.now + Laws.delivery) { room.isAllAnswered } }
        if room.failure == nil { room.checkTables() }
        if room.failure == nil { room.checkEnd() }
        // A late viewer must see the same.
        if room.failure == nil { room.openViewers() }
        room.run(until: room.now + (ScreenLaws.patience + ScreenLaws.pause * 2))
        return outcome(room, seed: seed)
    }

    static func outcome(_ room: SimulatedCluster, seed: UInt64) -> Outcome {
        let tally = room.laws.tally
        return Outcome(
            seed: seed, failure: room.failure, hash: room.hash.value, events: room.events, time: room.now - .start,
            jobs: tally.jobs, finished: tally.finished, failed: tally.failed, lost: tally.lost, chunks: tally.chunks,
            workers: room.laptops.count { $0.bench.memory > 0 }, modules: tally.modules, outputs: tally.outputs,
            lies: tally.lies, caught: tally.caught,
            forged: Set(room.byzantine.kinds.map(\.rawValue)))
    }
}

extension Wishes {
    /// Whether every request has an answer.
    var isQuiet: Bool { !wishes.contains { $0.answer == nil } }
}

extension SimulatedCluster {
    var isAllTold: Bool {
        wishes.jobs.allSatisfy { id in
            guard !byzantine.foreign.contains(id), let job = wishes.known[id], let submitter = job.submitter else {
                return true
            }
            let laptop = laptops[submitter]
            return laptop.start != job.submitterStart || !laptop.isAwake || laptop.observed.endings[id] != nil
        }
    }

    var isAllAnswered: Bool {
        wishes.wishes.allSatisfy { wish in
            let laptop = laptops[wish.seat]
            if laptop.forger != nil { return true }
            return wish.answer != nil || laptop.start != wish.start || !laptop.isAwake
        }
    }

    // MARK: Requests and faults

    func plan() {
        let count = chance(0.7) ? 1 : pick(2...3)
        for _ in 0..<count {
            let wanted = chance(0.5) ? 0 : pick(0...laptops.count - 1)
            let seat = byzantine.tempers[wanted] == nil ? wanted : 0
            let order = newOrder()
            let time: ClosedRange<Duration> =
                seat == 0 && chance(0.3) ? .zero ... .zero : .milliseconds(500) ... .seconds(4)
            after(time) { $0.order(seat, order) }
        }
        for _ in 0..<(chance(0.4) ? pick(1...2) : 0) { after(.seconds(2) ... .seconds(10)) { $0.command() } }
        if chance(0.3) {
            after(.seconds(3) ... .seconds(11)) { room in
                room.want(room.pick(0...room.laptops.count - 1), .takeOver)
            }
        }
        for _ in 0..<(chance(0.1) ? 0 : pick(1...6)) { after(.milliseconds(200) ... .seconds(11)) { $0.befall() } }
    }

    func newOrder() -> JobOrder {
        let kind: VirtualSimulation
        switch random.fraction() {
        case ..<0.07: kind = .trap
        case ..<0.13: kind = .moody
        case ..<0.23: kind = .rare
        case ..<0.4: kind = .plugin
        default: kind = .even
        }
        let work = pick(500...12_000)
        // From a fifth of a millisecond to fifty, each power of two equally likely.
        var cost = Duration.microseconds(200 << pick(0...8))
        var blocks = UInt64(min(12_000, max(1, work * 1000 / Int(cost.nanoseconds / 1000))))
        if laptops.contains(where: { $0.setup.cores == Self.manyCores }), absurdity.fraction() < 0.7 {
            (cost, blocks) = (.microseconds(20), 200_000)
        }
        let size: UInt64 = 16 << UInt64(pick(0...2))
        var seed = random.next()
        if laptops.contains(where: { $0.character.stints }), absurdity.fraction() < 0.7 {
            // A laptop that writes too little needs a job with much output.
            (seed, cost) = (Experiment.collecting(seed), min(cost, .milliseconds(5)))
        }
        // Slow links carry the output of that many blocks within the schedule's time.
        if seed & 3 == 0 { blocks = min(blocks, 12_000) }
        if Experiment.writesMuch(seed) { blocks = min(blocks, 600) }
        if kind == .even, seed >> 13 & 7 == 0 { return newSearch(seed, cost: cost, work: blocks) }
        let trials = blocks * size - random.next(below: size)
        var goal = Goal()
        let rule = random.fraction()
        if rule < 0.75 { goal.trials = trials }
        if rule > 0.5, rule < 0.85 {
            goal.precision = newPrecision(seed, Double(16 + random.next(below: max(1, blocks))) * Double(size))
        }
        if rule > 0.7, rule < 0.95 { goal.duration = .milliseconds(Int64(pick(200...6000))) }
        // A job without a number of trials is slow, so that it does not become too large.
        if goal.trials == nil { cost = max(cost, .milliseconds(3)) }
        let experiment = VirtualSimulation.experiment(
            kind, seed: seed, blockSize: size, cost: cost, trap: random.next(below: blocks))
        var order = JobOrder(JobRecipe(experiment: experiment, goal: goal))
        if kind == .plugin { order.module = newModule() }
        order.collects = experiment.seed & 3 == 0
        if experiment.seed & 7 == 0 { order.payload = newModule() }
        order.startsSlowly = experiment.seed >> 20 & 15 == 3
        order.takesBrowsers = absurdity.fraction() >= 0.1
        if absurdity.fraction() < 0.3 { order.priority = priority() }
        if chance(0.1) { order.workers = min(2, laptops.count) }
        if chance(0.1) { order.delay = .milliseconds(Int64(pick(1...2500))) }
        if chance(0.1) { order.nodes = [laptops[pick(0...laptops.count - 1)].name, laptops[0].name] }
        return order
    }

    /// A precision that about so many trials reach.
    private func newPrecision(_ seed: UInt64, _ trials: Double) -> Precision {
        let width = 1.96 * (0.1875 / trials).squareRoot()
        switch seed >> 16 & 3 {
        // The hits are as wide as they are.
        case 0: return .named([ReadingLimit(reading: "misses", limit: .relative(width / 0.75))])
        case 1:
            return .named([
                ReadingLimit(reading: "misses", limit: .absolute(width)),
                ReadingLimit(reading: "hits", limit: .relative(width / 0.25)),
            ])
        default: return .absolute(width)
        }
    }

    private func newSearch(_ seed: UInt64, cost: Duration, work: UInt64) -> JobOrder {
        // The largest power of two that is not more than the work.
        let leaves = UInt64(1) << (63 - max(16, min(work, 1 << 14)).leadingZeroBitCount)
        let experiment = VirtualSimulation.experiment(
            .search, seed: seed, blockSize: 1, cost: cost, trap: leaves)
        var goal = Goal(trials: SearchSpace.points)
        if chance(0.2) { goal.duration = .milliseconds(Int64(pick(200...6000))) }
        var order = JobOrder(JobRecipe(experiment: experiment, goal: goal))
        if chance(0.1) { order.workers = min(2, laptops.count) }
        return order
    }

    private func priority() -> Priority {
        Priority.allCases[Int(absurdity.next(below: UInt64(Priority.allCases.count)))]
    }

    private func command() {
        guard !wishes.jobs.isEmpty else { return }
        let id = wishes.jobs[pick(0...wishes.jobs.count - 1)]
        let laptop = laptops[pick(0...laptops.count - 1)]
        let command: JobCommand
        switch random.fraction() {
        case ..<0.5:
            command = .pause
            after(.milliseconds(500) ... .seconds(4)) { room in
                guard let leader = room.leader(of: id) else { return }
                room.want(leader.seat, .command(.resume, id, ticket: nil))
            }
        case ..<0.6: command = .resume
        default: command = absurdity.fraction() < 0.3 ? .prioritize(priority()) : .cancel
        }
        let ticket = wishes.known[id]?.ticket
        want(laptop.seat, .command(command, id, ticket: chance(0.3) ? ticket : nil))
    }

    func befall() {
        let seat = pick(0...laptops.count - 1)
        let other = pick(0...laptops.count - 1)
        // A server without a journal takes its jobs with it, so it seldom goes. Otherwise too few jobs would be left to
        // check.
        let mayGo = seat > 0 || chance(laptops[0].disk == nil ? 0.2 : 0.7)
        let short: Duration = .milliseconds(Int64(pick(100...9000)))
        switch random.fraction() {
        case ..<0.2 where mayGo:
            if absurdity.fraction() < 0.3 {
                // The crash may come between any two effects.
                laptops[seat].faults.planCrash(afterEffects: 1 + Int(absurdity.next(below: 40)))
            } else {
                crash(seat, powerFails: chance(0.4))
            }
            if chance(0.7) { after(.milliseconds(300) ... .seconds(6)) { $0.restart(seat) } }
        case ..<0.26 where mayGo:
            leave(seat)
            if chance(0.5) { after(.seconds(1) ... .seconds(5)) { $0.restart(seat) } }
        case ..<0.38: sleep(seat, for: .milliseconds(Int64(pick(100...14_000))))
        case ..<0.58: cut(seat, other, bothWays: chance(0.6), for: short)
        case ..<0.64: part(laptops.map { _ in chance(0.5) }, for: short)
        case ..<0.74: spoil(seat, for: short) { $0.isStuck = true }
        case ..<0.82: spoil(seat, for: short) { $0.slowness = 20 }
        // At most one laptop is broken, and two others are there: where two laptops fail at the same chunk, the
        // simulation is blamed.
        case ..<0.88 where laptops.count > 2 && !laptops.contains { $0.character.fails }:
            spoil(seat, for: short) { $0.fails = true }
        case ..<0.93: setCores(seat, pick(0...3))
        case ..<0.98: fillDisk(seat, for: short)
        default: break
        }
    }

    /// Returns whether another laptop may compute a job, so that its coordinator need not.
    private func hasHands(_ id: JobID, beside seat: Seat) -> Bool {
        guard let order = wishes.known[id]?.order else { return true }
        return laptops.contains { laptop in
            laptop.seat != seat && laptop.isAwake && laptop.forger == nil && laptop.bench.cores > 0
                && laptop.isWanted(order)
                && !(laptop.character.lacks && order.experiment.kind?.isEverywhere == false)
        }
    }

    /// Helps all jobs to end after the faults: resumes paused jobs, cancels jobs without an end, and turns on cores
    /// where needed.
    func calm() {
        for seconds in [1, 10, 20, 30, 40, 60, 80] {
            after(.seconds(seconds)) { room in
                // A job may be restricted to few nodes; the first laptop is always one of them.
                let isStuck = room.jobsUnderWay.contains { !room.hasHands($0.id, beside: 0) }
                if room.laptops[0].bench.cores == 0, isStuck || seconds >= 60 { room.setCores(0, 1) }
                for (id, laptop, lead) in room.jobsUnderWay {
                    if lead.state == .paused { room.want(laptop.seat, .command(.resume, id, ticket: nil)) }
                    var isStranded = false
                    if case .waiting(.workers) = lead.state { isStranded = true }
                    let isEndless = lead.spec.map { $0.goal.trials == nil && $0.goal.duration == nil } ?? false
                    // The nodes that may compute it may have no link to its coordinator. A job in line does not show yet
                    // that too few come.
                    let isPicky =
                        seconds == 80
                        && room.wishes.known[id]?.order.map {
                            !$0.nodes.isEmpty || !$0.takesBrowsers || $0.workers > 1
                        } ?? false
                    if laptop.bench.cores == 0, seconds >= 60 || !room.hasHands(id, beside: laptop.seat) {
                        room.setCores(laptop.seat, 1)
                    }
                    if isEndless || isStranded || isPicky {
                        room.want(laptop.seat, .command(.cancel, id, ticket: nil))
                    }
                }
                for (seat, id) in room.foreignJobs { room.want(seat, .command(.cancel, id, ticket: nil)) }
            }
        }
    }
}
