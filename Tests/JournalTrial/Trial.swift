import Glibc
import PotluckCore
import PotluckMachine
import Synchronization

/// A program for the tests to kill. `PotluckJournalTrial ledger PATH SEED FROM` writes changes until it dies and prints
/// which ones are durable. `full PATH SEED` does so on a disk that is full for a while. `migrate PATH` brings a made-up
/// kind of store up to date. `import FILE PATH` imports runs.
@main enum Trial {
    static func main() {
        let arguments = CommandLine.arguments
        switch (arguments.count, arguments.dropFirst().first) {
        case (5, "ledger"): writeLedger(arguments[2], seed: UInt64(arguments[3]) ?? 0, from: UInt64(arguments[4]) ?? 0)
        case (4, "full"): fillDisk(arguments[2], seed: UInt64(arguments[3]) ?? 0)
        case (3, "migrate"): migrate(arguments[2])
        case (4, "import"): importRuns(arguments[2], into: arguments[3])
        default: fail("what shall I do?")
        }
    }

    static func say(_ line: String) {
        let text = line + "\n"
        _ = write(STDOUT_FILENO, text, text.utf8.count)
    }

    static func fail(_ why: String) -> Never {
        say("failed \(why)")
        exit(1)
    }

    /// Continues the stream with change number `first`.
    private static func writeLedger(_ path: String, seed: UInt64, from first: UInt64) {
        var stream = ChangeStream(seed: seed)
        for _ in 0..<first { _ = stream.next() }
        let journal: DiskJournal
        do throws(StoreError) {
            journal = try DiskJournal.open(at: path) { news in
                if case .durable(let number) = news { say("safe \(first + number)") }
                if case .trouble(let trouble) = news { fail("\(trouble)") }
            }
        } catch { fail("\(error)") }
        say("open")
        while true {
            // About as many changes as a hundred busy nodes make, and more.
            journal.append((0..<20).map { _ in stream.next() })
            usleep(2000)
        }
    }

    /// A limit on the file size stands in for a full disk, until it is lifted.
    private static func fillDisk(_ path: String, seed: UInt64) {
        signal(SIGXFSZ, SIG_IGN)
        limitFiles(to: 150_000)
        let state = Mutex((isFull: false, safe: UInt64(0)))
        var stream = ChangeStream(seed: seed, slots: 500)
        do throws(StoreError) {
            let journal = try DiskJournal.open(at: path) { news in
                switch news {
                case .trouble(let trouble):
                    say("trouble \(trouble)")
                    state.withLock { $0.isFull = true }
                case .recovered: say("recovered")
                case .durable(let number): state.withLock { $0.safe = number }
                }
            }
            var last: UInt64 = 0
            while !state.withLock({ $0.isFull }) {
                last = journal.append([stream.next()])
                usleep(1000)
            }
            // A job does not stop at once when its journal has a problem.
            for _ in 0..<100 { last = journal.append([stream.next()]) }
            say("space")
            limitFiles(to: .max)
            while state.withLock({ $0.safe }) < last { usleep(1000) }
            say("safe \(last)")
            journal.close()
        } catch { fail("\(error)") }
    }

    private static func limitFiles(to octets: UInt) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = min(octets, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    private static func migrate(_ path: String) {
        say("open")
        do throws(StoreError) {
            _ = try StoreFile.open(MadeUp.newest, at: path)
            say("done")
        } catch { fail("\(error)") }
    }
}

extension Trial {
    private static func importRuns(_ file: String, into path: String) {
        do throws(StoreError) {
            let history = try History.open(at: path)
            say("open")
            let added = try history.importRuns(from: file) { _ in nil }.added
            say("added \(added)")
        } catch { fail("\(error)") }
    }
}

/// A kind of store with three versions.
package enum MadeUp {
    private static let scripts: [StaticString] = [
        "CREATE TABLE run(id INTEGER PRIMARY KEY, name TEXT NOT NULL, trials INTEGER NOT NULL)",
        """
        ALTER TABLE run ADD COLUMN rate REAL;
        UPDATE run SET rate = trials / 2.0;
        CREATE INDEX run_by_name ON run(name)
        """,
        """
        CREATE TABLE note(id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, text TEXT);
        INSERT INTO note(run, text) SELECT id, 'from ' || name FROM run;
        UPDATE run SET name = upper(name)
        """,
    ]

    package static func version(_ number: Int) -> StoreKind {
        StoreKind(
            applicationID: StoreKind.identifier("T"), scripts: Array(scripts.prefix(number)), isExclusive: false,
            advice: "throw it away")
    }

    package static var newest: StoreKind { version(3) }
}
