import Glibc
import PotluckChecks
import PotluckSystem

/// `potluck-check [SEEDS]`: compares the golden tallies, then runs every check on this many seeds, on all cores.
@main enum CheckCommand {
    /// The default number of seeds.
    private static let standardSeeds: UInt64 = 1_000_000
    /// Each check's seeds are divided into this many parts, so that all cores finish at about the same time.
    private static let parts: UInt64 = 64

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count < 2, let seeds = arguments.first.map(UInt64.init) ?? standardSeeds, seeds >= parts * 2000
        else {
            print("usage: potluck-check [SEEDS]\nSEEDS is a whole number of at least \(parts * 2000)")
            exit(2)
        }
        var failures = goldens()
        for check in Check.all { failures += attempt(check, seeds) }
        exit(failures == 0 ? 0 : 1)
    }

    private static func goldens() -> Int {
        do {
            guard let file = contents(of: Goldens.path) else {
                say("FAIL  golden tallies: cannot read \(Goldens.path)")
                return 1
            }
            let differences = try Goldens.differences(from: file)
            for difference in differences { say("FAIL  \(difference)") }
            if differences.isEmpty { say("ok    golden tallies") }
            return differences.count
        } catch {
            say("FAIL  golden tallies: \(error)")
            return 1
        }
    }

    /// Runs a check on all cores and returns the number of failures. Prints the check's name first, because a trap ends
    /// the program.
    private static func attempt(_ check: Check, _ seeds: UInt64) -> Int {
        say("      \(check.name) ...")
        let waiting = Guarded(0..<parts)
        let failures = Guarded<[String]>([])
        let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let crew = (0..<cores).map { _ in
            SystemThread(for: "checks") {
                while let part = waiting.with({ $0.popFirst() }) {
                    do { try check.run(seeds * part / parts..<seeds * (part + 1) / parts) } catch {
                        failures.with { $0.append("\(error)") }
                    }
                }
            }
        }
        for thread in crew { thread.join() }
        let found = failures.with { $0 }
        say("\(found.isEmpty ? "ok   " : "FAIL ") \(check.name): \(seeds) seeds")
        for failure in found { say("      \(failure)") }
        return found.count
    }

    private static func contents(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var octets: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { octets += piece[..<count] }
        return String(decoding: octets, as: UTF8.self)
    }

    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
