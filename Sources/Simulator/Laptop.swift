import PotluckEngine
import PotluckKit
import PotluckModel
import PotluckTrace
import PotluckWire

/// A place in the room, counted from 0.
typealias Seat = Int

/// A node's own clock: it began at some time, and runs a little fast or slow.
struct VirtualClock {
    let begun: Instant
    let offset: UInt64
    /// Millionths that it is fast; negative where it is slow.
    let drift: Int64

    /// What it shows.
    func local(_ now: Instant) -> Instant {
        let passed = Int64(now.nanoseconds - begun.nanoseconds)
        return Instant(nanoseconds: offset + UInt64(passed + passed / 1_000_000 * drift))
    }

    /// When it will show at least that.
    func moment(_ local: Instant) -> Instant {
        guard local.nanoseconds > offset else { return begun }
        let shown = Int64(clamping: local.nanoseconds - offset)
        // Nobody plans for later than some years, and a sum of such times still fits.
        guard shown < 1 << 58 else { return Instant(nanoseconds: 1 << 60) }
        var passed = shown - shown / (1_000_000 + drift) * drift
        while passed > 0, passed - 1 + (passed - 1) / 1_000_000 * drift >= shown { passed -= 1 }
        while passed + passed / 1_000_000 * drift < shown { passed += 1 }
        return Instant(nanoseconds: begun.nanoseconds + UInt64(passed))
    }
}

/// What kind of worker a laptop is.
struct Character: Equatable {
    /// How many times slower than usual.
    var slowness: Int64 = 1
    /// Chunks never end.
    var isStuck = false
    /// Every chunk fails at once.
    var fails = false
    /// It does not have the rare simulation.
    var lacks = false
    /// One wrong bit in one of so many chunks; never where 0.
    var lies: UInt64 = 0
    /// It writes next to nothing, where honest chunks end because they have written so much.
    var stints = false
    /// What it sends of modules is not what it should be.
    var forges = false

    var isAble: Bool { slowness == 1 && !isStuck && !fails && lies == 0 }
}

/// A laptop. Its node may crash and another one start.
final class Laptop {
    let seat: Seat
    let name: String
    let address: [UInt8]
    var setup: EngineSetup
    var engine: Engine
    var clock: VirtualClock
    /// Counts the nodes that ran here, so that what was meant for an earlier one reaches nobody.
    var start = 0
    var isRunning = true
    var isAsleep = false
    var missed: [Event] = []
    /// Where its ledger is written down; it outlives the node.
    var disk: VirtualDisk?
    /// Nobody can dial it.
    var isFirewalled = false
    var links: [SessionLink: Cable] = [:]
    var accepted: UInt64 = 0
    var seen: [NodeID: NodeEntry] = [:]
    var character: Character
    var bench = Bench()
    /// It crashes when so many more effects are done.
    var doom: Int?
    /// The wake-up that counts.
    var wakeNumber = 0
    /// How each peer was last said to stand.
    var peers: [NodeID: PeerState] = [:]
    /// What is wrong with it just now, and since when nothing is.
    var troubles = 0
    var steadySince: Instant
    /// How many chunks of each job it has done.
    var chunks: [JobID: Int] = [:]
    /// How often it lied in each job.
    var lies: [JobID: UInt64] = [:]
    /// Pictures of each job whose readings have not come back.
    var unread: [JobID: Int] = [:]
    /// The chunks that it lent over each link and that have not ended.
    var lent: [SessionLink: LentCounts] = [:]
    /// As far as it knows, nothing can be written down.
    var cannotWrite = false
    /// The jobs that it coordinates, or did.
    var leads: [JobID: Lead] = [:]
    /// The epoch in which it last heard of a job.
    var heard: [JobID: UInt64] = [:]
    /// Its session is over for it.
    var hasEnded = false
    /// What happened to it, written down where somebody wants that.
    var record: (writer: TraceWriter, text: String)?
    /// The blobs that lie here.
    var shelf = VirtualShelf()
    /// What came of others, by where it begins.
    var parts: [BlobHash: [Int: [UInt8]]] = [:]
    /// What jobs that it has got ready are made of.
    var recipes: [JobID: JobRecipe] = [:]
    /// By block, what it has put together of what jobs write: the blocks that each came with, and their tally.
    var collected: [JobID: [UInt64: Collection]] = [:]
    /// What is written is looked at in order.
    var carriesUntil = Instant.start
    /// Where it is a member with a modified program.
    var forger: Forger?
    /// What it knows to have ended, and how.
    var endings: [JobID: Ending] = [:]

    enum Ending { case finished, failed, lost }

    struct Collection {
        let blocks: Range<UInt64>
        let tally: [UInt64]
    }

    init(
        seat: Seat, name: String, address: [UInt8], setup: EngineSetup, clock: VirtualClock, character: Character,
        now: Instant
    ) {
        self.seat = seat
        self.name = name
        self.address = address
        self.setup = setup
        self.clock = clock
        self.character = character
        steadySince = now
        engine = Engine(setup, now: clock.local(now))
    }

    func beginRecord() {
        let writer = TraceWriter(setup, now: clock.local(clock.begun))
        record = (writer, writer.header)
    }

    var node: NodeID { setup.node }
    var isAwake: Bool { isRunning && !isAsleep && !hasEnded }
}

/// How many chunks of each job are lent over one link.
struct LentCounts {
    var counts: [JobID: Int] = [:]

    var total: Int { counts.values.reduce(0, +) }

    mutating func end(_ count: Int, of id: JobID) { counts[id] = max(0, counts[id, default: 0] - count) }
}
