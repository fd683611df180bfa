import PotluckCore

/// The queue of jobs.
///
/// The jobs of a submitter begin in the order of their priority, and those of the same priority as they came. A job is
/// ahead of the others while it has chunks to hand out, except on nodes that it cannot use. While it is paused, or waits
/// for its start or for workers, it is ahead of none. So no node is idle that one of the jobs could use. Jobs that have
/// begun take turns, and a job that resumes joins them without queueing again.
extension Coordinator {
    /// Begins the jobs that can begin. Returns whether one began.
    mutating func beginWhatCan(_ turn: inout Turn) -> Bool {
        guard journalTrouble == nil else { return false }
        var hasBegun = false
        for index in runs.indices {
            guard case .waiting = runs[index].phase, runs[index].keeping.mayBegin else { continue }
            if runs[index].lineage.hasBegun, runs[index].ledger.left == 0 {
                // Nothing has to be computed; only the result has to be told.
                runs[index].begin(&turn)
            } else if let wait = wait(of: index, turn.now) {
                runs[index].phase = .waiting(wait)
                continue
            } else {
                runs[index].guess(from: lastPaces, runs[..<index])
                runs[index].begin(&turn)
                runs[index].publish(workers, &turn)
            }
            hasBegun = true
        }
        return hasBegun
    }

    /// Returns the wait of a job; nil if it can begin. The phases of the jobs ahead must be up to date; those of later
    /// ones, which are more urgent, are at the next turn.
    private mutating func wait(of index: Int, _ now: Instant) -> JobWait? {
        let (order, lineage) = (runs[index].taken.order, runs[index].lineage)
        let left = lineage.hasBegun ? .zero : lineage.takenAt + order.delay - now
        if left > .zero { return .start(left) }
        let submitter = runs[index].taken.submitter
        let ahead = runs.indices.filter { other in
            let (theirs, ours) = (runs[other].taken.order.priority, order.priority)
            return (theirs > ours || theirs == ours && other < index) && !arePoints(other, index)
                && runs[other].taken.submitter == submitter && runs[other].holdsLine(now)
        }
        let line = ahead.first.map { first in
            JobWait.line(
                ahead.count, behind: JobAhead(id: runs[first].id, name: runs[first].spec.experiment.simulation.name))
        }
        if let line, let first = ahead.first {
            // Usually one job keeps all nodes busy. Only otherwise is each node checked, and not at every event.
            let isIdle = runs[first].hasIdle || runs[first].capacity.capable.count < lenders
            if runs[first].isComputing, !isIdle { return line }
            if let lastLook, now != lastLook, now - lastLook < JobLimits.lineLook {
                if case .waiting(.workers(let ready, let wanted, let among)) = runs[index].phase {
                    return .workers(ready, of: wanted, among: among)
                }
                return line
            }
            lastLook = now
        }
        let wanted = lineage.hasBegun ? 1 : order.workers
        let ready = workers.keys.filter { mayUse($0, index) { $0 == .ready } }
        if ready.count < wanted {
            return .workers(ready.count, of: wanted, among: Array(order.nodes.prefix(JobWait.mostNames)))
        }
        return ready.allSatisfy { node in ahead.contains { isHeld(node, by: $0, now) } } ? line : nil
    }

    private func mayUse(_ node: NodeID, _ index: Int, _ stage: (WorkerProgress.Stage) -> Bool) -> Bool {
        guard let worker = workers[node], let progress = runs[index].workerProgress[node] else { return false }
        return worker.isConnected && worker.cores > 0 && stage(progress.stage) && runs[index].isAllowed(worker)
    }

    /// Whether a job that is ahead of others uses a node, or will use it once the node has prepared it. Near its end a
    /// job may have chunks left that are all set apart for other nodes.
    private func isHeld(_ node: NodeID, by index: Int, _ now: Instant) -> Bool {
        guard runs[index].isComputing else { return mayUse(node, index) { $0 == .ready || $0 == .preparing } }
        return mayUse(node, index) { $0 == .ready } && runs[index].workerProgress[node]?.isAble(now) == true
            && (!runs[index].hasIdle || runs[index].inHand(of: node) > 0)
    }

    /// Shows what the jobs that have not begun wait for.
    mutating func tellWaits(_ turn: inout Turn) {
        guard journalTrouble == nil else { return }
        for index in runs.indices {
            guard case .waiting(let wait) = runs[index].phase, runs[index].keeping.mayBegin else { continue }
            // Users see that workers are still preparing only if it takes long.
            if case .workers = wait, turn.now < runs[index].lineage.takenAt + JobLimits.preparing { continue }
            // The time until the start is sent once, and views count it down.
            guard runs[index].display.tells(wait) else { continue }
            runs[index].display.showOthersSoon(turn.now)
            runs[index].publish(workers, &turn)
        }
    }
}

extension JobRun {
    /// Whether later jobs of its submitter wait for it, on the nodes that it can use.
    fileprivate func holdsLine(_ now: Instant) -> Bool {
        switch phase {
        case .running, .stopping, .filling, .waiting(.line), .waiting(.simulation): ledger.left > 0
        // The nodes prepare jobs in their order, so those of this one will be ready first.
        case .waiting(.workers): now < lineage.takenAt + JobLimits.preparing
        // No node computes a job while its first trials are shown.
        case .waiting(.start), .opening, .paused, .concluding, .over: false
        }
    }
}
