import PotluckCore
import PotluckEngine
import PotluckKit

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
    /// The disk with its journal, which outlives the node; nil if it keeps none.
    var disk: VirtualDisk?
    var character: Character
    var bench = Bench()
    /// The number of the latest requested wake-up. Earlier ones are ignored.
    var wakeNumber = 0
    /// Whether its session has ended.
    var hasEnded = false
    /// The record of its events and effects; nil if none is kept.
    var record: (writer: TraceWriter, text: String)?
    /// The generator of its forged messages; nil for an honest node.
    var forger: Forger?
    var faults: Faults
    var network = Network()
    var storage = Storage()
    var observed = Observed()
    var screen = Screen()

    /// Returns whether it has been connected to the node for at least this time.
    func isConnected(to node: NodeID, for time: Duration, _ now: Instant) -> Bool {
        guard let peer = observed.peers[node] else { return false }
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
        faults = Faults(since: now)
        engine = Engine(setup, now: clock.local(now))
    }

    func beginRecord() {
        let writer = TraceWriter(setup, now: clock.local(clock.begun))
        record = (writer, writer.header)
    }

    var node: NodeID { setup.node }
    var isAwake: Bool { isRunning && !faults.isAsleep && !hasEnded }
}

extension Laptop {
    /// Whether the order lets it compute.
    func isWanted(_ order: JobOrder) -> Bool {
        (order.nodes.isEmpty || order.nodes.contains(name))
            && (order.takesBrowsers || setup.session?.kind.isBrowser != true)
    }
}
