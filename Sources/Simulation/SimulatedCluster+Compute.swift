import PotluckCore
import PotluckEngine
import PotluckKit

/// A chunk to compute, with everything that a core needs for it.
struct ChunkTask {
    let chunk: Chunk
    let experiment: Experiment
    let trials: UInt64?
    let duty: Duty
}

/// A laptop's cores, the chunks that they compute, and the chunks that wait for them.
struct Bench {
    struct Working {
        let task: ChunkTask
        /// The number of the task. It changes when the task is rescheduled, so that the earlier end is ignored.
        let number: Int
        let begun: Instant
        let blockCost: Duration
        /// The number of blocks that had been computed here before this task, which a moody simulation remembers.
        let memory: UInt64
        /// The block before which it ends; at most its chunk's end.
        var end: UInt64
    }

    static let broken = "this laptop is broken"

    var cores = 1
    /// When the last reading of each job ends: the tallies of a job are read one after the other.
    var readUntil: [JobID: Instant] = [:]
    /// The waiting chunks of the worker, and those of audits, which go first.
    var queued: ArraySlice<ChunkTask> = []
    var urgent: [ChunkTask] = []
    var working: [Working] = []
    var begun = 0
    /// The number of blocks computed here, which a moody simulation remembers.
    var memory: UInt64 = 0
    /// The tasks that would have ended while the laptop slept.
    var late: [Int] = []
    /// The outcomes that are delivered together.
    var done: [ChunkOutcome] = []
    /// Since when each job can be computed here.
    var readySince: [JobID: Instant] = [:]
    /// The best solution of each search that this laptop knows.
    var known: [JobID: Best] = [:]

    mutating func learn(_ best: Best, of id: JobID) { known[id] = min(best, known[id] ?? Best()) }
}

extension SimulatedCluster {
    func truth<Value>(_ experiment: Experiment, _ body: (inout Truth) -> Value) -> Value {
        let key = TruthKey(seed: experiment.seed, blockSize: experiment.blockSize)
        return body(&truths[key, default: Truth(experiment)])
    }

    func prepare(_ laptop: Laptop, _ id: JobID, _ recipe: JobRecipe) {
        let experiment = recipe.experiment
        laptop.storage.recipes[id] = recipe
        for blob in recipe.blobs { laptop.storage.shelf.hold(blob.hash, for: .job(id)) }
        laptop.bench.known[id] = nil
        if sabotage == .nothingIsReady { return }
        let lacks = experiment.kind == nil || experiment.kind?.isEverywhere == false && laptop.character.lacks
        let facts = VirtualSimulation.facts(experiment)
        let (seat, start) = (laptop.seat, laptop.start)
        after(.microseconds(50)...(chance(0.1) ? .seconds(1) : .milliseconds(5))) { room in
            var preparation = lacks ? Preparation.impossible("there is no such simulation here") : .ready(facts)
            for blob in recipe.blobs where !lacks {
                if room.laptops[seat].storage.shelf[blob.hash] == nil { preparation = .lacks(blob) }
            }
            if let module = recipe.module, room.laptops[seat].storage.shelf[module.hash] != nil {
                room.laptops[seat].storage.shelf.put(module, for: .disk)
            }
            guard case .ready = preparation else { return room.handle(seat, start: start, .prepared(id, preparation)) }
            // A busy laptop gives up, and is ready after all. A coordinator that gives up refuses the job.
            guard room.laptops[seat].character.slowness > 1, room.chance(Self.late), let leader = room.leader(of: id),
                leader.seat != seat
            else {
                return room.isReady(seat, start: start, id, facts)
            }
            room.handle(seat, start: start, .prepared(id, .impossible("it is not ready yet")))
            room.after(.seconds(1)...(.seconds(30))) { $0.isReady(seat, start: start, id, facts) }
        }
    }

    /// The share of slow workers that are ready only after they have given up.
    private static let late = 0.3

    private func isReady(_ seat: Int, start: Int, _ id: JobID, _ facts: JobFacts) {
        if laptops[seat].start == start { laptops[seat].bench.readySince[id] = now }
        handle(seat, start: start, .prepared(id, .ready(facts)))
    }

