import Foundation
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckMachine
import Testing

/// All built-in simulations as modules: they describe and count the same as the native build.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"), .serialized, .timeLimit(.minutes(60)))
struct CatalogueModuleTests {
    /// The names and paths of the sources: `monty-hall` for `Plugins/MontyHall/MontyHall.swift`.
    static let files: [(name: String, path: String)] = {
        let folder = Made.root.appending(path: "Plugins")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.contains(".") }.sorted().map { name in
            let words = name.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
            return (String(words.dropFirst()), "Plugins/\(name)/\(name).swift")
        }
    }()

    /// Compiled once for all tests of this suite.
    static let plugins = Result { try files.map { ($0.name, try Made.plugin($0.path)) } }

    /// A known run of Tests/Catalogue, such as "birthday people=2 days=1, seed 42, 32805 trials: 89cd31291d2aefa4".
    private struct Golden {
        let name: String
        let settings: [Substring]
        let seed: UInt64
        let trials: UInt64
        let hash: String

        init?(_ line: Substring) {
            let parts = line.split(separator: ", ")
            guard parts.count == 3 else { return nil }
            let words = parts[0].split(separator: " ")
            let end = parts[2].split(separator: " ")
            guard let name = words.first, let seed = UInt64(parts[1].dropFirst("seed ".count)), end.count == 3,
                let trials = UInt64(end[0])
            else { return nil }
            (self.name, settings, hash) = (String(name), Array(words.dropFirst()), String(end[2]))
            (self.seed, self.trials) = (seed, trials)
        }
    }

    @Test func allOfThemAreHere() throws {
        #expect(Set(try Self.plugins.get().map(\.0)) == Set(catalogue.map(\.name)))
    }

    @Test func everyGoldenTallyIsThatOfTheModuleToo() throws {
        try holdGoldens(Dictionary(uniqueKeysWithValues: try Self.plugins.get()))
    }

    @Test func andOfAModuleWithInstructionsFor128Bits() throws {
        var plugins: [String: Plugin] = [:]
        for (name, path) in Self.files { plugins[name] = try Made.plugin(path, .simd128) }
        // The variant must differ, or the test would prove nothing.
        #expect(try Set(Self.plugins.get().map(\.1.hash)).isDisjoint(with: plugins.values.map(\.hash)))
        try holdGoldens(plugins)
    }

    /// The author of the matrix product wrote no lanes, but uses Swift's vectors.
    @Test func andOfAModuleWithVectors() throws {
        let octets = try Made.simulation("Plugins/MatrixProduct/MatrixProduct.swift")
        // The inner module by itself, because one that cannot be compiled would be ignored.
        let lanes = try #require(LanesSection.lanes(in: octets))
        for octets in [octets, lanes] {
            try holdGoldens(["matrix-product": Plugin(octets, label: "matrix-product")], only: ["matrix-product"])
        }
    }

    /// Compares the golden tallies of all simulations, or only of some.
    private func holdGoldens(_ plugins: [String: Plugin], only names: Set<String>? = nil) throws {
        let path = Made.root.appending(path: "Tests/Catalogue/goldens.txt")
        let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
        for line in lines {
            let golden = try #require(Golden(line), "\(line)")
            if let names, !names.contains(golden.name) { continue }
            let simulation = try #require(plugins[golden.name]).simulation
            var slots = simulation.standardParameters
            for setting in golden.settings {
                let parts = setting.split(separator: "=").map(String.init)
                let index = try #require(simulation.parameters.firstIndex { $0.label == parts[0] })
                slots[index] = try simulation.parameters[index].slot(of: parts[1])
            }
            let prepared = try simulation.prepared(slots)
            let size = UInt64(prepared.blockSize)
            let reply = prepared.run(
                ChunkRequest(
                    seed: golden.seed, blocks: 0..<(golden.trials + size - 1) / size, trials: golden.trials)
            ) { false }
            #expect(reply.failure == nil && hash(reply) == golden.hash, "\(line)")
        }
    }

    @Test func aModuleDeclaresTheSameAsItsSource() throws {
        for (name, plugin) in try Self.plugins.get() {
            let native = try #require(catalogue.first { $0.name == name })
            let module = plugin.simulation
            #expect(module.name == native.name && module.summary == native.summary)
            #expect(module.source == native.source)
            #expect(module.layout == native.layout)
            #expect(module.readings.map(\.name) == native.readings.map(\.name))
            #expect(module.readings.map(\.kind) == native.readings.map(\.kind))
            #expect(module.shape == native.shape)
            #expect(module.inputs.map(\.name) == native.inputs.map(\.name))
            #expect(module.inputs.map(\.help) == native.inputs.map(\.help))
            #expect(module.parameters.map(\.label) == native.parameters.map(\.label))
            #expect(module.parameters.map(\.help) == native.parameters.map(\.help))
            #expect(module.parameters.map(\.range) == native.parameters.map(\.range))
            #expect(module.standardParameters == native.standardParameters)
        }
    }

    /// Modules compute exact answers and intervals with the kit's own mathematics.
    @Test func aModuleReadsTheSameAsItsSource() throws {
        for (name, plugin) in try Self.plugins.get() {
            let native = try #require(catalogue.first { $0.name == name })
            let ours = try plugin.simulation.prepared(native.standardParameters)
            let theirs = try native.prepared(native.standardParameters)
            #expect(ours.blockSize == theirs.blockSize && ours.units == theirs.units && ours.writes == theirs.writes)
            for blocks: UInt64 in [0, 1, 5] {
                let tally = theirs.run(ChunkRequest(seed: 3, blocks: 0..<blocks, trials: nil)) { false }.slots
                let trials = blocks * UInt64(theirs.blockSize)
                #expect(try ours.readings(of: tally, trials: trials) == theirs.readings(of: tally, trials: trials))
            }
        }
    }

    @Test func parametersAreRefusedAlike() throws {
        for (name, plugin) in try Self.plugins.get() {
            let native = try #require(catalogue.first { $0.name == name })
            var wrong = [native.standardParameters + [1], native.standardParameters.map { _ in UInt64.max }]
            if name == "monty-hall" { wrong.append([5, 4]) }
            for slots in wrong {
                func refusal(_ simulation: AnySimulation) -> ParameterError? {
                    do throws(ParameterError) { _ = try simulation.prepared(slots) } catch { return error }
                    return nil
                }
                #expect(refusal(plugin.simulation) == refusal(native), "\(name) \(slots)")
            }
        }
    }

    /// Tables from files reach the module, and its errors about them come back.
    @Test func tablesAreTakenAlike() throws {
        let module = try #require(try Self.plugins.get().first { $0.0 == "matrix-product" }).1.simulation
        let native = try #require(catalogue.first { $0.name == "matrix-product" })
        let a = Table(rows: 5, columns: 3, numbers: (1...15).map { Double($0) / 7 })
        let b = Table(rows: 3, columns: 2, numbers: [0.1, -2, 3e300, 4, 5, -0.0])
        let request = ChunkRequest(seed: 0, blocks: 0..<1, trials: nil)
        let replies = try [module, native].map { simulation in
            try simulation.prepared(simulation.standardParameters, tables: [a, b]).run(request) { false }
        }
        #expect(replies[0] == replies[1] && replies[0].outputs[0].count == 80)
        for tables in [[b, b], [a, .empty], [a]] {
            func refusal(_ simulation: AnySimulation) -> ParameterError? {
                do throws(ParameterError) {
                    _ = try simulation.prepared(simulation.standardParameters, tables: tables)
                } catch {
                    return error
                }
                return nil
            }
            #expect(refusal(module) != nil && refusal(module) == refusal(native))
        }
    }

    /// The whole search of a list of airports, and the route that is shown.
    @Test(arguments: ["LHR,JFK", "BCN,CPT,JFK,LHR,NBO,PPT,SYD,TNM"]) func airportsAreVisitedAlike(_ typed: String)
        throws
    {
        let module = try #require(try Self.plugins.get().first { $0.0 == "tsp" }).1.simulation
        let native = try #require(catalogue.first { $0.name == "tsp" })
        let place = try #require(native.parameters.firstIndex { $0.label == "airports" })
        let request = ChunkRequest(seed: 0, blocks: 0..<SearchSpace.points, trials: nil)
        var seen: [(slots: [UInt64], route: [UInt8]?, start: [UInt8]?)] = []
        for simulation in [module, native] {
            var slots = simulation.standardParameters
            slots[place] = try simulation.parameters[place].slot(of: typed)
            let prepared = try simulation.prepared(slots)
            let reply = prepared.run(request) { false }
            let best = try #require(prepared.layout.best(in: reply.slots))
            let search = try #require(prepared.search)
            seen.append((reply.slots, search.show(best)?.octets, search.show(search.start)?.octets))
        }
        #expect(seen[0].slots == seen[1].slots && seen[0].route == seen[1].route)
        #expect(seen[0].start == seen[1].start && seen[0].start != nil)
        let names = String(decoding: try #require(seen[0].route), as: UTF8.self).prefix { $0 != "\n" }
        #expect(
            names.split(separator: " ").map(String.init).sorted()
                == typed.split(separator: ",").map(String.init).sorted())
    }

    @Test func theLawsHold() throws {
        for (name, plugin) in try Self.plugins.get() {
            let native = try #require(catalogue.first { $0.name == name })
            let check = LawCheck(
                try plugin.simulation.prepared(native.standardParameters),
                native: try native.prepared(native.standardParameters), depth: .quick)
            // The time of a block depends on this machine and not on the simulation.
            let broken = check.findings.filter { $0.grade == .broken && !$0.text.contains(" trials takes ") }
            #expect(broken.isEmpty, "\(name): \(broken)")
            #expect(check.findings.contains { $0.text.contains("built-in simulation give") })
        }
    }

    /// FNV-1a over the bytes of the slots, the least significant first, and over the output, as in Tests/Catalogue.
    private func hash(_ reply: ChunkReply) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ octet: UInt64) { hash = (hash ^ octet) &* 0x100_0000_01b3 }
        for slot in reply.slots { for shift in stride(from: 0 as UInt64, to: 64, by: 8) { mix(slot >> shift & 0xff) } }
        for octet in reply.outputs.joined() { mix(UInt64(octet)) }
        return String(hash, radix: 16)
    }
}
