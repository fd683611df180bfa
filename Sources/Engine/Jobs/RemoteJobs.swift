import PotluckCore

/// The jobs that other nodes coordinate, as those nodes show them.
struct RemoteJobs: Sendable {
    private struct Shown: Sendable {
        let coordinator: NodeID
        let epoch: UInt64
        let spec: JobSpec
        var course: [CoursePoint] = []
        var guesses = Guesses()
        /// Whether it failed or its result came.
        var isOver = false
        /// Whether every screen hides the exact answers.
        var hidesExact = false
        /// Whether the user was told that contact with its coordinator is lost.
        var isAwaited = false
        /// Whether the user was told that it counts as lost.
        var isGivenUp = false
        /// When its coordinator left, or returned without having announced the job since. Nil while all is well.
        var lostAt: Instant?
    }

    /// A job passes fewer checkpoints than this.
    private static let mostCourse = 224

    private var jobs = OrderedTable<JobID, Shown>()

    /// Returns the node that coordinates a job; nil if no other node announced it.
    func coordinator(of id: JobID) -> NodeID? { jobs[id]?.coordinator }

    /// Whether a job is among these that is not over, and for which `condition` holds.
    func contains(where condition: (JobID) -> Bool) -> Bool {
        jobs.elements.contains { !$0.value.isOver && condition($0.key) }
    }

    /// A coordinator announces a job. `name` is the name that the user sees for that node. `isEnding` means that
    /// the job does not continue, because its result follows.
    mutating func job(
        _ id: JobID, _ spec: JobSpec, epoch: UInt64, from coordinator: NodeID, name: String, isEnding: Bool = false,
        _ turn: inout Turn
    ) {
        if let shown = jobs[id], shown.coordinator != coordinator {
            guard shown.lostAt != nil || shown.isAwaited || (epoch, coordinator) > (shown.epoch, shown.coordinator)
            else { return }
        }
        if !isEnding, let shown = jobs[id], !shown.isOver, shown.isAwaited || shown.coordinator != coordinator {
            turn.tell(.news(.continues(id, coordinator, name: name)))
        }
        guard jobs[id] != nil || makeRoom(for: coordinator, &turn) else { return }
        jobs[id] = Shown(coordinator: coordinator, epoch: epoch, spec: spec)
    }

    /// Makes room for another job of a coordinator: forgets one that is over, or else gives up one that the coordinator
    /// has not mentioned since its link was lost. Returns false if there is none. An honest coordinator does not have
    /// so many jobs.
    private mutating func makeRoom(for coordinator: NodeID, _ turn: inout Turn) -> Bool {
        let theirs = jobs.elements.filter { $0.value.coordinator == coordinator }
        guard theirs.count >= JobLimits.shown else { return true }
        guard
            let oldest = theirs.first(where: { $0.value.isOver || $0.value.isGivenUp })
                ?? theirs.first(where: { $0.value.lostAt != nil })
        else { return false }
        jobs[oldest.key] = nil
        if oldest.value.lostAt != nil, !oldest.value.isOver { turn.tell(.lost(oldest.key)) }
        return true
    }

    /// Returns the jobs that are open as far as this node knows, each with its simulation's name.
    var open: [JobID: String] {
        var open: [JobID: String] = [:]
        for (id, shown) in jobs.elements where !shown.isOver && !shown.isGivenUp {
            open[id] = shown.spec.experiment.simulation.name
        }
        return open
    }

    /// The jobs whose end is not known. Any coordinator may know it: this node may not have seen that another one continued
    /// the job, and the one that it follows need not know more.
    var unresolved: [JobID] { jobs.elements.filter { !$0.value.isOver }.map(\.key) }

    /// The coordinator of a job, which is connected, does not know any more how the job ended.
    mutating func forgotten(_ id: JobID, by coordinator: NodeID, name: String, _ turn: inout Turn) {
        guard let shown = jobs[id], !shown.isOver, shown.coordinator == coordinator else { return }
        jobs[id] = nil
        turn.tell(.news(.forgotten(id, coordinator, name: name)))
        if !shown.isGivenUp { turn.tell(.lost(id)) }
    }

    /// Removes a job, because this node coordinates it itself now.
    mutating func forget(_ id: JobID) { jobs[id] = nil }

    /// Adds the readings at a checkpoint to a job's course.
    mutating func course(_ id: JobID, _ index: Int, _ point: CoursePoint, from coordinator: NodeID) {
        guard let shown = jobs[id], shown.coordinator == coordinator, index <= shown.course.count,
            index < Self.mostCourse
        else { return }
        jobs.change(id) {
            // A wrong result was taken out, and the checkpoints after it are judged again.
            $0.course.removeLast($0.course.count - index)
            $0.course.append(point)
        }
    }

