import PotluckCore
import PotluckEngine
import PotluckKit

/// The limits of the laws that every schedule must keep, and the observations so far. The checks themselves are methods
/// of `SimulatedCluster`.
struct Laws {
    /// The longest time that a running job may show no progress while an honest, steady and connected laptop could
    /// compute it. A loan must time out first, and the chunks after it take time.
    static let patience = Duration.seconds(20)
    /// The time that a newly connected laptop may take until its first result arrives. A Byzantine server can keep a
    /// laptop busy until long after a job last made progress, so the connection may be much younger than that.
    static let settling = Duration.seconds(5)
    /// The most effects of one event, not counting started chunks and points of courses, for each hundred nodes: a picture
    /// for every node, and some more.
    static let mostEffects = 400
    /// The most events of a schedule, for each hundred nodes, without those of Byzantine members and as many answers to
    /// them: a member may return results as fast as its link carries them. None comes near this number, so a schedule that
    /// exceeds it loops.
    static let mostEvents = 400_000
    /// The most elements that a table of an engine may hold, apart from the pieces of a replica. Lent chunks number in
    /// the thousands; all other tables hold far fewer.
    static let mostInTable = 10_000
    /// The most picture readings of one job in flight: the latest one, and the next, which is requested when the latest
    /// arrives.
    static let mostUnread = 2
    /// The time within which the end of a job reaches every node. Detecting that a coordinator is gone for good takes
    /// longest.
    static let word = Duration.seconds(28)
    /// The time within which a job's output reaches the submitter over the slowest links, or is refused with a reason.
    static let delivery = Duration.seconds(60)

    /// For each job, the nodes that its coordinator has exposed as liars. A coordinator that crashed may have exposed
    /// others without telling anyone.
    var caught: [JobID: Set<NodeID>] = [:]
    /// Jobs with lies that may stay undetected: the liar left or crashed, the coordinator changed, or the job ended
    /// first.
    var lostLies: Set<JobID> = []
    /// The number of events of Byzantine members.
    var forgerEvents = 0
    /// The number of elements in the largest table of any node's engine.
    var largestTable = 0
    var screens = ScreenLaws()
    var tally = Tally()
}

extension SimulatedCluster {
    /// Checks the effects of an event. Called after every event.
    func check(_ laptop: Laptop, _ event: Event, _ effects: [Effect], _ local: Instant) {
        let hundreds = 1 + laptops.count / 100
        if laptop.forger != nil { laws.forgerEvents += 1 }
        if events - 2 * laws.forgerEvents > hundreds * Laws.mostEvents { fail(.storm, "\(events) events") }
        if laptop.forger != nil { return watch(laptop, effects) }
        var (others, opensLink) = (0, false)
        switch event {
        case .session(.received(_, .welcome)): opensLink = true
        case .session(.received(_, .job(.job(let id, _, let epoch, _)))):
            laptop.observed.heard[id] = min(epoch, 1 << 40)
        // Results free places for the chunks that are lent in response to the same event.
        case .session(.received(let link, .job(.results(let id, let results)))):
            laptop.observed.lent[link, default: LentCounts()].end(results.count, of: id)
        case .session(.received(let link, .job(.failure(let id, _, _, _)))):
            laptop.observed.lent[link, default: LentCounts()].end(1, of: id)
        case .computed(let outcomes): laws.tally.trials += outcomes.reduce(0) { $0 + $1.trials }
        case .journal(let trouble): laptop.observed.cannotWrite = trouble != nil
        default: break
        }
        for effect in effects {
            checkLead(laptop, event, effect)
            switch effect {
            case .job(.compute): laws.tally.chunks += 1
            case .wake(let at):
                others += 1
                // Any event may request a wake-up that is already due, except the wake-up itself: it must have handled
                // everything that was due.
                if event == .woke, at <= local {
                    fail(
                        .wake, "\(laptop.name) requests a wake-up at \(at.nanoseconds), but it is \(local.nanoseconds)")
                }
            case .session(.send(let link, .job(let message), _)):
                // A newly connected node gets the whole course of each job.
                if case .course(_, index: 0...Checkpoint.last, _) = message {} else { others += 1 }
                check(laptop, link, sends: message)
            case .session(.send(_, .welcome, _)): (others, opensLink) = (others + 1, true)
            case .tell(.news(let news)):
                others += 1
                check(laptop, news)
            default: others += 1
            }
        }
        var most = hundreds * Laws.mostEffects
        if case .computed(let outcomes) = event { most += 4 * outcomes.count }
        // The second of a link's two welcomes releases the messages that were kept for the peer.
        if opensLink { most += SessionLimits.backlogParcels }
        // Chunks with identical output share one blob and are checked together.
        if case .shelved = event { most += LentChunk.most }
        if others > most { fail(.storm, "\(laptop.name) has \(others) effects after \(event)") }
    }

