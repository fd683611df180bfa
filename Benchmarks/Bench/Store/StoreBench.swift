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
        let runs = try build(ours, megabytes: megabytes)
        try copy(ours, to: theirs)
        var ratios: [(ours: Double, theirs: Double)] = []
        for round in 0..<UInt64(Self.rounds) {
            let each = seconds / Double(Self.rounds)
            let our = try transactions(seed: 100 + round, seconds: each, runs: runs)
            let their = Double(reference(theirs, 100 + round, each, runs))
            guard their > 0 else { fail("the reference failed") }
            ratios.append((our * 60 / each, their * 60 / each))
        }
        let middle = ratios.sorted { $0.ours / $0.theirs < $1.ours / $1.theirs }[Self.rounds / 2]
        Figure(
            what: "history of \(Int(megabytes)) MB", value: middle.ours / middle.theirs, unit: "of C's transactions",
            bound: .atLeast(0.7), remark: "\(Int(middle.ours)) and \(Int(middle.theirs)) a minute"
        ).report()
    }

    /// Builds a store of that size. Returns its number of runs.
    private func build(_ path: String, megabytes: Double) throws -> Int64 {
        let history = try History.open(at: path)
        var mix = Mix(seed: 1)
        var runs: Int64 = 0
        var found = stat()
        repeat {
            try history.record((0..<500).map { _ in mix.run() })
            runs += 500
            stat(path, &found)
        } while Double(found.st_size) < megabytes * 1e6
        return runs
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

    private func transactions(seed: UInt64, seconds: Double, runs start: Int64) throws -> Double {
        let history = try History.open(at: ours)
        let names = try history.names().terms
        var mix = Mix(seed: seed)
        var (count, runs) = (0.0, UInt64(start))
        let end = Self.now + seconds
        while Self.now < end {
            switch mix.chance.next(below: 100) {
            case ..<60:
                try history.record(mix.run())
                runs += 1
            case ..<70:
                let note = RunNote(at: Mix.start, text: "computed in the room by the window")
                _ = try history.note(Int64(1 + mix.chance.next(below: runs)), note)
            case ..<85: _ = try history.list(mix.query(names))
            case ..<95:
                for _ in 0..<2 { _ = try history.run(Int64(1 + mix.chance.next(below: runs))) }
            default: _ = try history.remove(Int64(1 + mix.chance.next(below: runs)))
            }
            count += 1
        }
        return count
    }

    /// Measures typical lists among ten thousand runs.
    private func list() throws {
        let path = folder + "/list.db"
        do {
            let history = try History.open(at: path)
            var mix = Mix(seed: 2)
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
        var mix = Mix(seed: 3)
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

/// Generates runs and queries in the same way as the reference.
struct Mix {
    static let start: Int64 = 1_700_000_000_000
    private static let nodes: UInt64 = 8
    var chance: SeededGenerator

    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    private mutating func digits(_ count: Int) -> String {
        String(
            unsafeUninitializedCapacity: count
        ) { memory in
            for place in 0..<count {
                let digit = UInt8(truncatingIfNeeded: chance.next(below: 16))
                memory[place] = digit < 10 ? 48 + digit : 87 + digit
            }
            return count
        }
    }

    private mutating func reading(_ name: String) -> Reading {
        let value = Double(chance.next(below: 1_000_000)) * 1e-6
        return Reading(
            name: name, kind: .proportion, value: value, interval: (value - 0.01)...(value + 0.01), exact: 1 / 3.0)
    }

    mutating func run() -> RunRecord {
        let (doors, trials) = (3 + chance.next(below: 5), 1 + chance.next(below: 1_000_000_000_000))
        let readings = [reading("stay"), reading("switch")]
        let nodes = (0..<Self.nodes).map {
            RecordedNode(name: "laptop \($0)", cores: 4, trials: trials / Self.nodes, rate: 1e6)
        }
        return RunRecord(
            key: digits(32),
            simulation: SimulationIdentity(
                name: chance.next(below: 2) == 0 ? "pi" : "monty-hall", source: digits(64), streams: 1),
            parameters: [
                RecordedParameter(name: "doors", slot: doors, text: "\(doors)", number: Double(doors)),
                RecordedParameter(name: "opened", slot: 1, text: "1", number: 1),
            ], seed: chance.next(), blockSize: 65_536, goal: Goal(trials: trials), trials: trials, tally: [1, 2],
            counts: [RecordedCount(name: "stay", count: 1), RecordedCount(name: "switch", count: 2)],
            readings: readings,
            course: (1...24).map { CoursePoint(trials: $0, readings: readings) }, digest: digits(64),
            completion: .trials,
            startedAt: Self.start + Int64(chance.next(below: 86_400_000 * 300)),
            elapsed: .nanoseconds(Int64(1 + chance.next(below: 3_600_000_000_000))), nodes: nodes,
            origin: RunOrigin(session: "Monty", submitter: "laptop 1"))
    }

    mutating func query(_ names: Term.Names) throws -> HistoryQuery {
        var query = HistoryQuery()
        query.simulation = "monty-hall"
        query.since = Self.start + 86_400_000 * 298
        query.sort = try Term("rate", among: names)
        query.limit = 20
        let text = "doors>\(3 + chance.next(below: 4)) and trials>=\(chance.next(below: 500_000_000_000))"
        query.choice = .matching(try Condition(text, names: names) { WallClock.moment($0) })
        return query
    }
}
