import Glibc
import PotluckCore
import PotluckMachine

/// Measures the cost of a busy coordinator's journal: a hundred nodes with four cores each complete a chunk every 300
/// ms.
struct JournalCost {
    /// The path of the journal.
    let path: String
    /// The duration of the measurement on each side.
    let seconds: Double
    /// A loop in C that commits as many bytes at the same rate for that many seconds. Returns the share of a core that
    /// it uses.
    let reference: @convention(c) (UnsafePointer<CChar>, Double) -> Double

    private static let perSecond = 1333.0
    /// The slots of a tally with two means and their variances.
    private static let slots = 12

    func measure() {
        guard let journal = try? DiskJournal.open(at: path, news: { _ in }) else {
            fail("no journal at \(path)")
        }
        let id = JobID(1)
        journal.append([
            .accepted(JobRecord(id: id, spec: [1], simulation: "pi", submitter: "ana", acceptedAt: 0))
        ])
        guard let node = NodeID([UInt8](repeating: 7, count: NodeID.length)) else { return }
        let tally = [UInt64](repeating: 5, count: Self.slots)
        // A coordinator is awake for its chunks anyway, so the loop without a journal is not counted.
        let idle = share(of: seconds / 4) { _ in }
        let share = share(of: seconds) { block in
            // The ledger reports pieces slightly beyond the settled blocks, and settles them a little later.
            let first = block + 4000
            journal.append([
                .done(id, BlockTally(blocks: first..<(first + 10), node: node, tally: tally)),
                .settled(id, SettledTally(blocks: block, tally: tally)),
            ])
        }
        journal.close()
        let bare = reference(path + ".c", seconds)
        guard bare > 0 else { fail("the reference failed") }
        Figure(
            what: "journal of 100 nodes' 1333 chunks/s", value: (share - idle) * 100, unit: "% of a core",
            bound: .atMost(1),
            remark: "\(hundredths((share - idle) / bare)) times C's"
        ).report()
    }

    /// Calls `report` with the first block of each chunk. Returns the share of a core that this process uses meanwhile.
    private func share(of seconds: Double, report: (UInt64) -> Void) -> Double {
        let (before, start) = (processorTime, StoreBench.now)
        var (made, length) = (0, 0.0)
        while length < seconds {
            for chunk in made..<Int(length * Self.perSecond) { report(UInt64(chunk) * 10) }
            made = Int(length * Self.perSecond)
            usleep(20_000)
            length = StoreBench.now - start
        }
        return (processorTime - before) / length
    }

    private var processorTime: Double { PotluckBench.seconds(CLOCK_PROCESS_CPUTIME_ID) }
}