    private func check(_ laptop: Laptop, _ link: LinkName, sends message: JobMessage) {
        switch message {
        case .lend(let id, let chunks):
            laptop.observed.lent[link, default: LentCounts()].counts[id, default: 0] += chunks.count
            let count = laptop.observed.lent[link]?.total ?? 0
            if count > LentChunk.most || chunks.isEmpty {
                fail(
                    .bounded, "\(laptop.name) has lent \(count) chunks over one link, \(chunks.count) of them just now")
            }
            if laptop.observed.leads[id]?.state == .paused {
                fail(.paused, "\(laptop.name) lends chunks of the paused \(id)")
            }
        case .over(let id): laptop.observed.lent[link]?.counts[id] = nil
        case .drop(let id, let attempts):
            laptop.observed.lent[link, default: LentCounts()].end(attempts.count, of: id)
            if attempts.isEmpty { fail(.bounded, "\(laptop.name) sends a drop without attempts") }
        default: break
        }
    }

    private func check(_ laptop: Laptop, _ news: JobNews) {
        guard case .liar(let job, let node, _) = news else { return }
        // The user of this job may not know of it, because the answer to its order was lost.
        let wished = wishes.jobs.filter { laptop.observed.leads[$0]?.isOver == false }
        for id in Set(wished + [job]) { laws.caught[id, default: []].insert(node) }
        laws.tally.caught += 1
        // The lies of a node that was restarted are no longer known.
        guard let liar = laptops.first(where: { $0.node == node }) else { return }
        // The result of a job that the node lied about may already be decided, and be announced as soon as it is
        // written to disk.
        for id in wishes.jobs where liar.observed.lies[id] != nil && laptop.observed.leads[id]?.state?.isOver == true {
            laws.lostLies.insert(id)
        }
        if liar.observed.lies[job] == nil, liar.forger == nil {
            fail(.honest, "\(laptop.name) calls \(liar.name) a liar")
        }
    }

    func removed(_ laptop: Laptop, _ node: NodeID) {
        guard laptop.forger == nil, let other = laptops.first(where: { $0.node == node }), other.observed.lies.isEmpty,
            other.forger == nil
        else { return }
        fail(.honest, "\(laptop.name) removed \(other.name)")
    }

    // MARK: Results

