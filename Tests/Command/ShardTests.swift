import Foundation
import Glibc
import PotluckCore
import PotluckMachine
import Testing

@testable import PotluckCommand

/// Shards, merges and campaigns with real processes.
@Suite struct ShardTests {
    private let room = Laptops()
    private let folder = "/tmp/potluck-shards-\(getpid())-\(UInt32.random(in: 0 ... .max))"

    private func run(_ line: String, _ more: [String] = []) throws -> EndToEndTests.Outcome {
        let words = line.split(separator: " ").map(String.init) + more
        return try EndToEndTests().run(words, environment: room.environment("lab"))
    }

    private func json(_ line: String, _ more: [String] = []) throws -> [String: Any] {
        let outcome = try run(line, more)
        #expect(outcome.code == 0, "\(line): \(outcome.stderr)")
        return try object(outcome.stdout)
    }

    /// Computes all shards of a command into the folder.
    private func shards(_ line: String, _ count: Int, _ more: [String] = []) throws {
        for index in 1...count {
            let outcome = try run("run \(line) --shard \(index)/\(count) --partial \(folder)/ -q", more)
            #expect(outcome.code == 0, "\(outcome.stderr)")
        }
    }

    private func path(_ index: Int, of count: Int) -> String { "\(folder)/shard-\(index)-of-\(count).part" }

    private func refused(_ outcome: EndToEndTests.Outcome, _ code: Int32, _ words: String) {
        #expect(outcome.code == code && outcome.stdout.isEmpty)
        let lines = outcome.stderr.split(separator: "\n")
        #expect(lines.count == 1 && outcome.stderr.contains(words), "\(outcome.stderr)")
    }

    /// Whether a shard's record has three changes: a commit may be seen half written.
    private func isWritten(_ folder: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var found = stat()
        return names.contains {
            $0.hasSuffix("-wal") && stat("\(folder)/\($0)", &found) == 0 && found.st_size > 1 << 15
        }
    }

    private func clean() { try? FileManager.default.removeItem(atPath: folder) }

    private static let jobs = [
        "monty-hall --trials 20_000_001 --seed 4", "option-price --trials 100_000 --seed 4",
        "primes -p limit=200000", "tsp -p cities=8", "queens -p queens=6",
    ]

