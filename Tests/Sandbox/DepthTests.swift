import Foundation
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// The depth to which a function may call itself is a number of the module, and not of the engine that runs it.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"), .serialized, .timeLimit(.minutes(60)))
struct DepthTests {
    private static let file = "Tests/Sandbox/Authors/Deep.swift"

    private func run(_ plugin: Plugin, depth: UInt64, way: UInt64) throws -> ChunkReply {
        try plugin.simulation.prepared([depth, way]).run(ChunkRequest(seed: 3, blocks: 0..<1, trials: 16)) { false }
    }

    /// The module that is not counted is the one with the places of the source.
    @Test func countingChangesNoResult() throws {
        let (counted, plain) = try (Made.plugin(Self.file), Made.plugin(Self.file, .traced))
        for way in 0...2 as ClosedRange<UInt64> {
            for depth in [1, 2, 50, 999, 2000] as [UInt64] {
                let reply = try run(counted, depth: depth, way: way)
                #expect(try reply.failure == nil && reply.slots == run(plain, depth: depth, way: way).slots)
            }
        }
    }

    /// The engine has room for more, so it never ends a call before the module does.
    @Test(arguments: [0, 1] as [UInt64]) func theModuleEndsTooDeepCalls(_ way: UInt64) throws {
        let plugin = try Made.plugin(Self.file)
        var (fine, bad) = (1 as UInt64, 1_000_000 as UInt64)
        while bad - fine > 1 {
            let middle = (fine + bad) / 2
            let reply = try run(plugin, depth: middle, way: way)
            guard let failure = reply.failure else {
                fine = middle
                continue
            }
            #expect(
                failure.reason.contains("deep") && failure.reason.contains("seed 3, block 0: its calls within calls"))
            #expect(failure.reason.contains("are too many for the stack of a plugin"), "\(failure.reason)")
            bad = middle
        }
        // What is documented.
        #expect((2500...12_000).contains(fine), "\(fine) calls within calls")
    }

    /// Without a function that calls itself nothing is counted, so built-in modules stay as they are.
    @Test func aModuleWithoutSuchFunctionsStaysTheSame() throws {
        for file in ["Plugins/Pi/Pi.swift", "Tests/Sandbox/Authors/Keeping.swift"] {
            let module = try Made.simulation(file)
            #expect(ModuleStack.counted(module) == module)
            // It can be read: what calls nothing calls not itself.
            #expect(ModuleParts(module) != nil)
        }
    }

    /// A module that is cut or changed is read or refused, and never stops the reader.
    @Test func aDamagedModuleStaysTheSame() throws {
        let module = try Made.simulation(Self.file)
        for length in stride(from: 0, to: module.count, by: 97) {
            _ = ModuleStack.counted(Array(module.prefix(length)))
        }
        var random = SeededGenerator(seed: 36)
        for _ in 0..<200 {
            var other = module
            for _ in 0..<3 { other[Int(random.next(below: UInt64(other.count)))] = UInt8(random.next(below: 256)) }
            _ = ModuleStack.counted(other)
        }
    }
}