    func read(_ laptop: Laptop, _ request: ReadRequest) {
        var request = request
        if request.purpose == .opening {
            let first = laptop.storage.recipes[request.job].flatMap { recipe in
                truth(recipe.experiment) { $0.tally(of: request.trials) }
            }
            request = ReadRequest(
                job: request.job, tally: first ?? VirtualSimulation.layout.empty, trials: request.trials,
                purpose: .opening)
        }
        let readings = VirtualSimulation.readings(request.tally, trials: request.trials)
        let (seat, start) = (laptop.seat, laptop.start)
        let slowest: Duration = chance(0.05) ? .milliseconds(50) : .microseconds(200)
        let quick = random.duration(from: .microseconds(20), to: slowest)
        let time =
            max(now, laptop.bench.readUntil[request.job] ?? now)
            + (laptop.storage.recipes[request.job]?.experiment.slowReading ?? quick)
        laptop.bench.readUntil[request.job] = time
        if case .picture = request.purpose {
            laptop.observed.unread[request.job, default: 0] += 1
            if laptop.observed.unread[request.job, default: 0] > Laws.mostUnread {
                fail(
                    .bounded,
                    "\(laptop.name) waits for \(laptop.observed.unread[request.job] ?? 0) pictures of \(request.job)")
            }
        }
        at(time) { [request] room in
            if case .picture = request.purpose { room.laptops[seat].observed.unread[request.job, default: 1] -= 1 }
            room.handle(seat, start: start, .read(request, readings))
        }
    }

    func compute(_ laptop: Laptop, _ task: ChunkTask) {
        // As in the real shell, a chunk's output is kept only if its job is known here and its output is wanted.
        if laptop.storage.recipes[task.chunk.attempt.job]?.collects == true {
            laptop.storage.shelf.expect(task.chunk.attempt)
        }
        if task.duty != .worker { laptop.bench.urgent.append(task) } else { laptop.bench.queued.append(task) }
        if laptop.bench.queued.count > 2 * LentChunk.most, laptop.forger == nil {
            fail(.bounded, "\(laptop.bench.queued.count) chunks wait on \(laptop.name)")
        }
        fill(laptop)
    }

    /// Starts waiting chunks on free cores. Chunks of audits go first. A laptop without cores still has one thread for
    /// them.
    func fill(_ laptop: Laptop) {
        while laptop.bench.working.count < max(1, laptop.bench.cores) {
            if !laptop.bench.urgent.isEmpty {
                begin(laptop, laptop.bench.urgent.removeFirst())
            } else if laptop.bench.cores > 0, let next = laptop.bench.queued.popFirst() {
                begin(laptop, next)
            } else {
                return
            }
        }
    }

    private func begin(_ laptop: Laptop, _ task: ChunkTask) {
        laptop.bench.begun += 1
        let blocks = task.chunk.blocks
        if task.duty.isFresh { laptop.bench.memory = 0 }
        // The cost varies from half to one and a half of the usual.
        let usual = min(task.experiment.cost.nanoseconds, 1 << 40) * laptop.character.slowness
        let cost = Duration.nanoseconds(usual / 2 + Int64(random.next(below: UInt64(max(1, usual)))))
        laptop.bench.working.append(
            Bench.Working(
                task: task, number: laptop.bench.begun, begun: now, blockCost: cost,
                memory: laptop.bench.memory,
                end: laptop.character.stints ? blocks.upperBound : task.experiment.end(of: blocks, each: cost)))
        laptop.bench.memory &+= UInt64(blocks.count)
        if let bound = task.chunk.bound, !bound.isFixed { laptop.bench.learn(bound.best, of: task.chunk.attempt.job) }
        schedule(laptop, laptop.bench.working[laptop.bench.working.count - 1])
    }

    private func schedule(_ laptop: Laptop, _ working: Bench.Working) {
        guard !laptop.character.isStuck else { return }
        let (seat, start, number) = (laptop.seat, laptop.start, working.number)
        let blocks = working.task.chunk.blocks
        if isAbsurd(working.task) {
            // Such a chunk never ends if it belongs to a real job.
            if byzantine.foreign.contains(working.task.chunk.attempt.job) {
                after(.milliseconds(1)) { $0.finish(seat, start, number) }
            }
            return
        }
        let trap = working.task.experiment.trap
        let last = blocks.contains(trap) ? min(working.end, trap) : working.end
        let units = working.task.experiment.units(in: blocks.lowerBound..<last)
        var end = working.begun + working.blockCost * Int(units)
        if working.task.experiment.kind == .search { end = end + VirtualSearch.least }
        if laptop.character.fails { end = now + .microseconds(200) } else { planImprovement(laptop, working) }
        at(end) { $0.finish(seat, start, number) }
    }

