import Foundation
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// A simulation that keeps something from trial to trial fails, whatever it keeps and wherever its chunks end. One that only
/// prepares something once, or fills its memory again, gives the same result everywhere.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"), .serialized, .timeLimit(.minutes(60)))
struct KeptTests {
    private static let file = "Tests/Sandbox/Authors/Keeping.swift"
    private static let module = Result { try Made.simulation(file) }

    private func prepared(_ way: UInt64, seldom: UInt64 = 1_000_000, lanes: Bool = false) throws -> PreparedSimulation {
        try Plugin(Self.module.get(), label: "keeping", usesLanes: lanes).simulation.prepared([way, seldom])
    }

    private func run(_ simulation: PreparedSimulation, _ blocks: Range<UInt64>, seed: UInt64 = 5) -> ChunkReply {
        simulation.run(ChunkRequest(seed: seed, blocks: blocks, trials: nil)) { false }
    }

    /// Also if no chunk has more than one block.
    @Test(arguments: [1, 2, 3, 4, 6, 7, 8, 15] as [UInt64])
    func whatEachTrialChangesIsFoundInTheFirstBlocks(_ way: UInt64) throws {
        for end in [1, 2, 40] as [UInt64] {
            let simulation = try prepared(way)
            let replies = (0..<40 / end).map { run(simulation, $0 * end..<($0 + 1) * end) }
            let failure = try #require(replies.lazy.compactMap(\.failure).first, "way \(way), \(end) blocks at once")
            #expect(failure.reason.contains(SandboxError.keeping) && failure.block != nil, "\(failure.reason)")
        }
    }

    /// It is found in the chunk in which it changes, and the block that changed it is named.
    @Test(arguments: [5, 9] as [UInt64]) func rarelyChangedStateIsFoundInItsChunk(_ way: UInt64) throws {
        let reply = run(try prepared(way, seldom: 100_000), 0..<2000)
        let failure = try #require(reply.failure)
        let block = try #require(failure.block)
        #expect(failure.reason.contains(SandboxError.keeping) && block == reply.end)
        // Every node that gets that block finds the same, also if others are before it.
        for start in [block, block - min(block, 7)] {
            let again = run(try prepared(way, seldom: 100_000), start..<block + 3)
            #expect(again.failure?.block == block)
        }
    }

    @Test func lanesKeepNothingEither() throws {
        #expect(run(try prepared(0, lanes: true), 0..<8).failure == nil)
        let failure = try #require(run(try prepared(1, lanes: true), 0..<8).failure)
        #expect(failure.reason.contains(SandboxError.keeping))
    }

    /// Tables that are made at first use, lists that are filled again, and a table that remembers what is always the same.
    @Test(arguments: [0, 10, 11, 12, 13, 14] as [UInt64])
    func harmlessStateIsAllowed(_ way: UInt64) throws {
        let whole = run(try prepared(way, seldom: 30_000), 0..<120)
        #expect(whole.failure == nil && whole.end == 120, "\(whole)")
        for step in [1, 7, 50] {
            let simulation = try prepared(way, seldom: 30_000)
            var merged = simulation.layout.empty
            for start in stride(from: 0, to: 120, by: step) {
                let reply = run(simulation, UInt64(start)..<UInt64(min(120, start + step)))
                #expect(reply.failure == nil, "\(reply)")
                simulation.layout.merge(reply.slots, into: &merged)
            }
            #expect(merged == whole.slots, "way \(way), \(step) blocks at once")
        }
    }

    /// A chunk whose memory is not as it was gives what its blocks give by themselves.
    @Test func aRefilledListDoesNotMakeAResultDependOnChunks() throws {
        let simulation = try prepared(12)
        let whole = run(simulation, 0..<60)
        // By now it is known, and each block is computed by itself.
        #expect(run(simulation, 0..<60) == whole)
    }

    @Test func aNativeProgramKeepsNothing() throws {
        let plugin = try Plugin(Self.module.get(), label: "keeping", usesLanes: false)
        let workshop = Workshop(folder: Made.folder, searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "")
        let program = try workshop.native(
            Made.root.appending(path: Self.file).path, label: Self.file, source: plugin.simulation.source)
        for way in [1, 2, 3, 4, 6, 8, 15] as [UInt64] {
            let error = try #require(throws: ParameterError.self) { try plugin.native(program).prepared([way, 9]) }
            guard case .failed(let failure) = error else { throw error }
            #expect(failure.reason.contains(SandboxError.keeping), "\(way): \(failure.reason)")
        }
        // It changes in some block, and that chunk is computed by the module.
        let seldom = try plugin.native(program).prepared([5, 200_000])
        #expect(run(seldom, 0..<2000).failure?.reason.contains(SandboxError.keeping) == true)
        for way in [0, 10, 12, 13, 14] as [UInt64] {
            let native = try plugin.native(program).prepared([way, 9])
            for blocks in [0..<1, 0..<50, 30..<90] as [Range<UInt64>] {
                let reply = run(native, blocks)
                #expect(try reply.failure == nil && reply == run(prepared(way, seldom: 9), blocks), "way \(way)")
            }
        }
    }
}