    func judge(_ laptop: Laptop, _ id: JobID, _ result: JobResult) {
        guard isJudged(id, by: laptop) else { return }
        let (experiment, goal) = (result.spec.experiment, result.spec.goal)
        let what = "\(laptop.name) has a result of \(id), \(result.completion) at \(result.trials) trials"
        if let order = wishes.known[id]?.order, order.experiment != experiment || order.goal != goal {
            return fail(.exact, "\(what): something else was ordered")
        }
        if let search = VirtualSearch(experiment) {
            let isTrue = !isLiedAbout(id)
            if !isTrue { laws.lostLies.insert(id) }
            return judge(laptop, id, result, search, isTrue: isTrue, what)
        }
        guard let tally = truth(experiment, { $0.tally(of: result.trials) }) else {
            return fail(.exact, "\(what): the job has fewer trials")
        }
        let precise = truth(experiment) { $0.precise(goal) }
        let isTrue = experiment.kind != .moody && !isLiedAbout(id)
        if !isTrue, result.tally != tally { judgeLiars(laptop, id, result, what) }
        // Nodes that receive this result later may hear of the liar first.
        if isLiedAbout(id) { laws.lostLies.insert(id) }
        if isTrue, result.tally != tally {
            return fail(.exact, "\(what): its tally is \(result.tally) instead of \(tally)")
        }
        // The results that a Byzantine member makes up may be anything, and may end a job anywhere.
        if !isTrue,
            laptops.contains(where: { $0.forger != nil && $0.observed.lies[id] != nil })
                || byzantine.madeUp.contains(id)
        {
            return
        }
        if result.tally.first != tally.first { return fail(.exact, "\(what): its tally counts \(result.tally[0])") }
        let shares = result.nodes.reduce(0) { $0 + $1.trials }
        if shares != result.trials { return fail(.exact, "\(what): the shares of its nodes add up to \(shares)") }
        let readings = VirtualSimulation.readings(result.tally, trials: result.trials)
        if result.readings != readings { return fail(.exact, "\(what): its readings are not those of its tally") }
        switch result.completion {
        case .trials:
            if result.trials != goal.trials || precise != nil {
                fail(.stop, "\(what): it should end at \(String(describing: precise ?? goal.trials))")
            }
        case .precision:
            if result.trials != precise { fail(.stop, "\(what): it should end at \(String(describing: precise))") }
        case .duration, .stopped:
            if let precise, result.trials > precise { fail(.stop, "\(what): it was precise enough at \(precise)") }
            if result.trials % experiment.blockSize != 0, result.trials != goal.trials {
                fail(.stop, "\(what): no block ends there")
            }
            if result.completion == .duration, goal.duration == nil { fail(.stop, "\(what): it had no time limit") }
        }
        judgeCourse(id, result, what, isTrue: isTrue)
        judgeOutput(id, result, what)
    }

    /// Returns whether the laws apply to a job at a laptop. They do not apply to jobs of Byzantine members, or on their
    /// laptops.
    func isJudged(_ id: JobID, by laptop: Laptop) -> Bool { !byzantine.foreign.contains(id) && laptop.forger == nil }

    /// Returns whether a node runs, or ran before a restart, on the laptop of a Byzantine member. Nil counts as one if
    /// the schedule has such a member.
    func isByzantine(_ node: NodeID?) -> Bool {
        !byzantine.tempers.isEmpty && !laptops.contains { $0.node == node && $0.forger == nil }
    }

    /// Checks that the output consists of exactly the blocks that count, each with the tally that counts.
    private func judgeOutput(_ id: JobID, _ result: JobResult, _ what: String) {
        guard let order = wishes.known[id]?.order else { return }
        let isWanted = order.collects && result.trials > 0
        if isWanted != (result.output != nil) {
            return fail(.exact, "\(what): \(isWanted ? "its output is missing" : "its output is not wanted")")
        }
        if isWanted, result.output != Self.whole(result.experiment, result.tally) {
            fail(.exact, "\(what): its output is not that of its tally")
        }
    }

    /// Fails if a node that always lies got a wrong result accepted although the coordinator could check results all
    /// the time. A second node computes the first chunks of every node, and a job waits for that before it ends. A
    /// Byzantine member may do those rightly and lie later, when only one chunk in many is checked.
    private func judgeLiars(_ laptop: Laptop, _ id: JobID, _ result: JobResult, _ what: String) {
        guard let order = wishes.known[id]?.order, let lead = laptop.observed.leads[id],
            result.completion == .trials || result.completion == .precision, order.experiment.kind != .moody,
            laptop.faults.haveBeenNone(since: lead.since), laptop.bench.cores > 0,
            laptop.isWanted(order),
            !(laptop.character.lacks && order.experiment.kind?.isEverywhere == false), laws.lostLies.isEmpty
        else { return }
        let liars = laptops.filter { $0.observed.lies[id] != nil && !isCaught($0, id) }
        guard liars.allSatisfy({ $0.character.lies == 1 && $0.forger == nil }) else { return }
        // Two that always lie tell the same lies. If nobody else was ready in time, each confirmed the other.
        guard liars.count <= 1 else { return }
        fail(.liar, "\(what): it contains lies of \(liars.map(\.name).joined(separator: ", "))")
    }

