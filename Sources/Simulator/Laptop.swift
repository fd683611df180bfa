import PotluckEngine
import PotluckKit
import PotluckModel
import PotluckTrace
import PotluckWire

/// The index of a laptop in `SimulatedCluster.laptops`.
typealias Seat = Int

/// A node's own clock: it starts at an arbitrary time and runs slightly fast or slow.
struct VirtualClock {
    let begun: Instant
    let offset: UInt64
    /// The clock error in parts per million; positive if the clock is fast.
    let drift: Int64

    /// Returns the time that this clock shows at a time of the room.
    func local(_ now: Instant) -> Instant {
        let passed = Int64(now.nanoseconds - begun.nanoseconds)
        return Instant(nanoseconds: offset + UInt64(passed + passed / 1_000_000 * drift))
    }

    /// Returns the earliest time of the room at which this clock shows at least `local`.
    func moment(_ local: Instant) -> Instant {
        guard local.nanoseconds > offset else { return begun }
        let shown = Int64(clamping: local.nanoseconds - offset)
        // No timer is set years ahead, and the sum of two such times still fits.
        guard shown < 1 << 58 else { return Instant(nanoseconds: 1 << 60) }
        var passed = shown - shown / (1_000_000 + drift) * drift
        while passed > 0, passed - 1 + (passed - 1) / 1_000_000 * drift >= shown { passed -= 1 }
        while passed + passed / 1_000_000 * drift < shown { passed += 1 }
        return Instant(nanoseconds: begun.nanoseconds + UInt64(passed))
    }
}

/// How a laptop behaves as a worker.
struct Character: Equatable {
    /// The factor by which it is slower than usual; 1 is normal speed.
    var slowness: Int64 = 1
    /// Whether its chunks never end.
    var isStuck = false
    /// Whether every chunk fails at once.
    var fails = false
    /// Whether it lacks the simulations that are not everywhere.
    var lacks = false
    /// One chunk in `lies` has a wrong bit; 0 means that it never lies.
    var lies: UInt64 = 0
    /// Whether it writes almost nothing and ignores the output limit at which honest chunks end.
    var stints = false
    /// Whether it corrupts the parts of modules that it sends.
    var forges = false

    var isAble: Bool { slowness == 1 && !isStuck && !fails && lies == 0 }
}

/// A laptop and the node that runs on it. After a crash, a new node replaces the old one.
final class Laptop {
    let seat: Seat
    let name: String
    let address: [UInt8]
    var setup: EngineSetup
    var engine: Engine
    var clock: VirtualClock
    /// The number of nodes that ran here before. Events for an earlier node are discarded.
    var start = 0
    var isRunning = true
    var isAsleep = false
    var missed: [Event] = []
    /// The disk with its journal, which outlives the node; nil if it keeps none.
    var disk: VirtualDisk?
    /// Whether it accepts no connections.
    var isFirewalled = false
    var links: [SessionLink: Cable] = [:]
    var accepted: UInt64 = 0
    var seen: [NodeID: NodeEntry] = [:]
    var character: Character
    var bench = Bench()
    /// The number of effects after which it crashes; nil if no crash is planned.
    var doom: Int?
    /// The number of the latest requested wake-up. Earlier ones are ignored.
    var wakeNumber = 0
    /// The last reported state of each peer.
    var peers: [NodeID: KnownPeer] = [:]
    /// The number of faults in effect, and the time since when there are none.
    var troubles = 0
    var steadySince: Instant
    /// The number of chunks done of each job, counted only for a laptop that `stints`.
    var chunks: [JobID: Int] = [:]
    /// The number of lies in each job.
    var lies: [JobID: UInt64] = [:]
    /// The number of picture readings of each job in flight.
    var unread: [JobID: Int] = [:]
    /// The number of chunks on loan over each link.
    var lent: [SessionLink: LentCounts] = [:]
    /// Whether its journal has reported an error that still lasts.
    var cannotWrite = false
    /// The jobs that it coordinates or has coordinated.
    var leads: [JobID: Lead] = [:]
    /// The epoch in the last announcement of each job.
    var heard: [JobID: UInt64] = [:]
    /// Whether its session has ended.
    var hasEnded = false
    /// The record of its events and effects; nil if none is kept.
    var record: (writer: TraceWriter, text: String)?
    /// The blobs that it stores.
    var shelf = VirtualShelf()
    /// The parts received of incomplete blobs, by offset.
    var parts: [BlobHash: [Int: [UInt8]]] = [:]
    /// The recipes of the jobs that it has prepared.
    var recipes: [JobID: JobRecipe] = [:]
    /// The collected output of each job: for each block, the chunk that it arrived with.
    var collected: [JobID: [UInt64: Collection]] = [:]
    /// When its last storage operation ends. These operations run one after the other.
    var carriesUntil = Instant.start
    /// The generator of its forged messages; nil for an honest node.
    var forger: Forger?
    /// The jobs whose end it was told, and how they ended.
    var endings: [JobID: Ending] = [:]

    enum Ending { case finished, failed, lost }

    struct KnownPeer {
        let state: PeerState
        let since: Instant
    }

    struct Collection {
        let blocks: Range<UInt64>
        let tally: [UInt64]
    }

    /// Returns whether it has been connected to the node for at least this time.
    func isConnected(to node: NodeID, for time: Duration, _ now: Instant) -> Bool {
        guard let peer = peers[node] else { return false }
        return peer.state == .connected && now - peer.since >= time
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
