import PotluckCore
import PotluckEngine
import PotluckKit

/// Arrivals, faults and their end.
extension SimulatedCluster {
    // MARK: Arriving

    static let manyCores = 128

    @discardableResult
    func arrive(
        _ name: String, mode: Mode?, cores: Int, character: Character = Character(), address: [UInt8]? = nil,
        isBrowser: Bool = false
    ) -> Seat {
        let seat = laptops.count
        // If a laptop has this many cores, some jobs have so short blocks that all cores are needed.
        let cores = absurdity.fraction() < 0.004 ? Self.manyCores : cores
        let address = address ?? [10, 0, 0, UInt8(truncatingIfNeeded: seat + 1)]
        let setup = setup(
            name, mode: mode, cores: cores, founding: mode == .server ? Founding(random.next()) : nil,
            keepsJournal: mode != .client && mode != nil && chance(0.7),
            kind: isBrowser ? .browser(at: address) : .program)
        let laptop = Laptop(
            seat: seat, name: name, address: address, setup: setup,
            clock: newClock(), character: character, now: now)
        if setup.keepsJournal { laptop.disk = VirtualDisk() }
        laptop.bench.cores = cores
        if records != nil { laptop.beginRecord() }
        laptops.append(laptop)
        // The matrix grows by a row and a column.
        for from in paths.indices { paths[from].append(Path()) }
        paths.append([Path](repeating: Path(), count: seat + 1))
        return seat
    }

    /// Starts a laptop's node and makes it visible.
    func begin(_ seat: Seat) {
        handle(seat, .woke)
        appear(seat)
    }

    private func setup(
        _ name: String, mode: Mode?, cores: Int, founding: Founding?, keepsJournal: Bool, kind: NodeKind
    ) -> EngineSetup {
        let node = newNode()
        let session = mode.map {
            SessionSetup(
                node: node, name: name, cores: cores,
                session: SessionHash(firstOctetsOf: [UInt8](repeating: 7, count: SessionHash.length)), mode: $0,
                founding: founding, guests: guests, kind: kind, seed: random.next())
        }
        return EngineSetup(
            node: node, name: name, cores: cores, session: session, seed: random.next(), keepsJournal: keepsJournal)
    }

    private func newClock() -> VirtualClock {
        VirtualClock(
            begun: now, offset: random.next(below: 1_000_000_000_000), drift: Int64(random.next(below: 401)) - 200)
    }

    // MARK: Trouble

    /// Marks laptops as having a fault for this time, during which the laws expect no progress of them.
    func trouble(_ seats: [Seat], for time: Duration) {
        for seat in seats {
            laptops[seat].faults.begin()
            after(time) { room in
                room.laptops[seat].faults.end(at: room.now)
            }
        }
    }

    /// Kills a node. Its system closes its links, unless the power fails too.
    func crash(_ seat: Seat, powerFails: Bool) {
        let laptop = laptops[seat]
        guard laptop.isRunning else { return }
        note("\(laptop.name) \(powerFails ? "loses power" : "crashes")")
        if !powerFails { checkDisk(laptop) }
        laptop.disk?.crash(powerFails: powerFails)
        laptop.isRunning = false
        laptop.start += 1
        laptop.faults.stop(at: now)
        for (id, count) in laptop.observed.lies where count > 0 { laws.lostLies.insert(id) }
        // Perhaps a liar's results are on its disk, and that they were taken back is not.
        for id in laptop.observed.leads.keys where laws.caught[id] != nil { laws.lostLies.insert(id) }
        for (_, cable) in laptop.network.links.sorted(by: { $0.value.number < $1.value.number }) {
            guard let side = cable.ends.firstIndex(where: { $0.seat == seat }) else { continue }
            if powerFails {
                cable.ends[side].isOpen = false
                expectSilence(cable, 1 - side) { _ in true }
            } else {
                hangUp(cable, side: side)
            }
        }
        laptop.network.links = [:]
        for other in laptops.indices where other != seat { fallSilent(seat, for: other) }
    }

