import Glibc
import PotluckEngine
import PotluckSimulation
import PotluckSystem

/// The program of `make sim`: runs schedules of clusters or of programs with ranks, or replays a recorded trace of a node.
/// Its options are environment variables, because make passes them on that way.
@main enum SimulatorCommand {
    /// The default number of schedules.
    static let standardRuns: UInt64 = 10_000

    static func main() {
        do {
            if CommandLine.arguments.count > 1 {
                throw UsageError(
                    text:
                        "potluck-sim takes no arguments; set SEED, RUNS, BUSY, RANKS, VERBOSE or TRACE, as in 'SEED=7 potluck-sim'"
                )
            }
            if let file = variable("TRACE") { exit(try replay(file)) }
            let runs = try number("RUNS")
            let seed = try number("SEED")
            // `SEED` alone runs that schedule; `RUNS` alone runs the first ones.
            let sweep = Sweep.allCases.first { $0.mark.flatMap(variable) != nil } ?? .clusters
            exit(run(sweep, from: seed ?? 1, count: runs ?? (seed == nil ? standardRuns : 1)))
        } catch let error as UsageError {
            complain(error.text)
            exit(2)
        } catch { exit(1) }
    }

    // MARK: Schedules

    private static func run(_ sweep: Sweep, from first: UInt64, count: UInt64) -> Int32 {
        let isVerbose = variable("VERBOSE") != nil
        let isChild = variable(Child.mark) != nil
        let board = Board(first: first, count: count)
        if isVerbose || isChild || count == 1 {
            Crash.watch(sweep)
            while let seeds = board.next() {
                for seed in seeds { live(sweep, seed, board, isVerbose: isVerbose, isChild: isChild) }
            }
        } else {
            let crew = (0..<max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))).map { _ in
                SystemThread(for: "schedules") { work(sweep, board) }
            }
            for thread in crew { thread.join() }
        }
        let sum = board.sum.with { $0 }
        if !isChild { print(sum.report(sweep)) }
        return sum.failures == 0 ? 0 : 1
    }

    private static func live(_ sweep: Sweep, _ seed: UInt64, _ board: Board, isVerbose: Bool, isChild: Bool) {
        Crash.begins(seed)
        if variable(Child.trap) == String(seed) { fatalError("this schedule traps on purpose") }
        let listener: ((String) -> Void)? = isVerbose ? { say($0) } : nil
        let (tallied, broken) = sweep.live(seed, listener: listener)
        if let broken { say("seed \(seed) breaks the law \(broken)\n    \(sweep.command)\(seed)") }
        board.sum.with { $0.add(tallied) }
        if isChild { say(tallied.line) }
    }

    /// Runs batches of seeds in child processes. If a process ends early, the engine trapped, and the next process
    /// continues after that seed.
    private static func work(_ sweep: Sweep, _ board: Board) {
        while var seeds = board.next() {
            while let first = seeds.first {
                var next = first
                let isStarted = Child.live(sweep, seeds) { line in
                    guard let tallied = Tallied(line) else { return say(String(line)) }
                    board.sum.with { $0.add(tallied) }
                    next = tallied.seed + 1
                }
                guard isStarted else { return complain("cannot start a process: \(String(cString: strerror(errno)))") }
                if next < seeds.upperBound {
                    board.sum.with { $0.addTrapped() }
                    next += 1
                }
                seeds = next..<seeds.upperBound
            }
        }
    }

    // MARK: Traces

    private static func replay(_ file: String) throws -> Int32 {
        guard let text = contents(of: file) else {
            complain("cannot read \(file): \(String(cString: strerror(errno)))")
            return 1
        }
        let trace: Trace
        do { trace = try Trace(text) } catch {
            complain("\(file), line \(error.line): \(error.why)")
            return 1
        }
        let isVerbose = variable("VERBOSE") != nil
        let divergence = trace.replay { step, effects in
            guard isVerbose else { return }
            print("\(step.at.nanoseconds) <- \(step.event)")
            for effect in effects { print("\(step.at.nanoseconds)    -> \(effect)") }
        }
        guard let divergence else {
            print("\(trace.steps.count) events of \(trace.setup.name), all with the same effects")
            return 0
        }
        print("event \(divergence.step) of \(trace.steps.count) has different effects now: \(divergence.event)")
        for effect in divergence.effects { print("    -> \(effect)") }
        return 1
    }

    private static func contents(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var octets: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            guard count > 0 else { break }
            octets += piece[..<count]
        }
        return ferror(file) == 0 ? String(decoding: octets, as: UTF8.self) : nil
    }

    // MARK: Options

    struct UsageError: Error { let text: String }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    private static func number(_ name: String) throws(UsageError) -> UInt64? {
        guard let text = variable(name) else { return nil }
        guard let number = UInt64(text) else {
            throw UsageError(text: "\(name) must be a whole number, not '\(text)'; for example: make sim \(name)=7")
        }
        return number
    }

    private static func complain(_ text: String) {
        let line = Array("potluck-sim: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    /// Writes a line at once, because a trap would lose what is still buffered.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
