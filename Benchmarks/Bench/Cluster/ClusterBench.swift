import Glibc
import Potluck
import PotluckCore
import PotluckKit

/// PotluckBench cluster [WORKERS | chunks COUNT | forecast | return | short]: measures the chunks per second of a coordinator, the
/// accuracy of its estimate of the remaining time, the cost of many workers, and how soon many guests are back after a
/// restart of their server. It starts itself again as the other nodes. Everything is on loopback.
enum ClusterBench {
    static func run(_ words: [String]) async throws {
        if words.count == 5, words[1] == "workers", let count = Int(words[2]), let kind = Kind(rawValue: words[3]),
            let port = UInt16(words[4])
        {
            return try await Guests.work(count, kind, port: port)
        }
        if words.count == 4, words[1] == "server", let guests = Int(words[2]), let port = UInt16(words[3]) {
            return try await Return.serve(guests, port: port)
        }
        if words.count == 2, let workers = Int(words[1]) { return try await crowd(workers) }
        if words.count == 3, words[1] == "chunks", let count = UInt64(words[2]) { return try await chunks(count) }
        if words.count == 2, words[1] == "forecast" { return try await forecast() }
        if words.count == 2, words[1] == "return" {
            for guests in [100, 500] { try await Return.measure(guests, times: 3) }
            return
        }
        if words.count == 2, words[1] == "short" {
            try await Return.measure(10, times: 1)
            try await chunks(10_000)
            try await forecast(seconds: 4)
            return try await crowd(10, for: .seconds(1))
        }
        try await chunks()
        try await forecast()
        for workers in [100, 500] { try await crowd(workers) }
        for guests in [100, 500] { try await Return.measure(guests, times: 3) }
    }

    /// Runs chunks of a block that computes nothing, through one coordinator to two workers.
    private static func chunks(_ count: UInt64 = 1_000_000) async throws {
        let host = try await Host(.nothing, workers: 2, processes: 2)
        let result = try await host.run(trials: count * Kind.blockSize)
        let speed = Double(count) / result.elapsed.seconds
        Figure(
            what: "empty chunks", value: speed, unit: "chunks/s", bound: .atLeast(50_000),
            remark: "\(count) to two workers"
        ).report()
        await host.end()
    }

    /// Compares the estimated with the actual remaining time of a steady job, between its first and its last tenth.
    private static func forecast(seconds: Int = 40) async throws {
        let workers = 8
        let host = try await Host(.slow, workers: workers, processes: 1)
        let blocks = UInt64(Double(workers * seconds) / Kind.slowBlock.seconds)
        let result = try await host.run(trials: blocks * Kind.blockSize)
        let errors = host.foretold().compactMap { said -> Double? in
            let truth = (result.elapsed - said.at).seconds
            guard said.at > result.elapsed / 10, said.at < result.elapsed * 9 / 10 else { return nil }
            return abs(said.remaining.seconds - truth) / truth
        }.sorted()
        guard let worst = errors.last else {
            fail("no estimate was shown")
        }
        Figure(
            what: "remaining time of a steady job", value: worst * 100, unit: "% off at worst", bound: .atMost(15),
            remark: "median of \(errors.count): \(tenths(errors[errors.count / 2] * 100)) %, in "
                + "\(tenths(result.elapsed.seconds)) s"
        ).report()
        await host.end()
    }

    /// Measures a coordinator's cost with many workers that each compute a chunk in 300 ms.
    private static func crowd(_ workers: Int, for time: Duration = .seconds(10)) async throws {
        let host = try await Host(.slow, workers: workers, processes: 1)
        let job = try await host.begin(trials: Goal.mostTrials)
        // Wait until the chunks of all workers have reached their size.
        await host.pass(min(time, .seconds(8)))
        let before = (cpu(), memory())
        await host.pass(time)
        let share = (cpu() - before.0) / time.seconds
        let grown = memory() - before.1
        Figure(
            what: "coordinator of \(workers) workers", value: share * 100, unit: "% of a core",
            bound: workers == 100 ? .atMost(5) : nil,
            remark: "\(host.active(job)) compute, memory \(grown >= 0 ? "+" : "")\(grown) KB in \(Int(time.seconds)) s"
        ).report()
        await host.end()
    }

    /// The CPU time of this process in seconds.
    private static func cpu() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

    /// Resident memory in kilobytes.
    private static func memory() -> Int { PotluckBench.memory().resident / 1024 }
}

/// The simulation that the workers compute.
enum Kind: String {
    /// Blocks that compute nothing.
    case nothing
    /// Blocks that sleep for a time, because five hundred workers share two cores.
    case slow

    static let blockSize: UInt64 = 16
    static let slowBlock: Duration = .milliseconds(20)

    struct Tally: SimulationTally {
        var blocks = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("blocks", &blocks) }
    }

    var simulation: AnySimulation {
        let layout = TallyLayout(of: Tally.self)
        let isSlow = self == .slow
        return AnySimulation(
            name: rawValue, summary: "", source: String(repeating: "0", count: 64), parameters: [], layout: layout,
            readings: []
        ) { _, _ in
            .success(
                PreparedSimulation(
                    parameters: [], blockSize: Int(Self.blockSize), layout: layout,
                    run: { request, shouldStop in
                        var end = request.blocks.lowerBound
                        while end < request.blocks.upperBound, !shouldStop() {
                            if isSlow { usleep(UInt32(Self.slowBlock.nanoseconds / 1000)) }
                            end += 1
                        }
                        return ChunkReply(end: end, slots: [end - request.blocks.lowerBound])
                    }, read: { _, _ in .success([]) }))
        }
    }
}