    /// Starts a new node on a laptop whose node has ended. It has the same session, name and founding, but another ID
    /// and clock.
    func restart(_ seat: Seat) {
        let old = laptops[seat]
        guard !old.isRunning || old.hasEnded else { return }
        note("\(old.name) restarts")
        let setup = setup(
            old.name, mode: old.setup.session?.mode, cores: old.setup.cores, founding: old.setup.session?.founding,
            keepsJournal: old.setup.keepsJournal, kind: old.setup.session?.kind ?? .program)
        let laptop = Laptop(
            seat: seat, name: old.name, address: old.address, setup: setup, clock: newClock(),
            character: old.character, now: now)
        laptop.start = old.start + 1
        laptop.faults = old.faults.lasting(at: now)
        laptop.disk = old.disk
        laptop.bench.cores = setup.cores
        // Its cache of modules may be lost.
        if chance(0.5) { laptop.storage.shelf = old.storage.shelf.onDisk }
        if let text = old.record?.text { records?.append(text) }
        if records != nil { laptop.beginRecord() }
        laptops[seat] = laptop
        corrupt(laptop)
        let found = laptop.disk?.safe.unfinished ?? []
        for job in found where job.standing == .told { laptop.observed.endings[job.record.id] = .finished }
        if !found.isEmpty { handle(seat, .found(found)) }
        begin(seat)
        replace(old.node, at: seat)
    }

    func leave(_ seat: Seat) {
        let laptop = laptops[seat]
        guard laptop.isAwake, laptop.setup.session != nil else { return }
        note("\(laptop.name) leaves")
        vanish(seat)
        handle(seat, .session(.wanted(.leave)))
        for (id, count) in laptop.observed.lies where count > 0 { laws.lostLies.insert(id) }
        // A node that leaves commits its journal.
        if laptop.disk?.isFull == false { _ = laptop.disk?.commit() }
        checkDisk(laptop)
        laptop.disk?.crash(powerFails: false)
        laptop.isRunning = false
        laptop.start += 1
        laptop.faults.stop(at: now)
    }

    /// Puts a laptop to sleep for a time.
    func sleep(_ seat: Seat, for time: Duration) {
        let laptop = laptops[seat]
        guard laptop.isAwake else { return }
        note("\(laptop.name) sleeps for \(time)")
        trouble([seat], for: time)
        laptop.faults.fallAsleep()
        let start = laptop.start
        for (_, cable) in laptop.network.links.sorted(by: { $0.value.number < $1.value.number }) {
            guard let side = cable.ends.firstIndex(where: { $0.seat != seat }) else { continue }
            expectSilence(cable, side) { $0.laptops[seat].start == start && $0.laptops[seat].faults.isAsleep }
        }
        for other in laptops.indices where other != seat { fallSilent(seat, for: other) }
        after(time) { $0.wakeUp(seat, start) }
    }

    private func wakeUp(_ seat: Seat, _ start: Int) {
        let laptop = laptops[seat]
        guard laptop.start == start, laptop.faults.isAsleep else { return }
        note("\(laptop.name) wakes up")
        for event in laptop.faults.wakeUp() { handle(seat, start: start, event) }
        resume(laptop)
        appear(seat)
    }

    /// Cuts the network between two laptops for a time, in one direction or both.
    func cut(_ a: Seat, _ b: Seat, bothWays: Bool, for time: Duration) {
        guard a != b else { return }
        note("\(laptops[a].name) \(bothWays ? "<-x->" : "-x->") \(laptops[b].name) for \(time)")
        trouble([a, b], for: time)
        cut(a, b)
        if bothWays { cut(b, a) }
        fallSilent(a, for: b)
        if bothWays { fallSilent(b, for: a) }
        after(time) { room in
            for (from, to) in [(a, b), (b, a)] {
                room.heal(from, to)
                room.beHeard(from, by: to)
            }
        }
    }

    /// Splits the room into two halves that cannot reach each other.
    func part(_ isThere: [Bool], for time: Duration) {
        for a in laptops.indices {
            for b in laptops.indices where a < b && isThere[a] != isThere[b] { cut(a, b, bothWays: true, for: time) }
        }
    }

    func spoil(_ seat: Seat, for time: Duration, _ change: (inout Character) -> Void) {
        let laptop = laptops[seat]
        let before = laptop.character
        change(&laptop.character)
        guard laptop.character != before else { return }
        note("\(laptop.name) is \(laptop.character) for \(time)")
        trouble([seat], for: time)
        after(time) { room in room.mend(room.laptops[seat]) }
    }

    func setCores(_ seat: Seat, _ cores: Int) {
        let laptop = laptops[seat]
        guard laptop.isAwake else { return }
        note("\(laptop.name) computes on \(cores) cores")
        laptop.bench.cores = cores
        trouble([seat], for: .seconds(1))
        handle(seat, .cores(cores))
        fill(laptop)
    }

    /// Ends all faults: heals the network, restarts nodes and restores normal behaviour.
    func makePeace() {
        note("all faults end")
        for a in laptops.indices {
            for b in laptops.indices where a != b {
                heal(a, b)
                beHeard(a, by: b)
            }
        }
        for laptop in laptops {
            laptop.faults.cancelCrash()
            mend(laptop)
            if !laptop.isRunning { restart(laptop.seat) }
            laptop.faults.beginCalm(at: now)
        }
    }
}
