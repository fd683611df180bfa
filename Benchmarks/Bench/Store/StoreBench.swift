import Glibc
import PotluckCore
import PotluckKit
import PotluckMachine

/// PotluckBench store REFERENCE FOLDER [MEGABYTES] [MINUTES]: compares a history of runs with the same statements in C,
/// similar to TPC-C, and then measures lists and the journal.
struct StoreBench {
    let folder: String
    let megabytes: Double
    /// The duration for each side.
    let seconds: Double
    private static let rounds = 5
    typealias Reference = @convention(c) (UnsafePointer<CChar>, UInt64, Double, Int64) -> Int64

    static func run(_ arguments: [String]) throws {
        guard arguments.count >= 3 else { fail("run Benchmarks/run instead") }
        let bench = StoreBench(
            folder: arguments[2], megabytes: arguments.count > 3 ? Double(arguments[3]) ?? 20 : 20,
            seconds: 60 * (arguments.count > 4 ? Double(arguments[4]) ?? 0.1 : 0.1))
        mkdir(bench.folder, 0o700)
        bench.clear()
        defer { bench.clear() }
        try bench.compare(reference("store_transactions", in: arguments[1], as: Reference.self))
        try bench.list()
        JournalCost(
            path: bench.folder + "/bench.ledger", seconds: min(10, 2 * bench.seconds),
            reference: reference(
                "store_journal", in: arguments[1], as: (@convention(c) (UnsafePointer<CChar>, Double) -> Double).self)
        ).measure()
    }

    private var ours: String { folder + "/ours.db" }
    private var theirs: String { folder + "/theirs.db" }

    private func clear() {
        for name in ["ours.db", "theirs.db", "list.db", "bench.ledger", "bench.ledger.c"] {
            for ending in ["", "-wal", "-shm", ".lock"] { unlink(folder + "/" + name + ending) }
        }
    }

    /// Compares both sides, which start with the same store and take turns.
    private func compare(_ reference: Reference) throws {
        let runs = try {
            var load = try HistoryLoad(at: ours)
            try load.build(bytes: Int64(megabytes * 1e6)) { false }
            return load.runs
        }()
        try copy(ours, to: theirs)
        var ratios: [(ours: Double, theirs: Double)] = []
        for round in 0..<UInt64(Self.rounds) {
            let each = seconds / Double(Self.rounds)
            var load = try HistoryLoad(at: ours, runs: runs)
            let end = Self.now + each
            let our = Double(try load.transactions(seed: 100 + round) { Self.now >= end })
            let their = Double(reference(theirs, 100 + round, each, Int64(runs)))
            guard their > 0 else { fail("the reference failed") }
            ratios.append((our * 60 / each, their * 60 / each))
        }
        let middle = ratios.sorted { $0.ours / $0.theirs < $1.ours / $1.theirs }[Self.rounds / 2]
        Figure(
            what: "history of \(Int(megabytes)) MB", value: middle.ours / middle.theirs, unit: "of C's transactions",
            bound: .atLeast(0.7), remark: "\(Int(middle.ours)) and \(Int(middle.theirs)) a minute"
        ).report()
    }

    private func copy(_ path: String, to other: String) throws {
        // A store that was opened and closed is a single file.
        _ = try History.open(at: path).count()
        let (from, to) = (open(path, O_RDONLY), open(other, O_WRONLY | O_CREAT | O_TRUNC, 0o600))
        defer {
            close(from)
            close(to)
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        while case let count = read(from, &bytes, bytes.count), count > 0 { _ = write(to, bytes, count) }
    }

    /// Measures typical lists among ten thousand runs.
    private func list() throws {
        let path = folder + "/list.db"
        do {
            let history = try History.open(at: path)
            var mix = HistoryMix(seed: 2)
            for _ in 0..<20 { try history.record((0..<500).map { _ in mix.run() }) }
        }
        func time(_ what: String, _ body: () throws -> Int) rethrows {
            var times: [Double] = []
            var count = 0
            for _ in 0..<9 {
                let start = Self.ownTime
                count = try body()
                times.append((Self.ownTime - start) * 1000)
            }
            Figure(
                what: "10 000 runs, \(what)", value: times.sorted()[4], unit: "ms", bound: .atMost(50),
                remark: "\(count) runs"
            ).report()
        }
        var mix = HistoryMix(seed: 3)
        try time("opened and the newest 20") {
            let history = try History.open(at: path, .reading)
            var query = HistoryQuery()
            query.limit = 20
            return try history.list(query).count
        }
        try time("a condition, by rate, 20") {
            let history = try History.open(at: path, .reading)
            var query = try mix.query(history.names().terms)
            query.since = nil
            return try history.list(query).count
        }
        try time("all of them") { try History.open(at: path, .reading).list(HistoryQuery()).count }
    }

    static var now: Double { PotluckBench.seconds(CLOCK_MONOTONIC) }

    /// CPU time of the thread, because other programs use this machine, too.
    private static var ownTime: Double { PotluckBench.seconds(CLOCK_THREAD_CPUTIME_ID) }
}
