import Dispatch
import PotluckCatalogue
import PotluckKit
import PotluckSystem
import Testing

@testable import Potluck
@testable import PotluckCore
@testable import PotluckNet

/// A page that computes in a node's place gives what the node would have computed, or nothing.
@Suite struct PageDeviceTests {
    private static let job = JobID(7)

    /// A page that computes natively. `answers` changes what it says.
    private final class Page: Sendable {
        let sent = Guarded<[GatewayMessage]>([])
        let device = Guarded<PageDevice?>(nil)
        let gaveUp = Guarded<String?>(nil)
        private let simulation: PreparedSimulation
        private let seed: UInt64
        private let trials: UInt64?
        private let answers: @Sendable (PageWork) -> [PageWork]
        private let queue = DispatchQueue(label: "page")

        init(
            _ simulation: PreparedSimulation, seed: UInt64, trials: UInt64?,
            answers: @escaping @Sendable (PageWork) -> [PageWork] = { [$0] }
        ) {
            (self.simulation, self.seed, self.trials, self.answers) = (simulation, seed, trials, answers)
        }

        func took(_ message: GatewayMessage) {
            sent.with { $0.append(message) }
            queue.async { [self] in
                for work in reply(to: message).flatMap(answers) { device.with { $0 }?.received(work) }
            }
        }

        private func reply(to message: GatewayMessage) -> [PageWork] {
            switch message {
            case .prepare(let preparation): return [.ready(preparation.job)]
            case .chunks(_, let loans): return loans.flatMap(compute)
            default: return []
            }
        }

        private func compute(_ loan: PageLoan) -> [PageWork] {
            let reply = simulation.run(ChunkRequest(seed: seed, blocks: loan.blocks, trials: trials)) { false }
            let own = simulation.layout.fields.filter { $0.kind != .print }.reduce(0) { $0 + $1.slots.count }
            var output: [UInt8] = []
            for octets in reply.outputs {
                output += (0..<4).map { UInt8(truncatingIfNeeded: octets.count >> (8 * $0)) } + octets
            }
            let writes = simulation.writes != .nothing
            let done = PageChunk(
                attempt: loan.attempt, end: reply.end, busy: 0.1, tally: Array(reply.slots.prefix(own)),
                output: writes ? output.count : nil)
            return stride(from: 0, to: output.count, by: 1000).map {
                .output(attempt: loan.attempt, octets: Array(output[$0..<min(output.count, $0 + 1000)]))
            } + [.done(done)]
        }
    }

    private static func lent(
        _ name: String, _ typed: [String: UInt64] = [:],
        isForgotten: Bool = false,
        answers: @escaping @Sendable (PageWork) -> [PageWork] = { [$0] }
    ) throws -> (native: PreparedSimulation, lent: PreparedSimulation, page: Page, device: PageDevice) {
        let simulation = try #require(catalogue.first { $0.name == name })
        let parameters = simulation.parameters.map { typed["\($0.name)"] ?? $0.standard }
        let native = try simulation.prepared(parameters)
        let experiment = try simulation.experiment(parameters: parameters, seed: 5)
        let page = Page(native, seed: 5, trials: native.units, answers: answers)
        let device = PageDevice { message in
            page.took(message)
            if isForgotten, case .prepare = message { page.device.with { $0 }?.forget(Self.job) }
        }
        page.device.with { $0 = device }
        let work = LentWork(
            recipe: JobRecipe(experiment: experiment, goal: Goal(trials: native.units)), simulation: native,
            module: [UInt8](repeating: 3, count: 100_000), tables: nil)
        return (native, try device.prepare(job, work) { why in page.gaveUp.with { $0 = why } }.get(), page, device)
    }

    private static func request(_ blocks: Range<UInt64>, _ simulation: PreparedSimulation) -> ChunkRequest {
        ChunkRequest(seed: 5, blocks: blocks, trials: simulation.units)
    }

    @Test(arguments: ["monty-hall", "pi", "option-price", "primes", "coupon-collector"])
    func aPageComputesTheReplyOfTheNode(name: String) throws {
        let (native, lent, _, _) = try Self.lent(name)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<10 {
            let first = random.next(below: 5)
            let request = Self.request(first..<first + 1 + random.next(below: 4), native)
            #expect(lent.run(request) { false } == native.run(request) { false })
        }
    }

