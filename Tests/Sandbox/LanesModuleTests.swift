import Foundation
import PotluckCatalogue
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// Modules that carry a second one, which runs lanes.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"), .serialized, .timeLimit(.minutes(60)))
struct LanesModuleTests {
    /// The built-in simulations with lanes, and their modules.
    private static let modules = Result {
        try CatalogueModuleTests.files.map { ($0.name, try Made.simulation($0.path)) }
            .filter { LanesSection.lanes(in: $0.1) != nil }
    }

    /// Both modules of a file give the bytes of the native trials, with any parameters, blocks and seeds.
    @Test func bothModulesGiveTheBytesOfNativeTrials() throws {
        var random = SeededGenerator(seed: 3)
        let modules = try Self.modules.get()
        #expect(modules.contains { $0.0 == "monty-hall" })
        for (name, octets) in modules {
            let native = try #require(catalogue.first { $0.name == name })
            // Only trials have blocks of any number.
            guard native.shape == .tally else { continue }
            let whole = try [true, false].map { try Plugin(octets, label: name, usesLanes: $0) }
            #expect(whole[0].hash == whole[1].hash)
            #expect(
                try whole.map { try $0.simulation.prepared(native.standardParameters).plain != nil } == [true, false])
            // The inner module by itself, too.
            let plugins = try whole + [Plugin(#require(LanesSection.lanes(in: octets)), label: name)]
            for plugin in plugins {
                #expect(plugin.simulation.source == native.source && plugin.simulation.name == native.name)
            }
            for round in 0..<8 {
                let slots = round < 3 ? native.standardParameters : Parameters.some(of: native, &random)
                let theirs = try native.prepared(slots)
                let (first, size) = (random.next(below: 1 << 34), UInt64(theirs.blockSize))
                let request = ChunkRequest(
                    seed: random.next(), blocks: first..<first + 1,
                    trials: round % 2 == 0 ? nil : (first + 1) * size - random.next(below: size))
                let wanted = theirs.run(request) { false }
                for plugin in plugins {
                    let prepared = try plugin.simulation.prepared(slots)
                    #expect(prepared.run(request) { false } == wanted, "\(name) \(slots) \(request)")
                    // Who decides a dispute compares them with the trials.
                    if let plain = prepared.plain { #expect(plain(request) { false } == wanted, "\(name)") }
                }
            }
        }
    }

    /// Other files have one module.
    @Test func onlyAFileWithLanesHasThem() throws {
        let lanes = Set(try Self.modules.get().map(\.0))
        for (name, path) in CatalogueModuleTests.files where !lanes.contains(name) {
            let text = try String(contentsOf: Made.root.appending(path: path), encoding: .utf8)
            #expect(!text.contains(": LaneSimulation {"), "\(name)")
        }
    }

    /// An engine without lanes ignores the section; ours takes what is in it. If that cannot be compiled here, another node
    /// might compile it and compute something else.
    @Test func aSectionThatDoesNotCompileIsRefused() throws {
        let outer = try Made.simulation("Plugins/Primes/Primes.swift")
        let inner = try Made.simulation("Plugins/Queens/Queens.swift")
        func name(_ octets: [UInt8], usesLanes: Bool = true) throws -> String {
            try Plugin(octets, label: "x", usesLanes: usesLanes).simulation.name
        }
        func isRefused(_ octets: [UInt8]) throws -> Bool {
            #expect(try name(octets, usesLanes: false) == "primes")
            do throws(SandboxError) {
                _ = try Plugin(octets, label: "x")
                return false
            } catch {
                return error.reason.hasPrefix("its lanes: ")
            }
        }
        let joined = LanesSection.joined(outer, lanes: inner)
        #expect(try name(joined) == "queens" && name(joined, usesLanes: false) == "primes")
        // One in another is not looked for.
        #expect(try name(LanesSection.joined(outer, lanes: LanesSection.joined(outer, lanes: inner))) == "primes")
        var random = SeededGenerator(seed: 9)
        for round in 0..<12 {
            var damaged = Array(inner.prefix(8 + Int(random.next(below: UInt64(inner.count - 8)))))
            if round % 2 == 0 {
                damaged = inner
                // The section of functions, which must fit that of their code.
                for _ in 0..<40 { damaged[8 + Int(random.next(below: 200))] = UInt8(random.next(below: 256)) }
            }
            #expect(try isRefused(LanesSection.joined(outer, lanes: damaged)), "\(round)")
        }
        // What imports something is no simulation.
        let importing = try Made.hostile("imports")
        #expect(try isRefused(LanesSection.joined(outer, lanes: importing)))
        // Too long a module is refused as a whole.
        let long = [UInt8](repeating: 0, count: PluginLimits.largestModule)
        #expect(throws: SandboxError.tooLarge) { try name(LanesSection.joined(outer, lanes: inner + long)) }
    }
}

/// Values for parameters.
enum Parameters {
    /// Some that together are valid.
    static func some(of simulation: AnySimulation, _ random: inout SeededGenerator) -> [UInt64] {
        for _ in 0..<100 {
            let slots = simulation.parameters.map { some(of: $0, &random) }
            if (try? simulation.prepared(slots)) != nil { return slots }
        }
        return simulation.standardParameters
    }

    private static func some(of parameter: ParameterDescription, _ random: inout SeededGenerator) -> UInt64 {
        switch parameter.domain {
        case .integer(let range):
            let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
            return UInt64(bitPattern: range.lowerBound) &+ random.next(below: min(width, 60) + 1)
        case .real(let range):
            let part = Double(random.next(below: 1 << 40)) * 0x1p-40
            return (range.lowerBound + (min(range.upperBound, 100) - range.lowerBound) * part).bitPattern
        case .choice(let names): return random.next(below: UInt64(names.count))
        case .flag: return random.next(below: 2)
        case .several: return parameter.standard
        }
    }
}
