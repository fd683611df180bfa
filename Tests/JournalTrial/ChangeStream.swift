import PotluckCore

/// An endless stream of changes as a ledger might make them. The same seed gives the same stream.
package struct ChangeStream {
    private struct Job {
        let id: JobID
        var next: UInt64 = 0
        var settled: UInt64 = 0
    }

    private var chance: SeededGenerator
    private var jobs: [Job] = []
    private var made: UInt64 = 0
    private let slots: Int
    /// Whether credits are told. Before version 3 of the ledger there were none.
    private let tellsCredits: Bool

    package init(seed: UInt64, slots: Int = 4, tellsCredits: Bool = true) {
        chance = SeededGenerator(seed: seed)
        self.slots = slots
        self.tellsCredits = tellsCredits
    }

    package static func node(_ number: UInt64) -> NodeID { NodeID([UInt8](repeating: UInt8(number), count: 16))! }

    /// Returns a made-up tally that differs for different ranges of blocks.
    private func tally(_ blocks: Range<UInt64>) -> [UInt64] {
        (0..<UInt64(slots)).map { blocks.lowerBound &* 31 &+ blocks.upperBound &* 0x9e37_79b9 &+ $0 }
    }

    private func settled(_ blocks: UInt64) -> SettledTally { SettledTally(blocks: blocks, tally: tally(0..<blocks)) }

    package mutating func next() -> JournalChange {
        guard jobs.count >= 2 else { return accept() }
        let index = Int(chance.next(below: UInt64(jobs.count)))
        let id = jobs[index].id
        switch chance.next(below: 100) {
        case ..<70: return .done(id, piece(of: index))
        case ..<84:
            let (low, high) = (jobs[index].settled, jobs[index].next)
            jobs[index].settled = low + chance.next(below: high - low + 1)
            return .settled(id, settled(jobs[index].settled))
        case ..<88: return .passed(id, settled(jobs[index].settled))
        case ..<91:
            jobs[index].settled /= 2
            return .rewritten(id, settled(jobs[index].settled))
        case ..<93:
            let isCredit = tellsCredits && chance.next(below: 2) == 0
            return isCredit ? .credited(id, credits()) : .ran(id, .nanoseconds(Int64(chance.next(below: 1 << 40))))
        case ..<94: return .judged(id, end: jobs[index].next)
        case ..<96: return .stands(id, chance.next(below: 2) == 0 ? .running : .paused)
        case ..<97: return .accepted(record(id, epoch: chance.next(below: 3)))
        case ..<98 where jobs.count > 3:
            jobs.remove(at: index)
            return chance.next(below: 2) == 0 ? .stands(id, .finished) : .forgotten(id)
        default: return jobs.count < 6 ? accept() : .stands(id, .running)
        }
    }

    private mutating func credits() -> [Credit] {
        (0..<chance.next(below: 4)).map { number in
            Credit(
                node: Self.node(number), name: String(repeating: "é", count: Int(chance.next(below: 12))),
                trials: chance.next(), effort: SearchEffort(expanded: chance.next(), inVain: chance.next()),
                recomputed: chance.next(below: 2) == 0 ? nil : chance.next() >> 1)
        }
    }

    /// Returns mostly the next blocks, and sometimes some that were done before.
    private mutating func piece(of index: Int) -> BlockTally {
        let (next, settled) = (jobs[index].next, jobs[index].settled)
        let isLate = chance.next(below: 10) == 0
        let first = isLate ? settled + chance.next(below: next - settled + 1) : next + chance.next(below: 3)
        let end = first + 1 + chance.next(below: 9)
        jobs[index].next = max(next, end)
        return BlockTally(blocks: first..<end, node: Self.node(chance.next(below: 5)), tally: tally(first..<end))
    }

    private mutating func accept() -> JournalChange {
        made += 1
        jobs.append(Job(id: JobID(made)))
        return .accepted(record(JobID(made), epoch: 0))
    }

    private func record(_ id: JobID, epoch: UInt64) -> JobRecord {
        JobRecord(
            id: id, spec: [UInt8](repeating: UInt8(truncatingIfNeeded: id.number), count: 40), simulation: "pi",
            submitter: "ana’s laptop", acceptedAt: 1_700_000_000_000, epoch: epoch)
    }
}
