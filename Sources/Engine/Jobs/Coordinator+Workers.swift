import PotluckCore

/// The nodes that a coordinator is connected to, and the messages that they get.
extension Coordinator {
    /// A node has connected, or is this one. It is told of all jobs.
    mutating func joined(_ worker: Worker, _ turn: inout Turn) {
        workers[worker.node] = worker
        findAble()
        // Most nodes ask for the ends that they missed. Older ones do not.
        for ending in endings.suffix(JobLimits.toldEndings) where worker.node != own {
            if ending.nodes.contains(worker.node) {
                // The node may think that another node coordinates the job.
                claim(ending, to: worker.node, &turn)
                tell(ending, to: worker.node, &turn)
            } else if ending.epoch > 0 {
                // A node that has waited since an earlier coordinator needs the end; others ignore it.
                turn.promises.append(.mail(ending.message, to: worker.node))
            }
        }
        for index in runs.indices { announce(&runs[index], to: worker.node, &turn) }
    }

    /// Remembers how a job ended, so that a node that returns is told again.
    mutating func remember(
        _ message: JobMessage, of id: JobID, _ taken: TakenJob, _ spec: JobSpec, epoch: UInt64
    ) {
        endings.append(
            Ending(
                job: id, spec: spec, taken: taken, epoch: epoch, message: message,
                nodes: workers.keys + [taken.submitter], octets: message.length))
        var octets = endings.reduce(0) { $0 + $1.octets }
        while endings.count > JobLimits.endings
            || octets > JobLimits.endingOctets && endings.count > JobLimits.toldEndings
        {
            octets -= endings.removeFirst().octets
        }
    }

    /// Lets a node wait for the end of a job, however long the disk takes.
    private func claim(_ ending: Ending, to node: NodeID, _ turn: inout Turn) {
        turn.send(.job(ending.job, ending.spec, epoch: ending.epoch, known: Knowledge.whole), to: node)
    }

    /// Tells a node how a job ended, as soon as that is durable.
    private func tell(_ ending: Ending, to node: NodeID, _ turn: inout Turn) {
        for message in [ending.message, .over(ending.job)] { turn.promises.append(.mail(message, to: node)) }
    }

    /// A node asks how jobs ended, because its link or that of their coordinator was lost. Those that are not over were
    /// announced when it connected. `isElsewhere` says whether another node coordinates a job.
    mutating func asked(
        about jobs: [JobID], by node: NodeID, _ turn: inout Turn, isElsewhere: (JobID) -> Bool
    ) {
        guard let worker = workers[node], worker.questions < JobLimits.questions else { return }
        workers.change(node) { $0.questions += 1 }
        var unknown: [JobID] = []
        for id in jobs where !coordinates(id) {
            if let ending = endings.last(where: { $0.job == id }) {
                // Only of a job that was taken over may the node follow another coordinator, which it believes more than an
                // answer. This claim is the higher one. While the disk is full, it keeps the node waiting.
                if ending.epoch > 0 || journalTrouble != nil { claim(ending, to: node, &turn) }
                tell(ending, to: node, &turn)
            } else if !isElsewhere(id), !handedOver.contains(where: { $0.id == id }) {
                unknown.append(id)
            }
        }
        if !unknown.isEmpty { turn.send(.forgotten(unknown), to: node) }
    }

    /// The jobs here that another node may have continued and ended, before it met this one.
    var unresolved: [JobID] {
        runs.filter { !$0.isOver }.map(\.id)
            + pending.filter { if case .kept = $0.origin { true } else { false } }.map(\.id)
    }

    /// Announces a job to a node and shows it there. Does nothing if the node is not connected.
    func announce(_ run: inout JobRun, to node: NodeID, _ turn: inout Turn) {
        guard workers[node]?.isConnected == true, !run.isOver else { return }
        run.joined(node, isBrowser: workers[node]?.isBrowser ?? false, now: turn.now)
        turn.send(run.claim(turn.now), to: node)
        if node != own { run.show(to: node, workers, &turn) }
    }

    /// Takes all chunks of a node back. Called when it left or its link is lost.
    mutating func left(_ node: NodeID) {
        guard workers[node]?.isConnected == true else { return }
        workers.change(node) { $0.isConnected = false }
        findAble()
        for index in runs.indices { runs[index].lost(node) }
        forgetAbsent()
    }

    /// Forgets nodes that left, unless a job still shows them.
    mutating func forgetAbsent() {
        for node in workers.keys where workers[node]?.isConnected == false {
            if !runs.contains(where: { $0.workerProgress[node] != nil }) { workers[node] = nil }
        }
    }

    mutating func renamed(_ node: NodeID, _ name: String) { workers.change(node) { $0.name = name } }

    mutating func took(cores: Int, of node: NodeID, _ turn: inout Turn) {
        workers.change(node) { $0.cores = cores }
        findAble()
        for index in runs.indices {
            if cores == 0 { runs[index].rests(node, &turn) }
            runs[index].hasNews = true
        }
    }

    mutating func took(roundTrip: Duration, to node: NodeID) { workers.change(node) { $0.roundTrip = roundTrip } }
}
