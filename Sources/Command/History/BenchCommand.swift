import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen
import PotluckSystem

/// `potluck bench`: measures the history on this machine's disk.
enum BenchCommand {
    private static let size = Option(
        "size", "SIZE", "build a store of this size first: 20MB, 1.5GB", in: .limits, default: "20MB", bytes)
    private static let duration = Option(
        "for", "TIME", "make transactions for a time: 10s, 15m", in: .limits, default: "1m", Quantities.duration)
    private static let price = Option(
        "price", "NUMBER", "what the machine cost, in any currency; prints the price of a transaction a minute",
        in: .output, amount)
    private static let json = CommonOptions.json

    static let verb = Verb(
        declaration: Command(
            "bench", "measure how fast the history is",
            positionals: [Positional("WHAT", "history", values: .words(["history"]))],
            options: [
                size.declaration, duration.declaration, price.declaration, json.declaration,
                StateDirectory.option.declaration,
            ],
            details: [
                "Builds a store of made-up runs beside the history, makes transactions in the manner of TPC-C, and removes it: "
                    + "60 % record a run, 10 % add a note, 15 % list by a condition, 10 % read two runs, 5 % remove one. Your "
                    + "own runs are not touched.",
                "The price is that of TPC-C: what the machine cost, divided by its transactions a minute.",
            ], examples: ["bench history", "bench history --size 1.5GB --for 15m --price 500"]), run: run)

    /// The largest store in bytes. A typing error should not fill the disk.
    private static let most: Int64 = 100_000_000_000
    /// How many lines show the course over time.
    private static let parts = 10

    static func bytes(_ text: String) throws(ValueError) -> Int64 {
        let units: [(String, Double)] = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)]
        for (unit, size) in units where text.hasSuffix(unit) {
            guard let number = Double(text.dropLast(unit.count)), number > 0, number * size >= 1 else { break }
            guard number * size <= Double(most) else { throw ValueError("must be at most \(most / 1_000_000_000)GB") }
            return Int64(number * size)
        }
        throw ValueError("not a size; use a size like 20MB or 1.5GB")
    }

    private static func amount(_ text: String) throws(ValueError) -> Double {
        guard let number = Double(text), number > 0, number.isFinite else {
            throw ValueError("must be a number above 0")
        }
        return number
    }

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        guard arguments[0] == "history" else {
            throw UsageError("\(Spelling.quoted(arguments[0] ?? "")) cannot be measured; use 'potluck bench history'")
        }
        let (wanted, duration) = (try arguments[size] ?? 20_000_000, try arguments[duration] ?? .seconds(60))
        let isStopped = Guarded(false)
        Interrupts.stop { isStopped.with { $0 = true } }
        let found: HistorySpeed
        do {
            found = try measure(wanted, duration, in: StoreArguments.folder(arguments)) { isStopped.with(\.self) }
        } catch let trouble as StoreError {
            throw Failure(message: trouble.description)
        }
        // Half a measurement would mislead.
        if let asked = Interrupts.asked { return asked }
        let price = try arguments[price].map { $0 / found.perMinute }
        if arguments[json] {
            try Output.write(json(found, price).text + "\n")
        } else {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            try Output.write(canvas.text(found.lines(price, on: canvas)))
        }
        return .success
    }

    private static func measure(
        _ wanted: Int64, _ duration: Duration, in parent: String, isStopped: () -> Bool
    ) throws -> HistorySpeed {
        let folder = try LoadFolder(in: parent)
        defer { withExtendedLifetime(folder) {} }
        let clock = ContinuousClock()
        let begin = clock.now
        var load = try HistoryLoad(at: folder.store)
        try load.build(bytes: wanted, isOver: isStopped)
        var found = HistorySpeed(
            bytes: load.bytes, runs: load.runs, build: clock.now - begin, part: duration / parts, counts: [])
        let start = clock.now
        for part in 1...parts where !isStopped() {
            let end = start + duration / parts * part
            found.counts.append(try load.transactions(seed: UInt64(part)) { isStopped() || clock.now >= end })
        }
        return found
    }

    private static func json(_ found: HistorySpeed, _ price: Double?) -> JSON {
        .object(
            [
                ("bytes", JSON(Int(found.bytes))), ("runs", JSON(found.runs)), ("build", JSON(found.build.seconds)),
                ("seconds", JSON((found.part * found.counts.count).seconds)),
                ("transactions", JSON(found.counts.reduce(0, +))), ("perMinute", JSON(found.perMinute)),
                ("course", JSON(found.course.map { JSON($0) })),
            ] + (price.map { [("price", JSON($0))] } ?? []))
    }
}
