import PotluckCore
import PotluckDoubles
import PotluckNet
import Synchronization
import Testing

/// The transport in memory.
@Suite struct MemoryNetworkTests {
    /// The events that the members of a network reported, one line each.
    private final class Diary: Sendable {
        private let lines = Mutex<[String]>([])

        func write(_ line: String) { lines.withLock { $0.append(line) } }
        var text: [String] { lines.withLock { $0 } }
        func count(_ words: String) -> Int { text.count { $0.contains(words) } }
    }

    private struct Room {
        let network: MemoryNetwork
        let diary = Diary()
        var members: [MemoryTransport] = []

        init(seed: UInt64, members count: Int, loss: Double = 0, keys: (Int) -> Keys = { _ in .monty }) {
            network = MemoryNetwork(seed: seed, weather: .init(loss: loss))
            for number in 0..<count {
                let keys = keys(number)
                let member = network.member(
                    at: [10, 0, 0, UInt8(number)], key: keys.key, session: keys.session)
                let diary = diary
                member.start { event in
                    switch event {
                    case .received(let link, let message): diary.write("\(number) received \(message) on \(link)")
                    case .opened(let link, let origin, let remote, _):
                        diary.write("\(number) opened \(link) \(origin) \(remote.octets)")
                    default: diary.write("\(number) \(event)")
                    }
                }
                members.append(member)
            }
        }

        func address(_ number: Int) -> [UInt8] { [10, 0, 0, UInt8(number)] }

        func candidate(_ number: Int) throws -> Candidate {
            .endpoint(try #require(Endpoint(octets: address(number), port: LinkLimits.usualPort)))
        }

        /// The first member listens, and the others dial it.
        func gather() throws {
            _ = try members[0].listen(on: .usual)
            for number in 1..<members.count {
                members[number].dial(DialNumber(1), to: [try candidate(0)])
            }
            network.advance(by: .seconds(1))
        }
    }

    @Test func oneSeedIsOneStory() throws {
        func story(_ seed: UInt64) throws -> [String] {
            let room = Room(seed: seed, members: 6, loss: 0.2)
            try room.gather()
            for number in 1..<6 {
                for word in 0..<20 as Range<UInt8> {
                    room.members[number].send([word], on: LinkID(1), lane: .control, reliability: .reliable)
                }
            }
            room.network.advance(by: .seconds(30))
            for number in 1..<6 {
                let received = room.diary.text.filter { $0.hasPrefix("0 received") && $0.hasSuffix("link \(number)") }
                #expect(received == (0..<20).map { "0 received [\($0)] on link \(number)" })
            }
            return room.diary.text
        }
        #expect(try story(1) == story(1))
        #expect(try story(1) != story(2))
    }

    @Test func aCutIsSilenceAndAShortOneIsNothing() throws {
        let room = Room(seed: 3, members: 2)
        try room.gather()
        room.network.cut(room.address(0), room.address(1))
        room.network.advance(by: .milliseconds(1000))
        room.network.heal(room.address(0), room.address(1))
        room.network.advance(by: .seconds(10))
        #expect(room.diary.count("closed") == 0)
        room.network.cut(room.address(0), room.address(1))
        room.network.advance(by: .seconds(3))
        #expect(room.diary.count("silent") == 2)
    }

    @Test func aKilledPeerIsMissedAtOnceAndALostOneInThreeSeconds() throws {
        let room = Room(seed: 4, members: 2)
        try room.gather()
        room.members[1].kill()
        room.network.advance(by: .milliseconds(10))
        #expect(room.diary.count("0 closed(link 1, PotluckCore.LinkEnd.lost)") == 1)
        let other = Room(seed: 5, members: 2)
        try other.gather()
        other.members[1].kill(silently: true)
        other.network.advance(by: .seconds(3))
        #expect(other.diary.count("0 closed(link 1, PotluckCore.LinkEnd.silent)") == 1)
    }

    @Test func dialsEndWithTheRightReason() throws {
        let room = Room(seed: 6, members: 4) { [.monty, .wrong, .other, .monty][$0] }
        room.network.shield(room.address(3), true)
        _ = try room.members[3].listen(on: .usual)
        try room.gather()
        room.members[0].dial(DialNumber(9), to: [try room.candidate(3)])
        room.members[0].dial(DialNumber(10), to: [try room.candidate(2)])
        room.network.advance(by: .seconds(10))
        let failures = room.diary.text.filter { $0.contains("dialFailed") || $0.contains("refused") }
        #expect(failures.contains { $0.hasPrefix("1 ") && $0.contains("wrongCode") })
        #expect(failures.contains { $0.hasPrefix("2 ") && $0.contains("otherSession") })
        #expect(failures.contains { $0.hasPrefix("0 dialFailed(dial 9") && $0.contains("timedOut") })
        #expect(failures.contains { $0.hasPrefix("0 dialFailed(dial 10") && $0.contains("unreachable") })
        // The shielded member can still dial.
        #expect(room.diary.count("3 opened") == 1)
    }

    @Test func aFarewellComesLast() throws {
        let room = Room(seed: 7, members: 2)
        try room.gather()
        room.members[1].send([1], on: LinkID(1), lane: .bulk, reliability: .reliable)
        room.members[1].stop(Farewell(rawValue: 3))
        room.network.advance(by: .seconds(1))
        let seen = room.diary.text.filter { $0.hasPrefix("0 ") }.suffix(2)
        #expect(seen.first == "0 received [1] on link 1")
        #expect(seen.last?.contains("closedThere(PotluckCore.Farewell(rawValue: 3))") == true)
        #expect(room.diary.text.last { $0.hasPrefix("1 ") } == "1 stopped")
    }

    /// An actor on the network gets its reports without a change of thread and follows the virtual clock.
    @Test func actorsLiveOnIt() throws {
        let room = Room(seed: 8, members: 2)
        let resident = Resident(on: room.network)
        let done = Mutex(0)
        Task { await resident.count { number in done.withLock { $0 = number } } }
        while done.withLock({ $0 }) == 0 { room.network.advance(by: .milliseconds(1)) }
        #expect(done.withLock { $0 } == 1)
    }

    private actor Resident {
        private let network: MemoryNetwork
        private var number = 0

        init(on network: MemoryNetwork) { self.network = network }
        nonisolated var unownedExecutor: UnownedSerialExecutor { network.asUnownedSerialExecutor() }

        func count(_ tell: (Int) -> Void) {
            number += 1
            tell(number)
        }
    }
}
