import Glibc
import PotluckModel

/// Opens a ledger's file, whatever state it is in, as far as that can be done without guessing.
enum LedgerOpening {
    static func open(
        _ path: String, notices: inout [String]
    ) throws(StoreTrouble) -> (file: StoreFile, jobs: KeptJobs) {
        do throws(StoreTrouble) {
            return try read(path, &notices)
        } catch {
            guard error.kind == .damaged else { throw error }
            notices.append("\(error)")
        }
        // Nobody else has it: a damaged file is not touched while somebody writes to it.
        let saved = try putAside(path, &notices)
        let file = try StoreFile.open(LedgerStore.kind, at: path)
        try file.database.transaction { () throws(StoreTrouble) in
            try LedgerStore(database: file.database).write(saved.jobs.keys, from: KeptJobs(), to: saved)
        }
        return (file, saved)
    }

    private static func read(
        _ path: String, _ notices: inout [String]
    ) throws(StoreTrouble) -> (file: StoreFile, jobs: KeptJobs) {
        let file = try StoreFile.open(LedgerStore.kind, at: path)
        var lost: [String] = []
        let jobs = try LedgerStore(database: file.database).read { lost.append($0) }
        // The file is written anew then, so that it says what we go on with and nothing beside it.
        if let first = lost.first { throw StoreTrouble(.damaged, path, first) }
        notices += file.notices
        return (file, jobs)
    }

    /// Renames the file and what belongs to it, and tells what of it can be trusted.
    private static func putAside(_ path: String, _ notices: inout [String]) throws(StoreTrouble) -> KeptJobs {
        let lock = try FileLock(of: path)
        defer { withExtendedLifetime(lock) {} }
        let aside = path + ".damaged"
        for ending in ["", "-wal", "-shm"] {
            unlink(aside + ending)
            guard rename(path + ending, aside + ending) == 0 || errno == ENOENT else {
                throw StoreTrouble(errno: errno, path, cannot: "put it aside")
            }
        }
        var lost: [String] = []
        var jobs = KeptJobs()
        if let database = try? Database(aside, .writing),
            let read = try? LedgerStore(database: database).read(lost: { lost.append($0) })
        {
            jobs = read
        }
        notices += lost.map { "\(path): \($0)" }
        notices.append(
            "\(path): it is kept as \(aside); \(jobs.unfinished.count) unfinished jobs were saved, others begin anew")
        return jobs
    }
}