    private func finish(_ seat: Seat, _ start: Int, _ number: Int) {
        let laptop = laptops[seat]
        guard laptop.start == start, laptop.isRunning,
            let index = laptop.bench.working.firstIndex(where: { $0.number == number })
        else { return }
        // Cores sleep with the laptop.
        guard !laptop.faults.isAsleep else { return laptop.bench.late.append(number) }
        guard !laptop.character.isStuck else { return }
        let working = laptop.bench.working.remove(at: index)
        deliver(laptop, outcome(laptop, working))
        fill(laptop)
    }

    private func outcome(_ laptop: Laptop, _ working: Bench.Working) -> ChunkOutcome {
        let (task, blocks) = (working.task, working.task.chunk.blocks)
        let attempt = task.chunk.attempt
        if laptop.character.fails {
            return .failed(ChunkFailure(attempt: attempt, block: blocks.lowerBound, text: Bench.broken))
        }
        if isAbsurd(task) {
            return .failed(ChunkFailure(attempt: attempt, block: blocks.lowerBound, text: "it makes no sense"))
        }
        let trap = task.experiment.trap
        if trap >= blocks.lowerBound, trap < working.end {
            return .failed(ChunkFailure(attempt: attempt, block: trap, text: "it trapped"))
        }
        let busy = working.blockCost * Int(task.experiment.units(in: blocks.lowerBound..<working.end))
        if let search = VirtualSearch(task.experiment) {
            let tally = searched(laptop, task, search, upTo: working.end)
            let effort = SearchEffort(expanded: working.end - blocks.lowerBound)
            return .done(ChunkResult(attempt: attempt, end: working.end, tally: tally, busy: busy, effort: effort))
        }
        let computed = truth(task.experiment) { $0.tally(of: blocks.lowerBound..<working.end, trials: task.trials) }
        guard var tally = computed else {
            fail(.bounded, "\(laptop.name) is to compute blocks \(blocks), which do not exist")
            return .failed(ChunkFailure(attempt: attempt, block: blocks.lowerBound, text: "no such block"))
        }
        if sabotage == .wrongBlock, blocks.contains(0), working.end > 0 { tally[2] += 1 }
        let count = working.end - blocks.lowerBound
        if task.experiment.kind == .moody, count > 0 { tally[2] &+= working.memory &* count &+ count &* count &+ 1 }
        if count > 0, mayLie(laptop, attempt, task.experiment, count) {
            tally[2] ^= 1
            laptop.observed.lies[attempt.job, default: 0] += 1
            note("\(laptop.name) lies about \(blocks)")
        }
        let output = write(laptop, attempt, task.experiment, blocks.lowerBound..<working.end, tally)
        return .done(ChunkResult(attempt: attempt, end: working.end, tally: tally, busy: busy, output: output))
    }

    /// Returns whether the laptop makes a chunk's tally wrong. A laptop that `stints` does so only for chunks longer
    /// than any honest one, and only in its first eight, all of which are audited.
    func mayLie(_ laptop: Laptop, _ attempt: AttemptID, _ experiment: Experiment, _ count: UInt64) -> Bool {
        guard laptop.character.lies > 0 else { return false }
        guard laptop.character.stints else { return random.next(below: laptop.character.lies) == 0 }
        laptop.observed.chunks[attempt.job, default: 0] += 1
        return count > experiment.mostInChunk && laptop.observed.chunks[attempt.job, default: 0] <= 8
    }

    /// Returns whether a chunk comes from a forged message: its blocks, its simulation or its cost cannot exist.
    private func isAbsurd(_ task: ChunkTask) -> Bool {
        guard !byzantine.tempers.isEmpty else { return false }
        if task.experiment.kind == .search {
            return VirtualSearch(task.experiment) == nil || task.chunk.blocks.upperBound > SearchSpace.points
        }
        return task.chunk.blocks.upperBound > Truth.most || task.experiment.kind == nil
            || task.experiment.cost > .seconds(1)
    }

    /// Hands an outcome to the engine, sometimes together with later ones.
    private func deliver(_ laptop: Laptop, _ outcome: ChunkOutcome) {
        laptop.bench.done.append(outcome)
        guard laptop.bench.done.count == 1 else { return }
        let (seat, start) = (laptop.seat, laptop.start)
        after(chance(0.2) ? .milliseconds(3) : .zero) { room in
            let laptop = room.laptops[seat]
            guard laptop.start == start, !laptop.bench.done.isEmpty else { return }
            let outcomes = laptop.bench.done
            laptop.bench.done = []
            room.handle(seat, .computed(outcomes))
        }
    }

