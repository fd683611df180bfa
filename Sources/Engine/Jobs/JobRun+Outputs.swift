import PotluckKit
import PotluckModel
import PotluckWire

/// How what chunks wrote comes together: a chunk counts only with its octets.
extension JobRun {
    /// A chunk is done, and what it wrote is at that node.
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

    /// The octets are here.
    mutating func came(_ attempt: UInt64, _ turn: inout Turn) {
        guard let pending = pendingOutputs[attempt] else { return }
        guard pendingOutputs.came(attempt) else {
            _ = pendingOutputs.take(attempt)
            _ = ledger.release(attempt, by: pending.node)
            return free(attempt, at: pending.node, &turn)
        }
        turn.effects.append(
            .collect(
                AttemptID(job: id, number: attempt), pending.blocks, tally: pending.result.tally, pending.output))
    }

    /// They do not come. Tells who lied about them.
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
        // Others do it, and that node is asked again later.
        workerProgress.change(pending.node) { ($0.isSilent, $0.silentUntil) = (true, turn.now + JobLimits.silence) }
        hasNews = true
        return []
    }

    /// The shell has looked at them. Tells who lied about them.
    mutating func collected(
        _ attempt: UInt64, _ collected: Collected, _ turn: inout Turn
    ) -> [NodeID] {
        guard let pending = pendingOutputs.take(attempt) else { return [] }
        free(attempt, at: pending.node, &turn)
        switch collected {
        case .right: count(pending.result, from: pending.node, &turn)
        case .wrong where pending.node == own: fail("its output does not match its tally", &turn)
        case .wrong: return [pending.node]
        case .trouble(let why): fail(why, &turn)
        }
        return []
    }

    /// What that attempt wrote need not be kept there any more.
    func free(_ attempt: UInt64, at node: NodeID, _ turn: inout Turn) {
        if spec.collects { drop([attempt], at: node, &turn) }
    }

    /// All that it wrote is one blob now, or cannot be. Tells what the job came to, where that is so.
    mutating func sealed(
        _ sealed: Sealed, _ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn
    ) -> JobResult? {
        guard !isOver, let (request, readings, completion) = evaluation.unsealed else {
            // It was joined for a run of this job before this one.
            if case .whole(let blob) = sealed { turn.effects.append(.unseal(id, blob.hash)) }
            return nil
        }
        evaluation.unsealed = nil
        switch sealed {
        case .trouble(let why):
            fail(why, &turn)
            return nil
        case .whole(let blob):
            // Somebody was shut out meanwhile.
            guard request.edition == evaluation.edition, audits.isEmpty else {
                turn.effects.append(.unseal(id, blob.hash))
                evaluation.isResultAsked = false
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
        // More at once, less little by little: what is too long a chunk waits in somebody's memory.
        octetsOfBlock = octetsOfBlock.map { max(measured, $0 + (measured - $0) / 3) } ?? measured
    }

    /// How many blocks a chunk may have, for what it writes not to be too long.
    var mostBlocks: UInt64 {
        octetsOfBlock.map { UInt64(max(1, Double(JobLimits.chunkOutput) / max(1, $0))) } ?? .max
    }
}
