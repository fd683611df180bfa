import PotluckModel

/// Where a coordinator's ledger is written down, as a journal on a real disk does it: in groups, a little later, and in the
/// order in which it was said.
struct VirtualDisk {
    /// What is there after a crash of the node.
    private(set) var safe = KeptJobs()
    /// What is there after the power went: a moment of before, nothing in between.
    private var older = KeptJobs()
    private var waiting: [JournalChange] = []
    private var appended: UInt64 = 0
    /// The jobs that the node has said it took, and not let go of since: they must be there after a crash.
    var promised: Set<JobID> = []
    /// The jobs whose cancelling it has confirmed: they must not go on after a crash.
    var stopped: Set<JobID> = []
    /// Nothing more fits.
    var isFull = false
    var isCommitPlanned = false

    mutating func append(_ changes: [JournalChange]) {
        waiting += changes
        appended += UInt64(changes.count)
    }

    /// Tells up to which change all is safe now.
    mutating func commit(keeping isKept: Bool = true) -> UInt64 {
        if isKept { for change in waiting { safe.apply(change) } }
        waiting = []
        return appended
    }

    /// What was committed reaches the platter.
    mutating func sync() { older = safe }

    /// The node is no more, and counts anew when it starts again.
    mutating func crash(powerFails: Bool) {
        if powerFails { safe = older }
        older = safe
        promised.formIntersection(safe.jobs.keys)
        stopped.formIntersection(safe.jobs.keys)
        (waiting, appended, isFull, isCommitPlanned) = ([], 0, false, false)
    }
}

extension Room {
    func record(_ laptop: Laptop, _ changes: [JournalChange]) {
        guard laptop.disk != nil else { return fail(.kept, "\(laptop.name) writes down what nobody keeps") }
        for case .forgotten(let id) in changes {
            if let lead = laptop.leads[id], !lead.isOver, isJudged(id, by: laptop) {
                fail(.kept, "\(laptop.name) forgets \(id) before it has told how it ended")
            }
            laptop.disk?.promised.remove(id)
        }
        laptop.disk?.append(changes)
        guard let disk = laptop.disk, !disk.isCommitPlanned, !disk.isFull else { return }
        laptop.disk?.isCommitPlanned = true
        let (seat, start) = (laptop.seat, laptop.start)
        after(.zero ... .milliseconds(60)) { $0.commit(seat, start) }
    }

    private func commit(_ seat: Seat, _ start: Int) {
        let laptop = laptops[seat]
        guard laptop.start == start, laptop.isRunning, var disk = laptop.disk, !disk.isFull else { return }
        disk.isCommitPlanned = false
        let number = disk.commit(keeping: sabotage != .forgetfulDisks)
        if chance(0.2) { disk.sync() }
        laptop.disk = disk
        handle(seat, .durable(number))
    }

    /// Nothing more can be written down for a while.
    func fillDisk(_ seat: Seat, for time: Duration) {
        let laptop = laptops[seat]
        guard laptop.isAwake, laptop.disk?.isFull == false else { return }
        note("the disk of \(laptop.name) is full for \(time)")
        laptop.disk?.isFull = true
        trouble([seat], for: time)
        handle(seat, .journal(trouble: "the disk is full"))
        let start = laptop.start
        after(time) { room in
            guard room.laptops[seat].start == start, room.laptops[seat].isRunning else { return }
            room.laptops[seat].disk?.isFull = false
            room.handle(seat, .journal(trouble: nil))
            room.commit(seat, start)
        }
    }

    /// What was promised survives the node, as long as its disk does.
    func checkDisk(_ laptop: Laptop) {
        guard let disk = laptop.disk else { return }
        for id in wishes.jobs where isJudged(id, by: laptop) && disk.promised.contains(id) && disk.safe.jobs[id] == nil
        {
            fail(.kept, "\(laptop.name) has said that it took \(id), and does not know of it any more")
        }
        for job in disk.safe.unfinished where disk.stopped.contains(job.record.id) && job.end == nil {
            guard isJudged(job.record.id, by: laptop) else { continue }
            fail(.kept, "\(laptop.name) has confirmed that \(job.record.id) is cancelled, and would go on with it")
        }
    }
}
