import PotluckCore
import PotluckKit

/// How outputs are collected. A chunk counts only when its output is here.
extension JobRun {
    /// A worker has finished a chunk. Its output is fetched from that node.
    mutating func expect(
        _ result: WorkResult, _ blocks: Range<UInt64>, from node: NodeID, _ turn: inout Turn
    ) {
        guard let output = result.output else {
            return unable(node, "it sends no output", &turn)
        }
        pendingOutputs.add(PendingOutput(result: result, blocks: blocks, output: output, node: node))
        workerProgress.change(node) { $0.learn(octets: output.size, blocks: blocks.count) }
        turn.outputs.append((AttemptID(job: id, number: result.attempt), output, node))
    }

    /// Lets the shell check the output of a chunk. Called when it has arrived.
    mutating func came(_ attempt: UInt64, _ turn: inout Turn) {
        guard let pending = pendingOutputs[attempt] else { return }
        guard pendingOutputs.came(attempt) else {
            _ = pendingOutputs.take(attempt)
            _ = ledger.release(attempt, by: pending.node)
            return free(attempt, at: pending.node, &turn)
        }
        turn.act(
            .collect(
                AttemptID(job: id, number: attempt), pending.blocks, tally: pending.result.tally, pending.output))
    }

    /// The output of a chunk was lost. Returns the nodes that sent wrong bytes.
    mutating func lost(_ attempt: UInt64, _ loss: Blobs.Loss, _ turn: inout Turn) -> [NodeID] {
        guard let pending = pendingOutputs.take(attempt) else { return [] }
        switch loss {
        case .wrong: return [pending.node]
        case .notKept(let why):
            fail("its output cannot be kept here\(why.map { ": \($0)" } ?? "")", &turn)
            return []
        case .gone, .lacking, .late: break
        }
        _ = ledger.release(attempt, by: pending.node)
        free(attempt, at: pending.node, &turn)
        // Other nodes compute the blocks. That node gets chunks again later.
        workerProgress.change(pending.node) { $0.contact = .silent(until: turn.now + JobLimits.silence) }
        hasNews = true
        return []
    }

    /// The shell has checked the output of a chunk. Returns the nodes whose output was wrong.
    mutating func collected(
        _ attempt: UInt64, _ collected: Checked, _ turn: inout Turn
    ) -> [NodeID] {
        guard let pending = pendingOutputs.take(attempt) else { return [] }
        free(attempt, at: pending.node, &turn)
        switch collected {
        case .right: count(pending.result, from: pending.node, &turn)
        case .wrong where pending.node == own: fail("its output does not match its tally", &turn)
        case .wrong: return [pending.node]
        case .trouble(let why): fail(.other(why), &turn)
        }
        return []
    }

    /// Tells a worker that it need not keep the output of an attempt any more.
    func free(_ attempt: UInt64, at node: NodeID, _ turn: inout Turn) {
        if spec.collects { drop([attempt], at: node, &turn) }
    }

    /// The shell has joined all outputs, or failed to. Returns the job's result if it has one.
    mutating func sealed(
        _ sealed: Sealed, _ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn
    ) -> JobResult? {
        guard !isOver, let (request, readings, completion) = evaluation.unsealed else {
            // It was joined for an earlier run of this job on this node.
            if case .whole(let blob) = sealed { turn.act(.unseal(id, blob.hash)) }
            return nil
        }
        evaluation.unsealed = nil
        switch sealed {
        case .trouble(let why):
            fail(.other(why), &turn)
            return nil
        case .whole(let blob):
            // A node was shut out meanwhile.
            guard request.edition == evaluation.edition, audits.isEmpty else {
                turn.act(.unseal(id, blob.hash))
                phase.askAgain()
                conclude(&turn)
                return nil
            }
            return finish(request, readings, completion, blob, workers, &turn)
        }
    }
}

extension WorkerProgress {
    mutating func learn(octets: Int, blocks: Int) {
        let measured = Double(octets) / Double(max(1, blocks))
        // The estimate rises at once and falls slowly, because an output that is too long fills a worker's memory.
        octetsOfBlock = octetsOfBlock.map { max(measured, $0 + (measured - $0) / 3) } ?? measured
    }

    /// The most blocks of a chunk whose output is not too long.
    var mostBlocks: UInt64 {
        octetsOfBlock.map { UInt64(max(1, Double(JobLimits.chunkOutput) / max(1, $0))) } ?? .max
    }
}
