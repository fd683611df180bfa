import PotluckCore
import PotluckKit
import PotluckRanks
import PotluckSystem
import Testing

@testable import Potluck

/// Programs with ranks on several nodes, over real sockets.
@Suite(.timeLimit(.minutes(60))) struct SessionRanksTests {
    private static func message(_ rank: Int, _ octets: [UInt8], tag: Int = 0) -> RankMessage {
        RankMessage(source: rank, tag: tag, context: 0, octets: octets)
    }

    private static func from(_ source: Int?, tag: Int? = nil) -> RankPattern {
        RankPattern(source: source, tag: tag, context: 0)
    }

    /// Every rank sends to every other one, in an order and mode of its own, and receives from any. Some messages are
    /// longer than what travels at once.
    private static func exchange(_ seat: RankSeat, seed: UInt64) throws(RankError) -> [UInt8] {
        var random = RandomStream(seed: seed, block: UInt64(seat.rank), lane: 0)
        let size = seat.size
        var requests: [Int32] = []
        for round in 0..<3 {
            var others = Array(0..<size)
            random.shuffle(&others)
            for other in others {
                let length = random.chance(0.3) ? 100_000 + random.below(400_000) : random.below(2000)
                let octets = [UInt8](repeating: UInt8(seat.rank), count: length)
                requests.append(
                    try seat.beginSending(
                        message(seat.rank, octets, tag: round), to: other, RankSendMode.allCases[random.below(3)]))
            }
        }
        var sum = 0
        for round in [2, 0, 1] {
            for _ in 0..<size {
                let message = try seat.receive(from(nil, tag: round), capacity: 1 << 20)
                guard message.octets.allSatisfy({ $0 == UInt8(message.source) }) else { throw .stopped }
                sum += message.octets.count
            }
        }
        while !requests.isEmpty { requests.remove(at: try seat.wait(requests).place) }
        try seat.log(Array("has \(sum)".utf8))
        try seat.send(message(seat.rank, [UInt8(sum % 251)], tag: 9), to: 0, .standard)
        guard seat.rank == 0 else { return [] }
        var output: [UInt8] = []
        for other in 0..<size { output += try seat.receive(from(other, tag: 9), capacity: 1).octets }
        return output
    }

    /// What a rank writes to its stderr stays apart, and the code of its abort is that of the launcher.
    @Test func errorsAndCodesTravel() async throws {
        let hall = try await RankHall([("sam", 1), ("ana", 1)], arePeers: true) { (_, seat) throws(RankError) in
            try seat.log(Array("right".utf8))
            try seat.log(Array("wrong".utf8), isError: true)
            let other = 1 - seat.rank
            try seat.send(Self.message(seat.rank, [1], tag: 1), to: other, .standard)
            _ = try seat.receive(Self.from(other, tag: 1), capacity: 1)
            if seat.rank == 1 { try seat.abort(7) }
            return []
        }
        let fault = await #expect(throws: RankError.self) { try await hall.launch(2).run() }
        #expect(fault?.code == 7 && fault?.description == "rank 1 aborted the program with code 7")
        #expect(hall.lines.with { Set($0) } == ["0: right", "0! wrong", "1: right", "1! wrong"])
        await hall.close()
    }

    /// The output is that of one machine, whether messages go over direct links or through the server.
    @Test(arguments: [false, true]) func everybodyToEverybody(arePeers: Bool) async throws {
        for seed in UInt64(0)..<4 {
            let alone = try await RankLaunch(size: 7, cores: 2) { _ in }.run { (seat) throws(RankError) in
                try Self.exchange(seat, seed: seed)
            }
            let hall = try await RankHall([("sam", 1), ("ana", 2), ("bob", 4)], arePeers: arePeers) {
                (_, seat) throws(RankError) in try Self.exchange(seat, seed: seed)
            }
            let launch = hall.launch(7)
            let output = try await launch.run()
            #expect(output == alone)
            #expect(hall.lines.with { Set($0.map { String($0.prefix(1)) }) } == ["0", "1", "2", "3", "4", "5", "6"])
            let picture = try #require(launch.picture)
            #expect(picture.laptops == ["bob", "bob", "bob", "bob", "ana", "ana", "sam"])
            #expect(picture.ranks.allSatisfy { $0.activity == .ended && $0.traffic.messagesSent == 22 })
            #expect(
                picture.ranks.map(\.traffic.octetsSent).reduce(0, +)
                    == picture.ranks.map(\.traffic.octetsReceived).reduce(0, +))
            #expect(launch.traces.count == 7 && launch.traces.allSatisfy { $0.events.count >= 43 })
            await hall.ended(at: 3)
            await hall.close()
        }
    }

    @Test(arguments: [false, true]) func aDeadlockIsTold(arePeers: Bool) async throws {
        let hall = try await RankHall([("sam", 1), ("ana", 1), ("bob", 1)], arePeers: arePeers) {
            (_, seat) throws(RankError) in
            guard seat.rank > 0 else { return [] }
            return try seat.receive(Self.from((seat.rank + 1) % 3), capacity: 1).octets
        }
        let fault = await #expect(throws: RankError.self) { try await hall.launch(3).run() }
        #expect(
            fault?.description
                == "deadlock: no rank can continue; rank 1 waits for a message of rank 2; rank 2 waits for a message of "
                + "rank 0 (rank 0 has ended)")
        await hall.close()
    }

    /// Each rank mixes its number with that of its neighbour, and keeps it.
    private static func steps(
        _ seat: RankSeat, _ count: Int, at step: (Int) throws(RankError) -> Void = { _ in }
    ) throws(RankError) -> [UInt8] {
        var (value, first) = (UInt8(seat.rank), 0)
        if let state = try seat.restored() { (value, first) = (state[0], Int(state[1])) }
        for number in first..<count {
            try step(number)
            let next = (seat.rank + 1) % seat.size
            try seat.send(message(seat.rank, [value]), to: next, .standard)
            let other = try seat.receive(from((seat.rank + seat.size - 1) % seat.size), capacity: 1)
            value = value &* 3 &+ other.octets[0]
            try seat.checkpoint([value, UInt8(number + 1)])
        }
        return [value]
    }

    /// A laptop leaves in the middle. The ranks begin again at the last checkpoint on the others, with the same result.
    @Test(arguments: [false, true]) func aLostLaptopCostsTheWorkSinceTheCheckpoint(arePeers: Bool) async throws {
        let alone = try await RankLaunch(size: 5, cores: 2) { _ in }.run { (seat) throws(RankError) in
            try Self.steps(seat, 40)
        }
        let leaving = Leaving()
        let hall = try await RankHall([("sam", 2), ("ana", 2), ("bob", 2)], arePeers: arePeers) {
            (laptop, seat) throws(RankError) in
            try Self.steps(seat, 40) { (step) throws(RankError) in
                guard step == 20, laptop == "bob" else { return }
                leaving.waitUntilLeft()
                _ = try seat.receive(Self.from(nil, tag: 9), capacity: 1)
            }
        }
        let bob = try #require(hall.sessions["bob"])
        leaving.set(bob)
        let launch = hall.launch(5, restarts: 1)
        #expect(try await launch.run() == alone)
        let picture = try #require(launch.picture)
        #expect(!picture.laptops.contains("bob"))
        let restarts = hall.notes.with { $0.filter { if case .restarting = $0 { true } else { false } } }
        #expect(restarts.count == 1)
        await hall.close()
    }

    @Test func aLostRankIsNamed() async throws {
        let leaving = Leaving()
        let hall = try await RankHall([("sam", 2), ("ana", 2), ("bob", 2)]) { (laptop, seat) throws(RankError) in
            if laptop == "bob" { leaving.waitUntilLeft() }
            return try seat.receive(Self.from(nil), capacity: 1).octets
        }
        let bob = try #require(hall.sessions["bob"])
        leaving.set(bob)
        let fault = await #expect(throws: RankError.self) { try await hall.launch(6, restarts: 3).run() }
        guard case .lost(let ranks, "bob") = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(ranks.count == 2)
        await hall.close()
    }

    /// Guests whose server is gone cannot reach each other. Neither of them is to blame.
    @Test func aLostRelayIsNamed() async throws {
        let leaving = Leaving()
        let hall = try await RankHall([("sam", 0), ("ana", 1), ("bob", 1)]) { (_, seat) throws(RankError) in
            leaving.waitUntilLeft()
            return try seat.receive(Self.from(nil), capacity: 1).octets
        }
        let sam = try #require(hall.sessions["sam"])
        leaving.set(sam)
        let fault = await #expect(throws: RankError.self) { try await hall.launch(2, restarts: 3).run() }
        #expect(fault?.description == "the connection to sam broke, which passes on messages")
        await hall.close()
    }

    @Test(arguments: [
        (false, "sam: guests may not start programs here; the host can allow it with --guests submit"),
        (true, "among peers only peers may start programs; run `potluck peer` on this laptop, and launch again"),
    ]) func aGuestThatMayNotSubmitMayNotLaunch(arePeers: Bool, why: String) async throws {
        let hall = try await RankHall([("sam", 2), ("ana", 2)], arePeers: arePeers, guests: .watches) {
            (_, _) throws(RankError) in []
        }
        let fault = await #expect(throws: RankError.self) { try await hall.launch(2).run() }
        // Among peers, any of the two may be asked.
        #expect(fault?.description.hasSuffix(why) == true)
        await hall.close()
    }

    /// The timeline shows what led to the end, if the program ends early, too.
    @Test(arguments: [false, true]) func timelinesShowAnEarlyEnd(crashes: Bool) async throws {
        let hall = try await RankHall([("sam", 1), ("ana", 1)]) { (_, seat) throws(RankError) in
            for number in 0..<5000 {
                let other = 1 - seat.rank
                try seat.send(Self.message(seat.rank, [1], tag: number), to: other, .standard)
                _ = try seat.receive(Self.from(other, tag: number), capacity: 1)
            }
            if crashes { throw .crashed(rank: seat.rank, "it divides by zero", places: []) }
            return try seat.receive(Self.from(nil, tag: 9), capacity: 1).octets
        }
        let launch = hall.launch(2)
        let fault = await #expect(throws: RankError.self) { try await launch.run() }
        let counts = launch.traces.map { trace in trace.events.count { if case .sent = $0 { true } else { false } } }
        if crashes {
            // The other rank may still have been on its way to the same end.
            guard case .crashed(let rank, _, _) = fault else {
                Issue.record("\(String(describing: fault))")
                return
            }
            #expect(counts[rank] == 5000)
        } else {
            #expect(fault?.description.hasPrefix("deadlock") == true)
            #expect(counts == [5000, 5000])
        }
        await hall.close()
    }

    /// What rank 0 writes must travel to the lead.
    @Test func anOutputMayBeTooLong() async throws {
        let hall = try await RankHall([("sam", 1)]) { (_, _) throws(RankError) in
            [UInt8](repeating: 0, count: RankLimits.output + (1 << 20))
        }
        let fault = await #expect(throws: RankError.self) { try await hall.launch(1).run() }
        #expect(
            fault?.description
                == "rank 0 wrote 257 MiB, but at most 256 MiB travel; write less, or launch without --session")
        await hall.close()
    }

    @Test func aNodeMayRefuse() async throws {
        let hall = try await RankHall([("sam", 0), ("ana", 1)], policy: .none("no plugins here")) {
            (_, _) throws(RankError) in []
        }
        for (size, why) in [
            (1, "ana: no plugins here"),
            (17, "17 ranks do not fit: the laptops of the session take at most 16, 16 on each core; launch fewer"),
        ] {
            let fault = await #expect(throws: RankError.self) { try await hall.launch(size).run() }
            #expect(fault?.description == why)
        }
        let unknown = await #expect(throws: RankError.self) {
            try await hall.launch(nil, .named([.init(name: "bob", ranks: 1)])).run()
        }
        #expect(
            unknown?.description == "no laptop called 'bob' computes in this session; those that do: ana")
        await hall.close()
    }

    /// One laptop that runs no plugins does not keep a class from launching. Who names it is told.
    @Test func otherLaptopsGetTheRanksOfADecliner() async throws {
        let hall = try await RankHall([("sam", 1), ("ana", 4), ("bob", 2)], decliner: "ana") {
            (_, seat) throws(RankError) in [UInt8(seat.size)]
        }
        let launch = hall.launch(nil)
        #expect(try await launch.run() == [3])
        #expect(launch.picture?.laptops == ["bob", "bob", "sam"])
        let declined = hall.notes.with { $0.filter { if case .declined = $0 { true } else { false } } }
        #expect(declined == [.declined("ana: no plugins here")])
        let fault = await #expect(throws: RankError.self) {
            try await hall.launch(nil, .named([.init(name: "ana", ranks: 2), .init(name: "bob", ranks: 1)])).run()
        }
        #expect(fault?.description == "ana: no plugins here")
        await hall.ended(at: 2)
        await hall.close()
    }

    /// Without a checkpoint a lost program cannot begin again, and says so.
    @Test func aProgramWithoutACheckpointDoesNotRestart() async throws {
        let leaving = Leaving()
        let hall = try await RankHall([("sam", 1), ("bob", 1)]) { (_, seat) throws(RankError) in
            leaving.waitUntilLeft()
            return try seat.receive(Self.from(nil), capacity: 1).octets
        }
        let bob = try #require(hall.sessions["bob"])
        leaving.set(bob)
        let fault = await #expect(throws: RankError.self) { try await hall.launch(2, restarts: 2).run() }
        guard case .lost(_, "bob") = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(hall.notes.with { $0.last } == .noCheckpoint)
        await hall.close()
    }

    /// Everybody sees that a program has ended whose launcher is gone.
    @Test func aLostLauncherIsNamed() async throws {
        let hall = try await RankHall([("sam", 1), ("ana", 1)]) { (_, seat) throws(RankError) in
            while true {
                try seat.send(Self.message(seat.rank, [1]), to: 1 - seat.rank, .standard)
                _ = try seat.receive(Self.from(1 - seat.rank), capacity: 1)
            }
        }
        let launch = hall.launch(2)
        let task = Task { try await launch.run() }
        await hall.seesAProgram()
        await hall.visitor.leave()
        await hall.ended(at: 2)
        hall.shows.with { shows in
            for name in ["sam", "ana"] {
                #expect(shows[name]?.last?.state == .failed("the connection to vera broke, which launched it"))
            }
        }
        task.cancel()
        launch.stop()
        await hall.close()
    }

    @Test func aProgramCanBeStopped() async throws {
        let begun = Guarded<@Sendable () -> Void>({})
        let hall = try await RankHall([("sam", 1), ("ana", 1)]) { (_, seat) throws(RankError) in
            begun.with { $0 }()
            return try seat.receive(Self.from(seat.rank), capacity: 1).octets
        }
        let launch = hall.launch(2)
        begun.with { $0 = { launch.stop() } }
        let fault = await #expect(throws: RankError.self) { try await launch.run() }
        #expect(fault == .stopped)
        await hall.close()
    }
}
