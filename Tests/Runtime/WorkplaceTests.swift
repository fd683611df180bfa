import Dispatch
import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckSystem
import Testing

@testable import Potluck

/// Tests of a coordinator and its workers together, with everything real but the network and the clock.
@Suite(.timeLimit(.minutes(60))) struct WorkplaceTests {
    /// Writes the same bytes in every block.
    private struct Echo: Gathering {
        static let name: StaticString = "echo"
        static let summary: StaticString = "The same in every block"
        @Parameter("units", "how many", in: 1...1000) var count = 16
        @Parameter("octets", "of each block", in: 0...100) var octets = 0

        struct Tally: SimulationTally {
            var blocks = Count()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("blocks", &blocks) }
        }

        var units: UInt64 { UInt64(count) }
        var blockSize: Int { 4 }

        func block(
            _ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout PotluckKit.Output,
            _ tally: inout Tally
        ) {
            tally.blocks.add()
            for _ in 0..<octets { output.put(UInt8(7)) }
        }

        static var readings: [ReadingRule<Echo>] { derived("blocks", { _, tally, _ in Double(tally.blocks.value) }) }
    }

    private struct Coin: Simulation {
        static let name: StaticString = "coin"
        static let summary: StaticString = "heads or tails"
        struct Tally: SimulationTally {
            var heads = Count()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("heads", &heads) }
        }
        func trial(_ random: inout RandomStream, _ tally: inout Tally) {
            if random.next() % 2 == 0 { tally.heads.add() }
        }
        static var readings: [ReadingRule<Self>] { proportion("heads") { $0.heads } }
    }

    private static let echo = AnySimulation(Echo.self, source: "")
    private static let coin = AnySimulation(Coin.self, source: "")
    private static let ticket = JobTicket([UInt8](repeating: 1, count: JobTicket.length))!

    /// Returns a coin that calls `enter` before each chunk and applies `count` to its slots.
    private static func coin(
        count: @escaping @Sendable (inout [UInt64]) -> Void = { _ in }, enter: @escaping @Sendable () -> Void = {}
    ) throws -> AnySimulation {
        let honest = try coin.prepared([])
        return AnySimulation(
            name: coin.name, summary: "", source: coin.source, parameters: [], layout: coin.layout,
            readings: coin.readings
        ) { _, _ in
            .success(
                PreparedSimulation(
                    parameters: [], blockSize: honest.blockSize, layout: honest.layout,
                    run: { request, shouldStop in
                        enter()
                        var reply = honest.run(request, shouldStop)
                        if reply.end > request.blocks.lowerBound { count(&reply.slots) }
                        return reply
                    }, read: { .success(honest.read($0, $1)) }))
        }
    }

    private static func computing(_ simulation: AnySimulation, cores: Int) -> Computing {
        Computing(Simulations([simulation]), cores: cores, priority: .normal)
    }

    private static func order(
        _ simulation: AnySimulation, _ parameters: [UInt64] = [], trials: UInt64, workers: Int = 2
    ) throws -> JobRequest {
        let experiment = try simulation.experiment(parameters: parameters, seed: 5)
        let order = JobOrder(
            JobRecipe(experiment: experiment, goal: Goal(trials: trials), collects: !parameters.isEmpty),
            workers: workers)
        return .order(order, ticket)
    }

    private static func tally(_ trials: UInt64) throws -> [UInt64] {
        let honest = try coin.prepared([])
        let blocks = (trials + UInt64(honest.blockSize) - 1) / UInt64(honest.blockSize)
        return honest.run(ChunkRequest(seed: 5, blocks: 0..<blocks, trials: trials)) { false }.slots
    }

    // MARK: Equal output

    /// Chunks of two nodes write the same bytes. The coordinator fetches them once, and each chunk counts.
    @Test(arguments: [0, 9] as [UInt64]) func chunksMayWriteTheSame(octets: UInt64) async throws {
        let place = Workplace([
            Self.computing(Self.echo, cores: 0), Self.computing(Self.echo, cores: 1),
            Self.computing(Self.echo, cores: 1),
        ])
        // The coordinator fetches nothing before both workers have reported.
        place.isHeld = { _, event in
            if case .session(.received(_, .job(.fetch))) = event { true } else { false }
        }
        var told: Set<LinkName> = []
        let isFetchHeld = place.isHeld
        place.isHeld = { seat, event in
            if seat == 0, case .session(.received(let link, .job(.results))) = event { told.insert(link) }
            return isFetchHeld(seat, event)
        }
        try place.want(Self.order(Self.echo, [16, octets], trials: 16))
        await place.live { _ in told.count == 2 }
        place.release()
        await place.live { !$0.results.isEmpty || !$0.failures.isEmpty }
        #expect(place.effects.failures == [])
        let result = try #require(place.effects.results.first)
        let output = try #require(result.output)
        #expect(result.trials == 16 && output.size == 4 * (Framed.head([]).count + Int(octets)))
    }

    // MARK: Disputes

    /// Two workers disagree about a block, and a coordinator without cores computes it twice. The liar is shut out, and
    /// both jobs end. The second one begins when the first one is handed out, so either may end first.
    @Test func withoutCoresADisputeEnds() async throws {
        let trials = UInt64(try Self.coin.prepared([]).blockSize)
        let place = Workplace([
            Self.computing(Self.coin, cores: 0),
            Self.computing(try Self.coin(count: { $0[0] ^= 1 }), cores: 1), Self.computing(Self.coin, cores: 1),
        ])
        try place.want(Self.order(Self.coin, trials: trials))
        try place.want(Self.order(Self.coin, trials: 2 * trials, workers: 1))
        await place.live { $0.results.count + $0.failures.count == 2 }
        #expect(place.effects.failures == [] && place.effects.liars == [place.id(1)])
        let tallies = Dictionary(uniqueKeysWithValues: place.effects.results.map { ($0.trials, $0.tally) })
        #expect(try tallies == [trials: Self.tally(trials), 2 * trials: Self.tally(2 * trials)])
    }

    /// A job is cancelled while the referee computes. It ends with the right tally.
    @Test func aDisputedJobCanBeCancelled() async throws {
        let trials = UInt64(try Self.coin.prepared([]).blockSize)
        let (isAtWork, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let referee = try Self.coin(enter: {
            isAtWork.signal()
            mayGoOn.wait()
            mayGoOn.signal()
        })
        let place = Workplace([
            Self.computing(referee, cores: 0),
            Self.computing(try Self.coin(count: { $0[0] ^= 1 }), cores: 1), Self.computing(Self.coin, cores: 1),
        ])
        try place.want(Self.order(Self.coin, trials: trials))
        await place.live { effects in
            effects.contains { if case .job(.compute) = $0 { true } else { false } }
        }
        isAtWork.wait()
        let job = try #require(place.effects.taken.first)
        place.want(.command(.cancel, job, ticket: nil))
        #expect(place.effects.results.isEmpty)
        mayGoOn.signal()
        await place.live { !$0.results.isEmpty || !$0.failures.isEmpty }
        #expect(place.effects.failures == [] && place.effects.liars == [place.id(1)])
        let tally = try Self.tally(trials)
        #expect(place.effects.results.map(\.tally) == [tally])
    }

    /// Everything is computed and only an audit is missing. Cancelling the job does not wait for the audit.
    @Test func aJobThatLacksOnlyAnAuditCanBeCancelled() async throws {
        let trials = UInt64(try Self.coin.prepared([]).blockSize)
        let place = Workplace([
            Self.computing(Self.coin, cores: 0), Self.computing(Self.coin, cores: 1),
            Self.computing(Self.coin, cores: 1),
        ])
        var heard: Set<LinkName> = []
        // Holds back the results of the second worker, which audits the first one's chunk.
        place.isHeld = { seat, event in
            guard seat == 0, case .session(.received(let link, .job(.results))) = event else { return false }
            heard.insert(link)
            return heard.count == 2
        }
        try place.want(Self.order(Self.coin, trials: trials))
        await place.live { _ in heard.count == 2 }
        let job = try #require(place.effects.taken.first)
        #expect(place.effects.results.isEmpty)
        place.want(.command(.cancel, job, ticket: nil))
        await place.live { !$0.results.isEmpty || !$0.failures.isEmpty }
        let tally = try Self.tally(trials)
        #expect(place.effects.results.map(\.tally) == [tally])
    }

    /// A laptop switches to battery power. The chunks that wait for its cores go to another worker at once.
    @Test func aNodeWithoutCoresReturnsItsQueue() async throws {
        let trials = 4 * UInt64(try Self.coin.prepared([]).blockSize)
        let (isAtWork, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let stuck = try Self.coin(enter: {
            isAtWork.signal()
            mayGoOn.wait()
            mayGoOn.signal()
        })
        let place = Workplace([
            Self.computing(Self.coin, cores: 0), Self.computing(stuck, cores: 1), Self.computing(Self.coin, cores: 1),
        ])
        try place.want(Self.order(Self.coin, trials: trials))
        await place.live { effects in
            effects.contains { if case .session(.send(.accepted(1), .job(.lend), _)) = $0 { true } else { false } }
        }
        isAtWork.wait()
        place.setCores(0, at: 1)
        mayGoOn.signal()
        await place.live { !$0.results.isEmpty || !$0.failures.isEmpty }
        let tally = try Self.tally(trials)
        #expect(place.effects.results.map(\.tally) == [tally])
    }
}
