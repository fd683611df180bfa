import PotluckCore
import PotluckKit
import PotluckRanks
import PotluckSystem
import Testing

@testable import PotluckMachine

/// Programs with ranks that are hostile, or wrong in one way.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"), .timeLimit(.minutes(60)))
struct RankModuleTests {
    private static let limits = PluginLimits(memory: 16 << 20, time: .milliseconds(500))

    private func module(_ wrong: String) throws -> RankModule {
        try RankModule(
            Made.c("Tests/Sandbox/Hostile/ranks.c", ["-DWRONG=\(wrong)", "-DWRONG_\(wrong)"], name: "ranks-\(wrong)"),
            label: wrong, limits: Self.limits)
    }

    private func start(_ seed: UInt64 = 0) -> RankModule.Start {
        .init(parameters: [], tables: [], seed: seed, arguments: [])
    }

    @Test func aFineOneRuns() throws {
        let fine = try module("fine")
        #expect(fine.name == "wild")
        #expect(try fine.run(start(), on: LoneRank()) == Array("hi".utf8))
    }

    @Test(arguments: [
        ("other_import", "imports functions"), ("other_type", "with other types than it has"),
        ("old_abi", "start it with 'potluck run'"), ("with_tally", "has no tally"),
        ("describe_calls", "rank 0 calls log before its program has begun"),
    ])
    func modulesThatCannotBeLoadedAreRefused(_ wrong: String, _ why: String) throws {
        let error = try #require(throws: SandboxError.self) { try module(wrong) }
        #expect(error.reason.contains(why), "\(error.reason)")
    }

    @Test(arguments: [
        ("short_answer", "is too short"), ("other_shape", "a different kind of work"), ("code", "ended with code 3"),
        ("crash", "it stopped itself"), ("refuses", "rank 0: nooo"),
    ])
    func aFailingProgramSaysWhy(_ wrong: String, _ why: String) throws {
        let module = try module(wrong)
        let fault = try #require(throws: RankError.self) { try module.run(start(), on: LoneRank()) }
        #expect(fault.description.contains(why), "\(fault)")
    }

    /// A rank that never calls anything ends when it is told to.
    @Test func anEndlessOneIsStopped() throws {
        let module = try module("endless")
        #expect(throws: RankError.self) { try module.run(start(), on: LoneRank()) { $0.stop() } }
    }

    /// Whatever a module passes to the imports, it is answered, or its program ends. Nothing else is touched.
    @Test func randomCallsAreAnsweredOrEndTheProgram() throws {
        let module = try module("random_calls")
        var (ended, calls) = (0, 0)
        for seed in 0..<400 as Range<UInt64> {
            let host = LoneRank()
            do throws(RankError) {
                _ = try module.run(start(seed), on: host)
                ended += 1
            } catch {
                if case .crashed(_, let why, _) = error { Issue.record("seed \(seed): \(why)") }
            }
            calls += host.calls
        }
        #expect(ended > 0 && calls > 400)
    }

    @Test func aSimulationIsNoProgramWithRanks() throws {
        #expect(throws: SandboxError.noRanks) { try RankModule(Made.hostile("fine"), label: "fine") }
        let octets = try Made.c("Tests/Sandbox/Hostile/ranks.c", ["-DWRONG=fine"], name: "ranks-as-plugin")
        #expect(throws: SandboxError.ranks) { try Plugin(octets, label: "ranks") }
    }
}

/// A host of one rank of two, without threads: what would have to wait ends the program.
final class LoneRank: RankHost, @unchecked Sendable {
    // Only the test's thread uses it.
    private var world = RankWorld(size: 2)
    private(set) var calls = 0
    let rank = 0
    let size = 2
    var seconds: Double { Double(calls) }

    private func counted<Result>(
        _ body: (inout RankWorld) throws(RankError) -> Result
    ) throws(RankError) -> Result {
        calls += 1
        return try body(&world)
    }

    func log(_ octets: [UInt8], isError: Bool) throws(RankError) { calls += 1 }
    func abort(_ code: Int) throws(RankError) { throw .aborted(rank: 0, code: code) }

    func send(_ message: RankMessage, to receiver: Int, _ mode: RankSendMode) throws(RankError) {
        let request = try counted { (world) throws(RankError) in try world.send(message, to: receiver, mode) }
        if request != nil { throw .stopped }
    }

    func beginSending(_ message: RankMessage, to receiver: Int, _ mode: RankSendMode) throws(RankError) -> Int32 {
        try counted { (world) throws(RankError) in
            try world.send(message, to: receiver, mode, wantsRequest: true) ?? 0
        }
    }

    func receive(_ pattern: RankPattern, capacity: Int) throws(RankError) -> RankMessage {
        guard
            case .message(let message) = try counted({ (world) throws(RankError) in
                try world.receive(0, pattern, capacity: capacity)
            })
        else { throw .stopped }
        return message
    }

    func beginReceiving(_ pattern: RankPattern, capacity: Int) throws(RankError) -> Int32 {
        try counted { (world) throws(RankError) in try world.request(0, pattern, capacity: capacity) }
    }

    func probe(_ pattern: RankPattern, waits: Bool) throws(RankError) -> RankStatus? {
        let found = try counted { (world) throws(RankError) in world.probe(0, pattern) }
        if found == nil, waits { throw .stopped }
        return found
    }

    func wait(_ requests: [Int32]) throws(RankError) -> (place: Int, completion: RankWorld.Completion) {
        for (place, request) in requests.enumerated() {
            if let completion = try test(request) { return (place, completion) }
        }
        throw .stopped
    }

    func test(_ request: Int32) throws(RankError) -> RankWorld.Completion? {
        try counted { (world) throws(RankError) in try world.complete(0, request) }
    }

    func checkpoint(_ state: [UInt8]) throws(RankError) { calls += 1 }
    func restored() throws(RankError) -> [UInt8]? { [1, 2, 3] }
}
