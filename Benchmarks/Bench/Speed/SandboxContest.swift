import Glibc
import PotluckCatalogue
import PotluckKit
import PotluckMachine

extension SpeedBench {
    /// Compares plugins, with all limits in force, with the plain native trials of the same source.
    mutating func compareSandbox() {
        compareSandbox("Monty Hall, sandbox", "monty-hall", "MontyHall", blocks: 100, wanted: 0.75)
        compareSandbox("option price, sandbox", "option-price", "OptionPrice", blocks: 10, wanted: 0.6)
        compareSandbox("π, sandbox", "pi", "Pi", blocks: 100, wanted: nil)
        compareSandbox("percolation, sandbox", "percolation", "Percolation", blocks: 100, wanted: nil)
        compareCraps()
        compareKelly()
        compareKept()
    }

    /// Compares an author's program whose trial calls a function that draws with C: natively, and as a plugin. The plugin
    /// should take at most 1.4 times as long as C from `clang -O3`, which has the same back end as Swift.
    ///
    /// As a native program (`run --native`) it should take at most 1.05 times as long as it does built in. Another process
    /// computes it, so these two are measured by the clock.
    private mutating func compareCraps() {
        let blocks: UInt64 = 50
        let file = "Benchmarks/Bench/Speed/Craps.swift"
        let others = Contestant.c("craps", in: references, slots: 1)
        let trials = Double(blocks) * Double(Block.largest)
        let native = Contestant.swift(AnySimulation(Craps.self, source: ""))
        table.add("craps", contest([native] + others, blocks: blocks, rounds: rounds), trials: trials)
        withPlugin("craps, sandbox", file: file) { bench, plugin in
            let ours = Contestant.swift(plugin.simulation)
            let times = contest([ours] + others.filter { $0.name == "C, clang" }, blocks: blocks, rounds: bench.rounds)
            bench.table.add("craps, sandbox", times, trials: trials, wanted: 0.71)
        }
        withPlugin("craps, --native", file: file) { bench, plugin in
            let program = try bench.workshop.native(file, label: file, source: plugin.simulation.source)
            let (ours, builtIn) = (
                Contestant.swift(plugin.native(program)), Contestant(name: "built in", run: native.run)
            )
            let times = contest([ours, builtIn], blocks: blocks, rounds: bench.rounds, clock: CLOCK_MONOTONIC)
            bench.table.add("craps, --native", times, trials: trials, wanted: 0.95)
        }
    }

    /// Compares an author's program with real numbers and a random factor with C: natively, and as a plugin.
    private mutating func compareKelly() {
        let blocks: UInt64 = 5
        let others = Contestant.c("kelly", in: references, slots: 1)
        let trials = Double(blocks) * Double(Block.largest)
        let native = Contestant.swift(AnySimulation(Kelly.self, source: ""))
        table.add("Kelly's bets", contest([native] + others, blocks: blocks, rounds: rounds), trials: trials)
        withPlugin("Kelly's bets, sandbox", file: "Benchmarks/Bench/Speed/Kelly.swift") { bench, plugin in
            let ours = Contestant.swift(plugin.simulation)
            let times = contest([ours] + others.filter { $0.name == "C, clang" }, blocks: blocks, rounds: bench.rounds)
            bench.table.add("Kelly's bets, sandbox", times, trials: trials)
        }
    }

    private mutating func compareSandbox(
        _ what: String, _ name: String, _ folder: String, blocks: UInt64, wanted: Double?
    ) {
        let simulation = builtIn(name, .plain)
        guard let plain = try? simulation.prepared(simulation.standardParameters) else {
            fail("\(name) does not take its own parameters")
        }
        let native = Contestant(name: "native, plain") { range in
            plain.run(ChunkRequest(seed: 2010, blocks: range, trials: nil)) { false }.slots
        }
        withPlugin(what, file: "Plugins/\(folder)/\(folder).swift") { bench, plugin in
            guard let prepared = try? plugin.simulation.prepared(plugin.simulation.standardParameters) else {
                fail("\(name) does not take its own parameters")
            }
            let ours = Contestant(name: "sandbox") { range in
                prepared.run(ChunkRequest(seed: 2010, blocks: range, trials: nil)) { false }.slots
            }
            let times = contest([ours, native], blocks: blocks, rounds: bench.rounds)
            bench.table.add(what, times, trials: Double(blocks) * Double(plain.blockSize), wanted: wanted)
        }
    }

    var workshop: Workshop { Workshop(folder: references + "/workshop", searchPath: String(cString: getenv("PATH"))) }

    /// Builds a simulation's file as a module for `body`, which runs its plain trials. Where that is impossible, the table
    /// says why.
    mutating func withPlugin(_ what: String, file: String, _ body: (inout SpeedBench, Plugin) throws -> Void) {
        withModule(what, file: file) { try body(&$0, Plugin($1, label: file, usesLanes: false)) }
    }

    /// Builds a module for `body`, which carries one with vectors if the file has some.
    mutating func withModule(
        _ what: String, file: String, _ body: (inout SpeedBench, [UInt8]) throws -> Void
    ) {
        do {
            try body(&self, try workshop.build(file, label: file).module)
        } catch let error as WorkshopError {
            table.add(what, missing: error.message)
        } catch let error as SandboxError {
            table.add(what, missing: error.reason)
        } catch {
            fail("\(error)")
        }
    }
}