    /// Checks that the course has a reading at every checkpoint, and no others except the last and those of the first trials.
    private func judgeCourse(_ id: JobID, _ result: JobResult, _ what: String, isTrue: Bool) {
        var points = result.course
        if let last = points.last, last.trials == result.trials { points.removeLast() }
        let size = result.spec.experiment.blockSize
        // Blocks have at most 64 trials here.
        let steps: [UInt64] = wishes.known[id]?.order?.startsSlowly == true ? [1, 2, 5, 10, 20, 50] : []
        let first = points.prefix { steps.contains($0.trials) && $0.trials < size }.count
        for (index, point) in points.enumerated() {
            if point.trials != (index < first ? steps[index] : Checkpoint.blocks(index - first) * size) {
                return fail(.exact, "\(what): point \(index) of its course is at \(point.trials)")
            }
            guard isTrue, let tally = truth(result.spec.experiment, { $0.tally(of: point.trials) }) else { continue }
            if point.readings != VirtualSimulation.readings(tally, trials: point.trials) {
                return fail(.exact, "\(what): its course is wrong at \(point.trials)")
            }
        }
        if Checkpoint.blocks(points.count - first) * size < result.trials {
            fail(.exact, "\(what): its course ends at \(points.last?.trials ?? 0)")
        }
    }

    /// Returns whether an undetected liar contributed to this job.
    private func isLiedAbout(_ id: JobID) -> Bool {
        laws.lostLies.contains(id) || laptops.contains { $0.observed.lies[id] != nil && !isCaught($0, id) }
    }

    private func isCaught(_ laptop: Laptop, _ id: JobID) -> Bool { laws.caught[id]?.contains(laptop.node) == true }

    func judge(_ laptop: Laptop, _ id: JobID, failed why: String) {
        guard isJudged(id, by: laptop), let order = wishes.known[id]?.order else { return }
        // A node that continued the job meanwhile hears how it ended for the others.
        if wishes.known[id]?.told == why { return }
        wishes.known[id]?.told = why
        let what = "\(laptop.name) is told that \(id) failed: \(why)"
        // If only broken and Byzantine laptops can compute the job, the simulation looks broken.
        let leader = laptops.first { $0.observed.leads[id]?.isOver == true } ?? laptop
        if why.contains(Bench.broken) || Forger.isBehind(why),
            !laptops.contains(where: { isAble($0, leader, order) })
        {
            return
        }
        switch order.experiment.kind {
        case .trap:
            if !why.contains(String(order.experiment.trap)) {
                fail(.named, "\(what); the cause is that block \(order.experiment.trap) traps")
            }
        case .moody:
            if !why.contains("repeat") { fail(.named, "\(what); the cause is that it is not repeatable") }
        case .rare:
            if !laptops.contains(where: { $0.character.lacks }) { fail(.named, what) }
        case .even, .plugin, .search, nil: fail(.named, "\(what); the simulation is sound")
        }
    }

    // MARK: Periodic checks

    /// Checks that the tables of honest nodes stay bounded, whatever a Byzantine member sends. Reflection takes a fifth
    /// of such a schedule's time, so only every fourth seed is checked.
    func checkTables() {
        guard !byzantine.tempers.isEmpty, seed.isMultiple(of: 4) else { return }
        for laptop in laptops where laptop.forger == nil && laptop.isRunning {
            check(laptop, Tables(of: laptop.engine))
        }
    }

