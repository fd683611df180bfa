import Glibc
import PotluckCore
import PotluckKit
import PotluckMachine

extension SpeedBench {
    /// The name under which a module exports the hash of what it keeps, and one that nobody asks for.
    private static let names = (kept: Array("potluck_kept".utf8), hidden: Array("potluck_kepT".utf8))
    /// A chunk, which a node computes in some 20 ms.
    private static let chunk: UInt64 = 10
    /// Chunks that take about a second.
    private static let chunks: UInt64 = 50

    /// Measures what it costs a run of a second that each chunk compares what outlives its trials, from the first block on.
    /// The other side is the same module, which does not tell what it keeps.
    mutating func compareKept() {
        let what = "craps, what it keeps compared"
        withModule(what, file: "Benchmarks/Bench/Speed/Craps.swift") { bench, module in
            let ways = try [("compared", module), ("not compared", Self.silent(module))].map { name, octets in
                let plugin = try Plugin(octets, label: "craps", usesLanes: false)
                return Contestant(name: name) { blocks in Self.run(plugin, blocks) }
            }
            let times = contest(ways, blocks: Self.chunk * Self.chunks, rounds: bench.rounds)
            let ratios = zip(times[0].rounds, times[1].rounds).map { $0 / $1 }
            let range = "\(hundredths(ratios.min() ?? 0)) to \(hundredths(ratios.max() ?? 0))"
            Figure(
                what: what, value: ratios.median, unit: "times without", bound: .atMost(1.02),
                remark: "a run of \(hundredths(times[0].rounds.median)) s, \(range)"
            ).report()
        }
    }

    /// The same module, without an export that tells what it keeps.
    private static func silent(_ module: [UInt8]) -> [UInt8] {
        guard let place = module.firstRange(of: names.kept) else { fail("the module does not tell what it keeps") }
        return module[..<place.lowerBound] + names.hidden + module[place.upperBound...]
    }

    /// A run as a node computes it: it prepares the module, and then computes chunk after chunk.
    private static func run(_ plugin: Plugin, _ blocks: Range<UInt64>) -> [UInt64] {
        guard let simulation = try? plugin.simulation.prepared(plugin.simulation.standardParameters) else {
            fail("craps does not take its own parameters")
        }
        var slots = simulation.layout.empty
        for start in stride(from: blocks.lowerBound, to: blocks.upperBound, by: Int(chunk)) {
            let request = ChunkRequest(seed: 2010, blocks: start..<start + chunk, trials: nil)
            let reply = simulation.run(request) { false }
            if let failure = reply.failure { fail(failure.reason) }
            simulation.layout.merge(reply.slots, into: &slots)
        }
        return slots
    }
}
