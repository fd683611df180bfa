import PotluckCore

/// The disk with a coordinator's journal. Like a real journal it commits changes in groups, with a delay and in order.
struct VirtualDisk {
    /// The jobs that survive a crash of the node.
    private(set) var safe = KeptJobs()
    /// The jobs that survive a power failure: an earlier state of `safe`.
    private var older = KeptJobs()
    private var waiting: [JournalChange] = []
    private var appended: UInt64 = 0
    /// The jobs that the node has confirmed and not forgotten. They must survive a crash.
    var promised: Set<JobID> = []
    /// The jobs whose cancellation it has confirmed. They must not be resumed after a crash.
    var stopped: Set<JobID> = []
    /// Whether nothing more can be written.
    var isFull = false
    var isCommitPlanned = false

    mutating func append(_ changes: [JournalChange]) {
        waiting += changes
        appended += UInt64(changes.count)
    }

    /// Commits the waiting changes. Returns the number of changes that are safe now.
    mutating func commit(keeping isKept: Bool = true) -> UInt64 {
        if isKept { for change in waiting { safe.apply(change) } }
        waiting = []
        return appended
    }

    /// Makes committed changes survive a power failure.
    mutating func sync() { older = safe }

    /// Loses the changes that a crash loses. The next node numbers its changes from 0.
    mutating func crash(powerFails: Bool) {
        if powerFails { safe = older }
        older = safe
        promised.formIntersection(safe.jobs.keys)
        // A power failure may lose a cancellation that was confirmed a moment before, like everything else.
        stopped = stopped.filter { safe.jobs[$0].map { !powerFails || $0.end != nil } ?? false }
        (waiting, appended, isFull, isCommitPlanned) = ([], 0, false, false)
    }
}

extension SimulatedCluster {
    func record(_ laptop: Laptop, _ changes: [JournalChange]) {
        guard laptop.disk != nil else { return fail(.kept, "\(laptop.name) records changes but has no journal") }
        for case .forgotten(let id) in changes {
            if let lead = laptop.observed.leads[id], !lead.isOver, isJudged(id, by: laptop) {
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

    /// Fills the disk for a time.
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

    /// Checks that confirmed jobs and cancellations are on the disk.
    func checkDisk(_ laptop: Laptop) {
        guard let disk = laptop.disk else { return }
        for id in wishes.jobs where isJudged(id, by: laptop) && disk.promised.contains(id) && disk.safe.jobs[id] == nil
        {
            fail(.kept, "\(laptop.name) confirmed that it took \(id), but its journal has lost it")
        }
        for job in disk.safe.unfinished where disk.stopped.contains(job.record.id) && job.end == nil {
            guard isJudged(job.record.id, by: laptop) else { continue }
            fail(.kept, "\(laptop.name) confirmed that \(job.record.id) is cancelled, but would resume it")
        }
    }
}