    /// The merge prints what a single run prints, and the history has both with equal courses.
    @Test(arguments: jobs) func aMergeIsARun(job: String) throws {
        defer { clean() }
        let single = try json("run \(job) --json")
        try shards(job, 3)
        let merged = try json("merge \(folder) --json")
        // The rest is about the machines and the time.
        let facts: Set = [
            "simulation", "parameters", "seed", "trials", "searched", "tally", "readings", "digest", "solution",
        ]
        let (mine, others) = (single.filter { facts.contains($0.key) }, merged.filter { facts.contains($0.key) })
        #expect((mine as NSDictionary).isEqual(to: others), "\(single)\n\(merged)")
        // Merging again adds no second run.
        #expect(try json("merge --json \(folder)/").count == merged.count)
        let list = try JSONSerialization.jsonObject(with: Data(run("history --json").stdout.utf8))
        guard let history = list as? [[String: Any]] else { throw Trouble(what: "the history is no list") }
        #expect(history.count == 2)
        #expect(Set(history.map { "\($0["digest"] ?? "")" }).count == 1)
        guard !job.hasPrefix("tsp"), !job.hasPrefix("queens") else { return }
        let records = try History.open(at: "\(room.folder("lab"))/history.db", .reading)
        let courses = try (1...2).map { try #require(try records.run($0)).course }
        #expect(!courses[0].isEmpty && courses[0] == courses[1])
    }

    /// Text, and rows of numbers, of which a shard has more than a block has.
    @Test(arguments: [("primes -p limit=100000 -p list=yes", 4), ("matrix-product", 3)])
    func outputIsJoined(line: String, count: Int) throws {
        defer { clean() }
        try shards(line, count, ["--with-output"])
        #expect(try json("run \(line) --output \(folder)/whole --json")["digest"] != nil)
        #expect(try json("merge \(folder) --output \(folder)/merged --json")["digest"] != nil)
        let whole = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/whole"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/merged")) == whole && whole.count > 1000)
    }

    @Test func shardsMayLackTheOutput() throws {
        defer { clean() }
        try shards("primes -p limit=1000 -p list=yes", 1)
        refused(try run("merge \(folder) --output \(folder)/merged"), 1, "has no output")
    }

    @Test func mergeNamesTheWrongShard() throws {
        defer { clean() }
        try shards("pi --trials 5M --seed 1", 3)
        let second = try Data(contentsOf: URL(fileURLWithPath: path(2, of: 3)))
        func put(_ data: Data, at path: String) throws { try data.write(to: URL(fileURLWithPath: path)) }

        try FileManager.default.removeItem(atPath: path(2, of: 3))
        refused(try run("merge \(folder)"), 1, "missing: shard 2 of 3")
        try put(second.prefix(second.count / 2), at: path(2, of: 3))
        refused(try run("merge \(folder)"), 1, "shard-2-of-3.part is cut off")
        try put(Data(second.enumerated().map { $0 == 200 ? ~$1 : $1 }), at: path(2, of: 3))
        refused(try run("merge \(folder)"), 1, "shard-2-of-3.part was altered")
        try put(Data("doors".utf8), at: path(2, of: 3))
        refused(try run("merge \(folder)"), 1, "shard-2-of-3.part is not a partial file")
        try put(second, at: path(2, of: 3))
        try put(second, at: "\(folder)/copy.part")
        refused(try run("merge \(folder)"), 1, "have the same blocks")
        #expect(try run("run pi --trials 5M --seed 2 --shard 2/3 --partial \(folder)/copy.part -q --force").code == 0)
        refused(try run("merge \(folder)"), 1, "its seed is")
        try FileManager.default.removeItem(atPath: "\(folder)/copy.part")
        #expect(try run("merge \(folder)").code == 0)
        refused(try run("merge \(folder)/nothing"), 1, "cannot read")
        refused(try run("merge /proc/self/fd"), 1, "no file that ends in .part")
    }

    /// A merge that watches a folder names a damaged file once, and reads it when it is whole.
    @Test func aMergeThatWatchesNamesADamagedPart() throws {
        defer { clean() }
        try shards("pi --trials 5M --seed 1", 2)
        let second = try Data(contentsOf: URL(fileURLWithPath: path(2, of: 2)))
        try second.prefix(second.count / 2).write(to: URL(fileURLWithPath: path(2, of: 2)))
        let (output, errors) = (Pipe(), Pipe())
        let child = try room.start(["merge", "--watch", folder, "--json"], "lab", output, stderr: errors)
        errors.reader.read { $0.contains("shard-2-of-2.part is cut off; compute that shard again") }
        try second.write(to: URL(fileURLWithPath: path(2, of: 2)))
        let result = try object(output.reader.read())
        #expect(child.wait() == 0 && result["trials"] as? Int == 5_000_000)
        let lines = errors.reader.read().split(separator: "\n")
        #expect(lines.filter { $0.contains("shard-2-of-2.part") }.count == 1, "\(lines)")
    }

    private static let misuses = [
        ("run pi --shard 1/2", "--partial"), ("run pi --partial x", "used with --shard"),
        ("run pi --trials 1M --shard 1/2 --partial x", "--seed"),
        ("run pi --seed 1 --shard 1/2 --partial x", "--trials"),
        ("run pi --seed 1 --until 0.01 --shard 1/2 --partial x", "potluck campaign"),
        ("run pi --seed 1 --for 1s --shard 1/2 --partial x", "clock"),
        ("run pi --seed 1 --trials 1M --shard 3/2 --partial x", "from 1 to 2"),
        ("run pi --seed 1 --trials 1M --shard auto --partial x", "--shard I/N"),
        ("run pi --seed 1 --trials 1M --shard 1/2 --partial x --session Monty", "together"),
        ("run pi --seed 1 --trials 1M --shard 1/2 --partial x --with-output", "writes no output"),
        ("run pi --seed 1 --trials 1M --shard 1/2@0..99999999 --partial x", "only"),
        ("run primes --shard 1/2 --partial x --output y", "--with-output"),
        ("campaign pi --seed 1 --until 0.01 --folder x", "--shards"),
        ("campaign pi --seed 1 --until 0.01 --shards 2", "--folder"),
        ("campaign pi --seed 1 --shards 2 --folder x", "--until"),
        ("campaign pi --until 0.01 --shards 2 --folder x", "--seed"),
    ]

    /// Wrong usage is one line that says what to do, and leaves no file.
    @Test(arguments: misuses) func misuseIsExplained(line: String, words: String) throws {
        let outcome = try run(line)
        refused(outcome, 2, words)
        #expect(access("x", F_OK) != 0)
    }

    /// A shard that is complete is not computed again, and a file of something else is not overwritten.
    @Test func anExistingFileIsKept() throws {
        defer { clean() }
        try shards("pi --trials 1M --seed 1", 1)
        let path = path(1, of: 1)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let again = try run("run pi --trials 1M --seed 1 --shard 1/1 --partial \(path)")
        #expect(again.code == 0 && again.stderr.contains("is complete"))
        refused(try run("run pi --trials 1M --seed 2 --shard 1/1 --partial \(path)"), 1, "another job or shard")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        refused(try run("run pi --trials 1M --seed 1 --shard 1/1 --partial \(path)"), 1, "not a partial file")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
        refused(try run("run pi --trials 1M --seed 1 --shard 1/1 --partial /proc/x/y"), 1, "cannot make the folder")
    }

    /// A file that was damaged is computed again, so that a task that a batch engine repeats succeeds.
    @Test func aDamagedShardIsComputedAgain() throws {
        defer { clean() }
        try shards("pi --trials 1M --seed 1", 1)
        let path = path(1, of: 1)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for damaged in [Data(), whole.prefix(100), Data(whole.enumerated().map { $0 == 60 ? ~$1 : $1 })] {
            try damaged.write(to: URL(fileURLWithPath: path))
            let again = try run("run pi --trials 1M --seed 1 --shard 1/1 --partial \(path)")
            #expect(again.code == 0 && again.stderr.contains("is damaged; computing it again"), "\(again.stderr)")
            #expect(try run("merge \(folder) \(folder)").code == 0)
        }
        refused(try run("run pi --trials 1M --seed 1 --shard 1/1 --partial \(path)/x"), 1, "cannot")
    }

    /// A merge of a campaign that is not over says so.
    @Test func anUnfinishedCampaignCannotBeMerged() throws {
        defer { clean() }
        let line = "campaign option-price --until 0.001% --seed 1 --shards 2 --folder \(folder)"
        for task in try run(line).stdout.split(separator: "\n") {
            #expect(try run(task.split(separator: " ").dropFirst().joined(separator: " ")).code == 0)
        }
        refused(try run("merge \(folder)"), 1, "'potluck campaign' continues it")
    }

    /// There may be more shards than blocks.
    @Test func emptyShardsAreParts() throws {
        defer { clean() }
        try shards("pi --trials 1000 --seed 1", 3)
        let merged = try json("merge \(folder) --json")
        #expect(merged["digest"] as? String == (try json("run pi --trials 1000 --seed 1 --json")["digest"] as? String))
    }

    /// Starts a shard and kills it once its record is on disk, which is after a second. Returns false if the shard
    /// ended before.
    private func isKilled(_ line: String, _ record: String) throws -> Bool {
        let child = try room.start(line.split(separator: " ").map(String.init) + ["--cores", "1"], "lab", Pipe())
        let end = Patience.end
        while !isWritten(record), !child.hasExited, Date.now < end { usleep(5000) }
        child.send(SIGKILL)
        return child.wait() == -SIGKILL
    }

    /// Kills shard 2 of 4 and passes its command, its trials and the folder of its record to `body`.
    private func afterKilling(_ body: (_ line: String, _ trials: Int, _ record: String) throws -> Void) throws {
        let part = path(2, of: 4)
        let unfinished = part + ".unfinished"
        // If a shard is complete before it is killed, the next one has four times the trials. All have whole blocks.
        for trials in [1 << 32, 1 << 34, 1 << 36, 1 << 38] {
            defer { clean() }
            let line = "run pi --trials \(trials) --seed 1 --shard 2/4 --partial \(folder)/"
            if try isKilled(line, unfinished), access(part, F_OK) != 0 { return try body(line, trials, unfinished) }
        }
        throw Trouble(what: "every shard ended before it could be killed")
    }

    /// A killed shard leaves no file, and the same command continues it.
    @Test func aKilledShardIsContinued() throws {
        try afterKilling { line, trials, record in
            #expect(access(path(2, of: 4), F_OK) != 0)
            let outcome = try run(line)
            let said = outcome.stdout.filter { $0 != " " }
            #expect(outcome.code == 0 && said.contains("shard2/4ofpi:\(trials / 4)trials"), "\(outcome)")
            #expect(outcome.stderr.contains("continuing shard 2/4 after "), "\(outcome.stderr)")
            #expect(access(record, F_OK) != 0)
        }
    }

    /// A machine with an older version computes nothing again that a newer one has recorded.
    @Test func aRecordThatCannotBeReadNowIsKept() throws {
        try afterKilling { line, _, record in
            let names = try FileManager.default.contentsOfDirectory(atPath: record)
            let store = record + "/" + (try #require(names.first { $0.hasSuffix(".run.db") }))
            func set(version: UInt8) throws {
                let file = open(store, O_WRONLY | O_CLOEXEC)
                // SQLite's header ends with it.
                #expect(pwrite(file, [version], 1, 63) == 1)
                close(file)
            }
            let version = [UInt8](try Data(contentsOf: URL(filePath: store)))[63]
            try set(version: 99)
            let refusal = try run(line)
            refused(refusal, 1, "was written by a newer Potluck")
            #expect(refusal.stderr.contains("start over with another --partial") && !refusal.stderr.contains("--state"))
            try set(version: version)
            #expect(try run(line).stderr.contains("continuing shard 2/4 after "))
        }
    }

    /// Only the failed task of an array is submitted again, so that it would be the only shard.
    @Test func aPartOfAnArrayIsRefused() throws {
        defer { clean() }
        try shards("pi --trials 1000 --seed 1", 8)
        unlink(path(5, of: 8))
        let line = "run pi --trials 1000 --seed 1 --shard auto --partial \(folder)/"
        func array(_ first: Int, _ last: Int, task: Int) throws -> EndToEndTests.Outcome {
            let variables = [
                "SLURM_ARRAY_TASK_ID": "\(task)", "SLURM_ARRAY_TASK_MIN": "\(first)",
                "SLURM_ARRAY_TASK_MAX": "\(last)", "SLURM_ARRAY_TASK_COUNT": "\(last - first + 1)",
            ]
            let environment = room.environment("lab").merging(variables) { $1 }
            return try EndToEndTests().run(line.split(separator: " ").map(String.init), environment: environment)
        }
        refused(try array(5, 5, task: 5), 2, "a Slurm array makes this one 1/1; submit the whole array again")
        #expect(try array(1, 8, task: 5).code == 0 && access(path(5, of: 8), F_OK) == 0)
        // The marks of an unfinished shard count, too.
        clean()
        try FileManager.default.createDirectory(
            atPath: path(3, of: 8) + ".unfinished", withIntermediateDirectories: true)
        refused(try array(5, 5, task: 5), 2, "use --shard I/8, or delete that file")
    }

    /// A campaign stops where a run on one machine does.
    @Test func aCampaignIsARun() throws {
        defer { clean() }
        for goal in ["--until 0.002", "--until 0.1%", "--trials 3M", "--until 0.5"] {
            let single = try json("run pi --seed 6 --json --ephemeral \(goal)")
            let submit = ["--submit", "while read line; do sh -c \"$line\"; done < {}; test {n} -gt 0"]
            let campaign = try json("campaign pi --seed 6 --shards 3 --folder \(folder) --json \(goal) -q", submit)
            #expect(campaign["digest"] as? String == single["digest"] as? String)
            #expect(campaign["trials"] as? Int == single["trials"] as? Int)
            clean()
        }
        // Without --submit it prints the tasks of the next round, and only those that are missing.
        let line = "campaign pi --seed 6 --until 0.01 --shards 3 --folder \(folder)"
        let tasks = try run(line).stdout.split(separator: "\n")
        #expect(tasks.count == 3 && tasks.allSatisfy { $0.contains(" run pi --seed 6 --until 0.01 --shard ") })
        #expect(try run(String(tasks[1].split(separator: " ").dropFirst().joined(separator: " "))).code == 0)
        #expect(try run(line).stdout.split(separator: "\n") == [tasks[0], tasks[2]])
        refused(try run(line.replacing("--shards 3", with: "--shards 2")), 1, "--shards 3")
        let failed = try run(line, ["--submit", "exit 3"])
        #expect(failed.code == 1 && failed.stderr.contains("left no new file"), "\(failed.stderr)")
    }
}