    func check(_ laptop: Laptop, _ tables: Tables) {
        laws.largestTable = max(laws.largestTable, tables.largest)
        // The engine bounds the pieces of a replica itself.
        let isOfPieces = tables.name.hasSuffix(".pieces")
        if tables.largest > (isOfPieces ? JobLimits.replicaPieces : Laws.mostInTable) {
            fail(.bounded, "\(laptop.name) has \(tables.largest) elements in the table \(tables.name)")
        }
    }

    /// Checks the progress of every job, once a second.
    func look() {
        for (id, laptop, lead) in jobsUnderWay where laptop === leader(of: id) { checkProgress(id, laptop, lead) }
        after(.seconds(1)) { $0.look() }
    }

    /// Runs until no unfinished job is still collecting output over slow links. `checkProgress` finds jobs that make no
    /// progress.
    func awaitOutputs(until end: Instant) {
        while failure == nil, now < end {
            let jobs = jobsUnderWay
            let isComing = jobs.allSatisfy {
                wishes.known[$0.id]?.order?.collects == true && now - $0.lead.changedAt < Laws.patience
            }
            guard isComing, !jobs.isEmpty else { return }
            run(until: min(end, now + .seconds(1)))
        }
    }

    private func checkProgress(_ id: JobID, _ leader: Laptop, _ lead: Lead) {
        guard lead.state == .running || lead.state == .stopping, now - lead.changedAt > Laws.patience,
            let order = wishes.known[id]?.order, order.experiment.kind != .moody
        else { return }
        let capable = laptops.filter { isAble($0, leader, order) }
        guard isSteady(leader), !capable.isEmpty else { return }
        // A trap cannot be passed, and the job fails only after two nodes have tried.
        if order.experiment.kind == .trap { return }
        fail(
            .progress,
            "\(id) stays at \(lead.trials) trials, but \(capable.map(\.name).joined(separator: ", ")) could compute it")
    }

    private func isSteady(_ laptop: Laptop) -> Bool {
        laptop.isAwake && laptop.faults.haveBeenNone(forMoreThan: Laws.patience, at: now)
    }

    func isAble(_ laptop: Laptop, _ leader: Laptop, _ order: JobOrder) -> Bool {
        guard isSteady(laptop), laptop.forger == nil, laptop.bench.cores > 0, laptop.character.isAble,
            !(laptop.character.lacks && order.experiment.kind?.isEverywhere == false),
            laptop.isWanted(order)
        else { return false }
        return laptop === leader
            || leader.isConnected(to: laptop.node, for: Laws.settling, now)
                && laptop.isConnected(to: leader.node, for: Laws.settling, now)
    }

    // MARK: The end of a schedule

    func checkEnd() {
        for (id, laptop, lead) in jobsUnderWay {
            let state = lead.state.map { "\($0)" } ?? "never shown"
            fail(.ends, "\(id) has not ended at \(laptop.name): \(state), \(lead.trials) trials")
        }
        for wish in wishes.wishes where wish.answer == nil {
            let laptop = laptops[wish.seat]
            guard laptop.start == wish.start, laptop.isAwake, laptop.forger == nil else { continue }
            fail(.answered, "\(laptop.name) has waited for an answer since \(wish.at.nanoseconds / 1_000_000) ms")
        }
        for id in wishes.jobs where !byzantine.foreign.contains(id) {
            guard let job = wishes.known[id] else { continue }
            laws.tally.jobs += 1
            switch job.ending {
            case .finished: laws.tally.finished += 1
            case .failed: laws.tally.failed += 1
            case .lost, nil: laws.tally.lost += 1
            }
            guard let submitter = job.submitter, laptops[submitter].start == job.submitterStart,
                laptops[submitter].isAwake, laptops[submitter].forger == nil
            else { continue }
            if laptops[submitter].observed.endings[id] == nil {
                fail(.told, "\(laptops[submitter].name) did not hear how its \(id) ended")
            }
        }
        laws.tally.lies = laptops.reduce(0) { $0 + $1.observed.lies.values.reduce(0) { $0 + Int($1) } }
    }
}
