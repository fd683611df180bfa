import Glibc
import PotluckJournal
import PotluckModel

/// What the journal of a busy coordinator costs: a hundred nodes of four cores bring a chunk each 300 ms.
struct JournalCost {
    let path: String
    /// How long each side is measured.
    let seconds: Double
    /// A bare loop of C that commits as many octets as often, for that many seconds: what it takes of a core.
    let reference: @convention(c) (UnsafePointer<CChar>, Double) -> Double

    private static let perSecond = 1333.0
    /// Two means with their variances.
    private static let slots = 12

    func measure() {
        guard let journal = try? DiskJournal.open(at: path, news: { _ in }) else {
            StoreBench.fail("no journal at \(path)")
        }
        let id = JobID(1)
        journal.append([
            .accepted(JobRecord(id: id, spec: [1], simulation: "pi", submitter: "ana", acceptedAt: 0))
        ])
        guard let node = NodeID([UInt8](repeating: 7, count: NodeID.length)) else { return }
        let tally = [UInt64](repeating: 5, count: Self.slots)
        let (before, start) = (processorTime, StoreBench.now)
        var (block, made) = (UInt64(0), 0.0)
        while StoreBench.now - start < seconds {
            // What the ledger says: pieces that lie a little beyond what is settled, and what is settled a little later.
            while made < (StoreBench.now - start) * Self.perSecond {
                let first = block + 4000
                journal.append([
                    .done(id, JobPiece(blocks: first..<(first + 10), node: node, tally: tally)),
                    .settled(id, SettledTally(blocks: block, tally: tally)),
                ])
                block += 10
                made += 1
            }
            usleep(20_000)
        }
        let share = (processorTime - before) / (StoreBench.now - start)
        journal.close()
        let bare = reference(path + ".c", seconds)
        guard bare > 0 else { StoreBench.fail("the reference failed") }
        StoreBench.line(
            "journal of 100 nodes' 1333 chunks/s", "\(StoreBench.places(share * 100)) % of a core",
            "C: \(StoreBench.places(bare * 100)) %", "\(StoreBench.places(share / bare)); wanted ≤ 1 %")
    }

    private var processorTime: Double { StoreBench.seconds(CLOCK_PROCESS_CPUTIME_ID) }
}
