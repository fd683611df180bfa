import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// Rooms in which random faults happen at random times, over many seeds, and the invariants that hold all the same.
@Suite struct SessionScheduleTests {
    /// One random schedule: the nodes of a room and the faults that happen to them.
    final class Evening {
        let room: VirtualRoom
        private var servers: [VirtualRoom.Seat] = []
        private var clients: [VirtualRoom.Seat] = []
        private var peers: [VirtualRoom.Seat] = []
        private var parcels: [UInt64: Int] = [:]
        /// The last parcel that arrived, for each pair of nodes.
        private var arrived: [[NodeID]: Int] = [:]
        private let seed: UInt64

        init(seed: UInt64) {
            self.seed = seed
            room = VirtualRoom(seed: seed)
            if room.random.chance(0.3) { room.delay = 1...400 }
            room.onEffect = { [unowned self] seat, effect in check(seat, effect) }
        }

        private var session: (VirtualRoom.Seat) -> SessionHash { { self.room.laptops[$0].machine.setup.session } }

        /// Starts a server with clients, or a few peers, in each of two sessions.
        func gather() {
            for session: UInt8 in 1...2 {
                let guests = room.random.integer(in: 1...4)
                if room.random.chance(0.6) {
                    servers.append(room.arrive(.server, "ana", session: session, firewalled: room.random.chance(0.2)))
                    for _ in 0..<guests {
                        clients.append(room.arrive(.client, "ana", session: session))
                        room.run(.milliseconds(room.random.integer(in: 0...700)))
                    }
                } else {
                    for _ in 0...guests {
                        peers.append(
                            room.arrive(.peer, ["ana", "Bo"][Int(session) - 1], session: session))
                    }
                }
            }
        }

        func trouble(_ count: Int) {
            for _ in 0..<count {
                room.run(.milliseconds(room.random.integer(in: 0...6000)))
                let seat = room.random.integer(in: 0...room.laptops.count - 1)
                switch room.random.integer(in: 0...9) {
                case 0...2: room.breakSomeWire()
                case 3 where room.laptops[seat].isRunning:
                    room.crash(seat)
                    room.after(milliseconds: 0...8000) { self.room.restart(seat) }
                case 4: room.islands(room.laptops.map { _ in room.random.integer(in: 0...1) })
                case 5: room.islands(room.laptops.map { _ in 0 })
                case 6 where room.laptops[seat].isRunning && !room.laptops[seat].isAsleep:
                    room.sleep(seat, .milliseconds(room.random.integer(in: 100...40_000)))
                default: chat()
                }
            }
            room.islands(room.laptops.map { _ in 0 })
            // Longer than the longest sleep and the time to detect lost peers.
            room.run(.seconds(60))
        }

        /// Every node sends something to every node it is connected to.
        func chat(atLeast least: Int = 0) {
            for seat in room.laptops.indices where room.laptops[seat].isRunning {
                for _ in 0..<room.random.integer(in: least...5) {
                    let number = parcels[UInt64(seat), default: 0]
                    parcels[UInt64(seat)] = number + 1
                    let octets = (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
                    room.want(seat, .send(octets, to: .everyone, reliably: true))
                }
            }
        }

        private func check(_ seat: VirtualRoom.Seat, _ effect: SessionEffect) {
            let node = room.node(seat)
            switch effect {
            case .deliver(let octets, _, let from, true):
                let number = octets.reversed().reduce(0) { $0 << 8 | Int($1) }
                #expect(number > arrived[[from, node], default: -1], "seed \(seed): twice or out of order")
                arrived[[from, node]] = number
            case .changed(let peer) where peer.state == .connected:
                let other = room.laptops.indices.first { room.node($0) == peer.node }
                #expect(other.map { session($0) == session(seat) } ?? true, "seed \(seed): a stranger")
                #expect(room.laptops[seat].wires.count < 64, "seed \(seed): links without end")
            case .trouble(.protocolBroken(_, let what)): Issue.record("seed \(seed): \(what)")
            case .ended(let end): Issue.record("seed \(seed): ended, \(end)")
            default: break
            }
        }

        private func meet(_ a: VirtualRoom.Seat, _ b: VirtualRoom.Seat) -> Bool {
            guard session(a) == session(b) else { return false }
            let modes = [room.laptops[a].machine.setup.mode, room.laptops[b].machine.setup.mode]
            return modes == [.peer, .peer] || modes.contains(.server) && modes.contains(.client)
        }

        func checkPeace() {
            let room = room
            for a in room.laptops.indices {
                var expected: [NodeID] = []
                for b in room.laptops.indices where a != b && meet(a, b) {
                    expected.append(room.node(b))
                    guard b > a else { continue }
                    #expect(room.areConnected(a, b), "seed \(seed): \(a) and \(b)")
                    #expect(room.wires(a, b).count == 1, "seed \(seed): one link for \(a) and \(b)")
                }
                // No peer is listed that has left, and no link leads nowhere.
                #expect(Set(room.laptops[a].machine.peers.map(\.node)) == Set(expected), "seed \(seed): \(a)")
                #expect(room.laptops[a].wires.count == expected.count, "seed \(seed): links of \(a)")
            }
            // Everything that is sent from now on arrives.
            chat(atLeast: 1)
            room.run(.seconds(3))
            for a in room.laptops.indices {
                for b in room.laptops.indices where a != b && meet(a, b) {
                    let last = parcels[UInt64(a), default: 0] - 1
                    #expect(arrived[[room.node(a), room.node(b)]] == last, "seed \(seed): \(a) to \(b)")
                }
            }
        }
    }

    @Test(arguments: 0..<8) func whateverHappensTheyMeetAgain(round: UInt64) {
        for seed in round * 10..<(round + 1) * 10 {
            let evening = Evening(seed: seed)
            evening.gather()
            evening.trouble(12)
            evening.checkPeace()
        }
    }

    @Test func aSeedIsAnEvening() {
        func trace(_ seed: UInt64) -> UInt64 {
            let evening = Evening(seed: seed)
            evening.room.isTraced = true
            evening.gather()
            evening.trouble(6)
            return evening.room.trace
        }
        #expect(trace(1) == trace(1))
        #expect(trace(1) != trace(2))
    }
}
