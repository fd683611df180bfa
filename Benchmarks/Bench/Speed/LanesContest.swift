import PotluckCatalogue
import PotluckKit
import PotluckMachine

extension SpeedBench {
    /// A simulation with lanes, and how many times as fast they should be as its plain trials.
    private struct Laned {
        let what: String
        let name: String
        let type: String
        let blocks: UInt64
        /// With AVX-512.
        var native: Double?
        /// In the sandbox.
        var sandbox: Double?
    }

    private static let laned = [
        Laned(what: "Monty Hall", name: "monty-hall", type: "MontyHall", blocks: 100, sandbox: 1.6),
        Laned(what: "π", name: "pi", type: "Pi", blocks: 100),
        Laned(what: "Buffon's needle", name: "buffon", type: "Buffon", blocks: 50),
        Laned(what: "option price", name: "option-price", type: "OptionPrice", blocks: 10, native: 4, sandbox: 1.5),
    ]

    /// Compares lanes with the plain trials of the same file: natively with the library for this CPU, and in the sandbox.
    mutating func compareLanes() {
        for simulation in Self.laned {
            compareNativeLanes(simulation)
            compareLanesInSandbox(simulation)
        }
    }

    private func compareNativeLanes(_ laned: Laned) {
        let what = "\(laned.what), lanes"
        guard Vectors.chosen != .plain, LanesLibrary.own(for: Vectors.chosen.rawValue, madeOf: lanesSources) != nil
        else {
            return table.add(what, missing: "there is no library of lanes for this CPU")
        }
        let plain = Contestant(name: "plain", run: Contestant.catalogue(laned.name, .plain).run)
        let times = contest(
            [.catalogue(laned.name, .chosen), plain], blocks: laned.blocks, rounds: rounds)
        table.add(
            what, times, trials: trials(laned), wanted: Vectors.chosen == .avx512 ? laned.native : nil)
    }

    private mutating func compareLanesInSandbox(_ laned: Laned) {
        let what = "\(laned.what), lanes in the sandbox"
        withModule(what, file: "Plugins/\(laned.type)/\(laned.type).swift") { bench, module in
            let ours = Contestant.swift(try Plugin(module, label: laned.name).simulation)
            let plain = Contestant.swift(try Plugin(module, label: laned.name, usesLanes: false).simulation)
            let times = contest(
                [ours, Contestant(name: "plain", run: plain.run)], blocks: laned.blocks, rounds: bench.rounds)
            bench.table.add(what, times, trials: bench.trials(laned), wanted: laned.sandbox)
        }
    }

    private func trials(_ laned: Laned) -> Double { Double(laned.blocks) * Double(Block.largest) }
}