    /// Finishes, after a sleep, the tasks that would have ended during it.
    func resume(_ laptop: Laptop) {
        let late = laptop.bench.late
        laptop.bench.late = []
        let (seat, start) = (laptop.seat, laptop.start)
        for number in late { after(.milliseconds(1) ... .milliseconds(50)) { $0.finish(seat, start, number) } }
    }

    // MARK: Interrupting and dropping

    /// Ends a job's running chunks at the next block, and returns its waiting ones empty.
    func interrupt(_ laptop: Laptop, _ id: JobID) {
        let waiting = (laptop.bench.urgent + laptop.bench.queued).filter { $0.chunk.attempt.job == id }
        laptop.bench.queued.removeAll { $0.chunk.attempt.job == id }
        laptop.bench.urgent.removeAll { $0.chunk.attempt.job == id }
        for index in laptop.bench.working.indices where laptop.bench.working[index].task.chunk.attempt.job == id {
            var working = laptop.bench.working[index]
            let blocks = working.task.chunk.blocks
            if isAbsurd(working.task) {
                at(now) { [seat = laptop.seat, start = laptop.start, number = working.number] in
                    $0.finish(seat, start, number)
                }
                continue
            }
            let done = UInt64((now - working.begun).nanoseconds / max(1, working.blockCost.nanoseconds)) + 1
            let end = working.task.experiment.end(after: done, of: blocks)
            guard end < working.end else { continue }
            laptop.bench.begun += 1
            working = Bench.Working(
                task: working.task, number: laptop.bench.begun, begun: working.begun, blockCost: working.blockCost,
                memory: working.memory, end: end)
            laptop.bench.working[index] = working
            schedule(laptop, working)
        }
        for task in waiting {
            deliver(
                laptop,
                .done(
                    ChunkResult(
                        attempt: task.chunk.attempt, end: task.chunk.blocks.lowerBound,
                        tally: VirtualSimulation.facts(task.experiment).layout.empty, busy: .zero)))
        }
    }

    /// Drops attempts. Those that are running may still run to their end.
    func drop(_ laptop: Laptop, _ attempts: [AttemptID]) {
        let unwanted = Set(attempts)
        laptop.bench.queued.removeAll { unwanted.contains($0.chunk.attempt) }
        laptop.bench.urgent.removeAll { unwanted.contains($0.chunk.attempt) }
        laptop.storage.shelf.drop(attempts)
        if chance(0.7) { laptop.bench.working.removeAll { unwanted.contains($0.task.chunk.attempt) } }
        fillSoon(laptop)
    }

    func stepDown(_ laptop: Laptop, _ id: JobID) {
        forgetWritten(laptop, id)
        laptop.bench.queued.removeAll { $0.chunk.attempt.job == id }
        laptop.bench.urgent.removeAll { $0.chunk.attempt.job == id }
        laptop.bench.working.removeAll { $0.task.chunk.attempt.job == id }
        laptop.bench.done.removeAll { $0.attempt.job == id }
        (laptop.bench.known[id], laptop.bench.readySince[id]) = (nil, nil)
        fillSoon(laptop)
    }

    private func fillSoon(_ laptop: Laptop) {
        let (seat, start) = (laptop.seat, laptop.start)
        after(.zero) { room in
            if room.laptops[seat].start == start { room.fill(room.laptops[seat]) }
        }
    }

    /// Restores normal behaviour, and reschedules the tasks. A task that was begun slowly continues at the usual speed.
    func mend(_ laptop: Laptop) {
        guard laptop.character.isStuck || laptop.character.fails || laptop.character.slowness > 1 else { return }
        (laptop.character.isStuck, laptop.character.fails, laptop.character.slowness) = (false, false, 1)
        for index in laptop.bench.working.indices {
            laptop.bench.begun += 1
            let old = laptop.bench.working[index]
            let cost = min(old.blockCost, old.task.experiment.cost)
            let taken = now - old.begun
            let done = Int(taken.nanoseconds / max(1, old.blockCost.nanoseconds))
            let working = Bench.Working(
                task: old.task, number: laptop.bench.begun, begun: old.begun + (taken - cost * done), blockCost: cost,
                memory: old.memory, end: old.end)
            laptop.bench.working[index] = working
            schedule(laptop, working)
        }
        fillSoon(laptop)
    }
}
