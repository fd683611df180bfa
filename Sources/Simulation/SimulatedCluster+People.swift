import PotluckCore
import PotluckEngine

/// A user's request and its answer.
struct Wish {
    let token: UInt64
    let seat: Seat
    let start: Int
    let request: JobRequest
    let at: Instant
    var answer: JobAnswer?
}

/// A job that was taken.
struct KnownJob {
    let id: JobID
    var order: JobOrder?
    var ticket: JobTicket?
    /// The seat of the node that ordered it; nil if not known yet.
    var submitter: Seat?
    var submitterStart = 0
    /// Whether a user ever paused it.
    var wasPaused = false
    /// The first reported reason of its failure; nil if it has not failed.
    var told: String?
    /// How it ended, according to a coordinator; nil before.
    var ending: Laptop.Ending?
}

struct Wishes {
    var wishes: [Wish] = []
    /// The jobs in the order in which they were taken.
    var jobs: [JobID] = []
    var known: [JobID: KnownJob] = [:]
    /// The number of refused orders that may still be retried.
    var patience = 3
    var sweeps: [VirtualSweep] = []
    /// The length of the phase with faults.
    var war = Schedule.war
    /// Whether links are cut when jobs change, and also when they are ordered and handed over.
    var isBusy = false
    var cutsOnTheWay = false
    /// The generator for what busy evenings have rarely. A separate one, as for extremes.
    var rarity = SeededGenerator(seed: 0)
    /// The schedule does not end before.
    var staysUntil = Instant.start
}

extension SimulatedCluster {
    func want(_ seat: Seat, _ request: JobRequest) {
        let laptop = laptops[seat]
        guard laptop.isAwake else { return }
        let token = UInt64(wishes.wishes.count + 1)
        wishes.wishes.append(
            Wish(token: token, seat: seat, start: laptop.start, request: request, at: now, answer: nil))
        if case .command(.pause, let id, _) = request { wishes.known[id]?.wasPaused = true }
        handle(seat, .wanted(request, token: token))
    }

    func order(_ seat: Seat, _ order: JobOrder) {
        guard let ticket = JobTicket(random.octets(JobTicket.length)) else { return }
        // The laptop that orders has the files.
        for blob in order.recipe.blobs where laptops[seat].isAwake {
            laptops[seat].storage.shelf.put(blob, for: blob == order.module ? .disk : .ordered(ticket))
        }
        want(seat, .order(order, ticket))
    }

    func mayHost(_ laptop: Laptop) -> Bool { laptop.setup.session?.mode != .client }

    func answered(_ laptop: Laptop, _ answer: JobAnswer, _ token: UInt64) {
        let index = Int(token) - 1
        guard wishes.wishes.indices.contains(index), wishes.wishes[index].seat == laptop.seat,
            wishes.wishes[index].start == laptop.start, wishes.wishes[index].answer == nil
        else { return fail(.answered, "\(laptop.name) has an answer to a request that does not wait for one") }
        wishes.wishes[index].answer = answer
        let wish = wishes.wishes[index]
        settleOrder(laptop, wish, answer)
        if case .taken = answer { disturbOnTheWay(laptop) }
        let isOfSweep = sweepTook(answer, token)
        switch (wish.request, answer) {
        case (.order(let order, let ticket), .taken(let id)):
            if laptop.setup.session?.mode == .client, guests == .watches {
                fail(.roles, "\(laptop.name) may only watch, but its order was taken")
            }
            if let job = wishes.known[id], job.order != nil, job.order != order || job.ticket != ticket {
                // Only a Byzantine coordinator gives one job to two submitters.
                if byzantine.tempers.isEmpty { fail(.answered, "\(laptop.name) got another node's job") }
                return seize(id)
            }
            guard var job = wishes.known[id] else {
                pendingOrders[id] = (order, ticket, laptop.seat, laptop.start)
                return
            }
            (job.order, job.ticket, job.submitter, job.submitterStart) = (order, ticket, laptop.seat, laptop.start)
            wishes.known[id] = job
        case (.order(let order, _), .refused(let why)):
            guard !isOfSweep, !laptop.hasEnded, wishes.patience > 0 else { return }
            wishes.patience -= 1
            note("refused: \(why)")
            let host = laptops.first { mayHost($0) && $0.isAwake }?.seat ?? laptop.seat
            after(.milliseconds(500) ... .seconds(2)) { $0.order(host, order) }
        case (.command(let command, let id, let ticket), .taken):
            guard let job = wishes.known[id] else { return }
            // If the order was taken over a link that broke, its submitter is not known here.
            let isOwn = job.submitter == nil || job.submitter == laptop.seat && job.submitterStart == laptop.start
            if laptop.setup.session?.mode == .client, ticket == nil, !isOwn {
                fail(.roles, "\(laptop.name) may not \(command) another node's job")
            }
        case (.output(let id, let blob), .output(let given)):
            laws.tally.outputs += 1
            if given != blob { fail(.exact, "\(laptop.name) received another output than that of \(id)") }
        case (.output, .refused(let why)): note("\(laptop.name) has no output: \(why)")
        case (.command, .refused), (.withdraw, _), (.takeOver, _), (_, .takenOver), (.jobs, _), (_, .jobs): break
        case (.output, .taken), (_, .output): fail(.answered, "\(laptop.name) has the answer to another request")
        }
    }

    /// Passes an order's hold on its tables to the job, or releases it if the order was refused.
    private func settleOrder(_ laptop: Laptop, _ wish: Wish, _ answer: JobAnswer) {
        guard case .order(let order, let ticket) = wish.request, let payload = order.payload else { return }
        if case .taken(let id) = answer { laptop.storage.shelf.hold(payload.hash, for: .job(id)) }
        laptop.storage.shelf.release(payload.hash, .ordered(ticket))
    }

    // MARK: Ends of jobs

    func finished(_ laptop: Laptop, _ id: JobID, _ result: JobResult) {
        laptop.storage.shelf.release(all: id)
        end(laptop, id, .finished)
        judge(laptop, id, result)
        // The submitter fetches the output.
        guard let blob = result.output, let job = wishes.known[id], job.submitter == laptop.seat,
            job.submitterStart == laptop.start
        else { return }
        want(laptop.seat, .output(id, blob))
        disturbOnTheWay(laptop)
    }

    func failed(_ laptop: Laptop, _ id: JobID, _ why: String) {
        laptop.storage.shelf.release(all: id)
        end(laptop, id, .failed)
        judge(laptop, id, failed: why)
    }

    func lost(_ laptop: Laptop, _ id: JobID) {
        laptop.storage.shelf.release(all: id)
        if isJudged(id, by: laptop), laptop.observed.endings[id] != nil {
            fail(.told, "\(laptop.name) is told that \(id) is lost, after its end")
        }
        laptop.observed.endings[id] = .lost
        sweepEnded(laptop, id, isLost: true)
    }

    private func end(_ laptop: Laptop, _ id: JobID, _ ending: Laptop.Ending) {
        if isJudged(id, by: laptop), let before = laptop.observed.endings[id], before != .lost {
            fail(.told, "\(laptop.name) is told twice how \(id) ended")
        }
        laptop.observed.endings[id] = ending
        sweepEnded(laptop, id, isLost: false)
        guard laptop.observed.leads[id] != nil else { return }
        laptop.observed.leads[id]?.isOver = true
        wishes.known[id]?.ending = ending
    }
}
