import Foundation
import PotluckCatalogue
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// A person's own file as a native program. One test after the other, so that the program is compiled once.
@Suite(
    .serialized, .enabled(if: Made.canRun, "wasmtime is not here: make deps fetches it"), .timeLimit(.minutes(60)))
struct NativeTests {
    private static let file = "Tests/Sandbox/Authors/Stumbling.swift"

    /// The simulation as a module and natively, where it goes wrong in this way.
    private func both(_ way: UInt64 = 0) throws -> (module: PreparedSimulation, native: PreparedSimulation) {
        let plugin = try Made.plugin(Self.file)
        return (try plugin.simulation.prepared([way]), try native(plugin, way))
    }

    private func native(_ plugin: Plugin, _ way: UInt64) throws -> PreparedSimulation {
        let workshop = Workshop(folder: Made.folder, searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "")
        let program = try workshop.native(
            Made.root.appending(path: Self.file).path, label: Self.file, source: plugin.simulation.source)
        return try plugin.native(program).prepared([way])
    }

    @Test func itHasTheIdentityAndTheTallyOfTheModule() throws {
        let plugin = try Made.plugin(Self.file)
        let (module, native) = try both()
        #expect(plugin.native("").identity == plugin.simulation.identity)
        for (blocks, trials) in [(0..<3, nil), (7..<9, 8 * 1024 + 5), (1 << 32..<1 << 32 + 1, nil)]
            as [(Range<UInt64>, UInt64?)]
        {
            let request = ChunkRequest(seed: 2010, blocks: blocks, trials: trials)
            let ours = native.run(request) { false }
            #expect(ours.failure == nil && ours.end == blocks.upperBound)
            #expect(ours == module.run(request) { false })
        }
    }

    /// A file with lanes runs by the lanes of this CPU, in a program of its own.
    @Test func lanesOfThisCPUGiveTheTallyOfTheModule() throws {
        let path = "Plugins/MontyHall/MontyHall.swift"
        let plugin = try Made.plugin(path)
        let workshop = Workshop(folder: Made.folder, searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "")
        let file = Made.root.appending(path: path).path
        let programs = try [[], Vectors.chosen.features].map {
            try workshop.native(file, label: path, source: plugin.simulation.source, features: $0)
        }
        #expect((programs[0] == programs[1]) == (Vectors.chosen == .plain))
        // A file without lanes is compiled for every CPU.
        let plain = Made.root.appending(path: Self.file).path
        let source = try Made.plugin(Self.file).simulation.source
        #expect(
            try workshop.native(plain, label: path, source: source, features: Vectors.chosen.features)
                == workshop.native(plain, label: path, source: source))
        for parameters in [[3, 1], [100, 7]] as [[UInt64]] {
            let module = try plugin.simulation.prepared(parameters)
            for (blocks, trials) in [(0..<2, nil), (9..<10, 9 * 65_536 + 1003)] as [(Range<UInt64>, UInt64?)] {
                let request = ChunkRequest(seed: 4, blocks: blocks, trials: trials)
                let wanted = module.run(request) { false }
                for program in programs {
                    #expect(try plugin.native(program).prepared(parameters).run(request) { false } == wanted)
                }
            }
        }
    }

    @Test func severalCoresRunItAtOnce() async throws {
        let (module, native) = try both()
        let request = ChunkRequest(seed: 3, blocks: 0..<200, trials: nil)
        let expected = module.run(request) { false }
        await withTaskGroup(of: ChunkReply.self) { group in
            for _ in 0..<4 { group.addTask { native.run(request) { false } } }
            for await reply in group { #expect(reply == expected) }
        }
    }

    /// A crash ends the program of one core, and the next chunk has a new one.
    @Test func aCrashIsAFailureOfItsBlock() throws {
        let (module, native) = try both(1)
        let request = ChunkRequest(seed: 5, blocks: 0..<400, trials: nil)
        let (theirs, ours) = (module.run(request) { false }, native.run(request) { false })
        let failure = try #require(ours.failure)
        #expect(ours.end == theirs.end && ours.slots == theirs.slots && theirs.failure != nil)
        #expect(failure.reason.contains("the native program crashed (signal "), "\(failure.reason)")
        #expect(failure.reason.hasSuffix("; run it without --native to see where"))
        let again = native.run(ChunkRequest(seed: 5, blocks: 0..<ours.end, trials: nil)) { false }
        #expect(again.failure == nil && again.slots == ours.slots)
    }

    @Test func aCallThatNeverEndsIsEnded() throws {
        let limits = PluginLimits(time: .milliseconds(500))
        let plugin = try Plugin(Made.simulation(Self.file), label: "own.swift", limits: limits)
        let error = try #require(throws: ParameterError.self) { try native(plugin, 2) }
        guard case .failed(let failure) = error else { throw error }
        #expect(failure.reason.contains("one call took longer than 1"), "\(failure.reason)")
    }

    @Test func anotherResultThanTheModulesIsRefused() throws {
        let plugin = try Made.plugin(Self.file)
        let error = try #require(throws: ParameterError.self) { try native(plugin, 3) }
        guard case .failed(let failure) = error else { throw error }
        #expect(failure.reason.contains("it computes something else natively than as a module"), "\(failure.reason)")
    }

    @Test func aProgramThatCannotStartIsAFailure() throws {
        let simulation = try Made.plugin(Self.file).native("/nonexistent/program")
        #expect(throws: ParameterError.self) { try simulation.prepared([0]) }
    }

    @Test func withoutACompilerNothingIsMade() throws {
        let bare = Workshop(folder: Made.folder, searchPath: "/nonexistent")
        let source = try Made.plugin(Self.file).simulation.source
        let error = try #require(throws: WorkshopError.self) {
            try bare.native(Made.root.appending(path: Self.file).path, label: "own.swift", source: source)
        }
        #expect(error.message.hasPrefix("cannot compile own.swift: swiftc is not installed"))
    }
}