    @Test func theModuleIsFetchedInParts() throws {
        let (_, _, page, device) = try Self.lent("pi")
        guard case .prepare(let preparation)? = page.sent.with({ $0.first }) else { return #expect(Bool(false)) }
        let hash = preparation.module.blob.hash
        var octets: [UInt8] = []
        while octets.count < preparation.module.blob.size {
            device.received(.fetch(hash, from: octets.count))
            guard case .part(hash, from: octets.count, octets: let part)? = page.sent.with({ $0.last }) else {
                return #expect(Bool(false), "no part")
            }
            octets += part
        }
        #expect(octets == [UInt8](repeating: 3, count: 100_000))
        device.received(.fetch(hash, from: 100_000))
        guard case .lacking? = page.sent.with({ $0.last }) else { return #expect(Bool(false)) }
        // When the job is over nobody gets its module.
        device.forget(Self.job)
        device.received(.fetch(hash, from: 0))
        guard case .lacking? = page.sent.with({ $0.last }) else { return #expect(Bool(false)) }
    }

    /// Each of these answers is a failure of the chunk, and none a crash or a result.
    @Test(arguments: 0..<6) func wrongAnswersAreFailures(kind: Int) throws {
        let (native, lent, _, _) = try Self.lent(kind < 4 ? "pi" : "primes", kind < 4 ? [:] : ["list": 1]) { work in
            guard case .done(let done) = work else { return [work] }
            func changed(end: UInt64? = nil, tally: [UInt64]? = nil, output: Int? = nil) -> PageWork {
                .done(
                    PageChunk(
                        attempt: done.attempt, end: end ?? done.end, busy: done.busy, tally: tally ?? done.tally,
                        output: output ?? done.output))
            }
            switch kind {
            case 0: return [changed(end: .max)]
            case 1: return [changed(end: 0)]
            case 2: return [changed(tally: [])]
            case 3: return [changed(tally: done.tally + [1])]
            case 4: return [changed(output: 1)]
            default: return [.output(attempt: done.attempt, octets: [1, 2, 3]), work]
            }
        }
        let reply = lent.run(Self.request(1..<3, native)) { false }
        #expect(reply.failure != nil && reply.end == 1)
        #expect(reply.slots == native.layout.empty)
    }

    @Test func aPageMaySayThatAModuleFailed() throws {
        let (native, lent, _, _) = try Self.lent("pi") { work in
            guard case .done(let done) = work else { return [work] }
            return [.failed(attempt: done.attempt, block: 2, why: "it divided by zero"), work]
        }
        let reply = lent.run(Self.request(1..<3, native)) { false }
        #expect(reply.failure?.reason == "it divided by zero" && reply.end == 2)
    }

    /// A page that says nothing more is not waited for once nobody wants the chunk.
    @Test func anUnwantedChunkIsDropped() throws {
        let (native, lent, page, _) = try Self.lent("pi") { work in if case .ready = work { [work] } else { [] } }
        let reply = lent.run(Self.request(1..<3, native)) { true }
        #expect(reply.end == 1 && reply.failure == nil)
        #expect(page.sent.with { $0.contains(.drop(["1"])) })
    }

    @Test func aClosedPageIsNotWaitedFor() throws {
        let (native, lent, page, device) = try Self.lent("pi") { work in if case .ready = work { [work] } else { [] } }
        DispatchQueue.global().async {
            while !page.sent.with({ $0.contains { if case .chunks = $0 { true } else { false } } }) {}
            device.close()
        }
        #expect(lent.run(Self.request(1..<3, native)) { false }.end == 1)
        #expect(lent.run(Self.request(1..<3, native)) { false }.end == 1)
    }

    @Test func aPageDeclinesWithASentence() throws {
        #expect(throws: PluginError("it has no memory")) {
            _ = try Self.lent("pi") { work in
                if case .ready(let job) = work { [.unable(job, why: "it has no memory")] } else { [work] }
            }
        }
    }

    /// A page may send any text, and its reason gets to the screens of the session.
    @Test func aPagesReasonFitsAScreen() throws {
        let why = "\u{1b}[31mno\nmemory"
        #expect(throws: PluginError(" [31mno memory")) {
            _ = try Self.lent("pi") { work in
                if case .ready(let job) = work { [.unable(job, why: why)] } else { [work] }
            }
        }
        let (native, lent, _, _) = try Self.lent("pi") { work in
            guard case .done(let done) = work else { return [work] }
            return [.failed(attempt: done.attempt, block: 1, why: why + String(repeating: "!", count: 1000))]
        }
        let reason = lent.run(Self.request(1..<3, native)) { false }.failure?.reason ?? ""
        #expect(reason.hasPrefix(" [31mno memory!!") && reason.utf8.count <= PageDevice.Limits.reason)
    }

    /// What a page writes for jobs that write nothing is not kept.
    @Test func outputThatNobodyWantsIsIgnored() throws {
        let (native, lent, _, _) = try Self.lent("pi") { work in
            guard case .done(let done) = work else { return [work] }
            return [.output(attempt: done.attempt, octets: [UInt8](repeating: 0, count: 30_000)), work]
        }
        #expect(lent.run(Self.request(1..<3, native)) { false } == native.run(Self.request(1..<3, native)) { false })
    }

    /// A job that ends while a page prepares for it does not hold up the next one.
    @Test func aPreparingPageIsToldThatTheJobIsOver() throws {
        #expect(throws: PluginError("the job is over")) {
            _ = try Self.lent("pi", isForgotten: true) { _ in [] }
        }
    }

    /// The memory of a phone may run out in the middle.
    @Test func aPageMayGiveUpLater() throws {
        let (native, lent, page, _) = try Self.lent("pi") { work in
            if case .done = work { [.unable(Self.job, why: "its memory ran out")] } else { [work] }
        }
        for _ in 0..<2 {
            let reply = lent.run(Self.request(1..<3, native)) { false }
            #expect(reply.failure == nil && reply.end == 1)
        }
        #expect(page.gaveUp.with { $0 } == "its memory ran out")
    }
}