    /// Adds what people guessed of a job, as its coordinator tells it. The next picture shows it.
    mutating func guesses(_ id: JobID, _ guesses: [Guess], from coordinator: NodeID) {
        guard jobs[id]?.coordinator == coordinator else { return }
        jobs.change(id) { $0.guesses.add(guesses) }
    }

    /// A coordinator sends the current picture of a job. While contact with the coordinator is lost, the last picture
    /// may come from another node.
    mutating func picture(_ picture: JobPicture, from coordinator: NodeID, _ turn: inout Turn) {
        guard let shown = jobs[picture.id],
            shown.coordinator == coordinator || !shown.isOver && shown.isAwaited && picture.state.isOver
        else { return }
        // Of a job that is over, only the hiding of exact answers can change.
        guard !shown.isOver || picture.state.isDone && picture.hidesExact != shown.hidesExact else { return }
        jobs.change(picture.id) { $0.hidesExact = picture.hidesExact }
        turn.tell(.snapshot(JobSnapshot(shown.spec, course: shown.course, guesses: shown.guesses.list, picture)))
        if case .failed(let why) = picture.state {
            jobs.change(picture.id) { $0.isOver = true }
            turn.end(picture.id, .failed(picture.id, why))
        }
    }

    /// A job's result came. Another node may have continued and ended a job whose coordinator was lost before it met
    /// this node.
    mutating func result(_ id: JobID, _ result: JobResult, from coordinator: NodeID, _ turn: inout Turn) {
        guard let shown = jobs[id], !shown.isOver, shown.coordinator == coordinator || shown.isAwaited else { return }
        jobs.change(id) { ($0.isOver, $0.hidesExact) = (true, result.hidesExact) }
        turn.end(id, .finished(id, result, isOurs: false))
    }

    // MARK: Lost coordinators

    /// Tells the user that contact with a coordinator is lost. Called when its link is lost. Returns its open jobs if the
    /// user was not told before.
    @discardableResult
    mutating func awaits(_ coordinator: NodeID, name: String, _ turn: inout Turn) -> [JobID] {
        var orphans: [JobID] = []
        for (id, shown) in jobs.elements where shown.coordinator == coordinator && !shown.isOver && !shown.isAwaited {
            jobs.change(id) { $0.isAwaited = true }
            turn.tell(.news(.orphaned(id, coordinator, name: name)))
            orphans.append(id)
        }
        return orphans
    }

    /// A coordinator has a link again and announces its jobs. Jobs that it does not announce in time are lost.
    mutating func back(_ coordinator: NodeID, now: Instant) {
        for (id, shown) in jobs.elements where shown.coordinator == coordinator && !shown.isOver && !shown.isGivenUp {
            jobs.change(id) { $0.lostAt = now }
        }
    }

    /// A coordinator is gone. It may return, or another node may continue its jobs. Returns what `awaits` returns.
    @discardableResult
    mutating func lost(_ coordinator: NodeID, name: String, _ turn: inout Turn) -> [JobID] {
        let orphans = awaits(coordinator, name: name, &turn)
        for (id, shown) in jobs.elements where shown.coordinator == coordinator && !shown.isGivenUp {
            if shown.isOver {
                jobs[id] = nil
            } else {
                jobs.change(id) { $0.lostAt = turn.now }
            }
        }
        return orphans
    }

    /// Starts every timeout over. Called after this laptop slept, because it heard nothing meanwhile.
    mutating func slept(_ now: Instant) {
        for (id, shown) in jobs.elements where shown.lostAt != nil { jobs.change(id) { $0.lostAt = now } }
    }

    var wakeTime: Instant? { jobs.elements.compactMap { $0.value.lostAt.map { $0 + JobLimits.lostJobTimeout } }.min() }

    /// The jobs that no node has continued in time, each with its coordinator.
    func due(_ now: Instant) -> [(id: JobID, coordinator: NodeID)] {
        jobs.elements.filter { $0.value.lostAt.map { $0 + JobLimits.lostJobTimeout <= now } ?? false }
            .map { ($0.key, $0.value.coordinator) }
    }

    /// Gives up these jobs. Their coordinators may return much later, and are asked then how the jobs ended.
    mutating func woke(_ turn: inout Turn) {
        for (id, _) in due(turn.now) {
            if jobs[id]?.isOver == true {
                jobs[id] = nil
            } else {
                jobs.change(id) { ($0.isAwaited, $0.isGivenUp, $0.lostAt) = (true, true, nil) }
                turn.tell(.lost(id))
            }
        }
        let givenUp = jobs.elements.filter(\.value.isGivenUp)
        for (id, _) in givenUp.dropLast(JobLimits.shown) { jobs[id] = nil }
    }
}
