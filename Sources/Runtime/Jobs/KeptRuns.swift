import Glibc
import PotluckJournal
import PotluckModel
import PotluckSystem
import PotluckWire

/// The runs of this machine alone that can be gone on with: a folder with a file for each.
public struct KeptRuns: Sendable {
    /// Whoever has not gone on with a run for a month will not.
    public static let longest = Duration.seconds(30 * 86_400)

    let folder: String
    /// Where modules are kept by their hash; nowhere where it is nil.
    private let modules: String?

    public init(in folder: String, modules: String?) { (self.folder, self.modules) = (folder, modules) }

    func keep(_ module: [UInt8]) { _ = store.put(module: module) }

    /// A module that was kept; nil where it is not there any more.
    public func octets(of module: BlobReference) -> [UInt8]? { store.module(module.hash) }

    /// Of modules alone, which are in no spool.
    private var store: BlobStore { BlobStore(keptIn: modules, spool: folder) }

    /// One of them.
    public struct Left: Sendable {
        public let job: KeptJob
        public let taken: TakenJob

        /// Trials that need not be computed again.
        public var trials: UInt64 {
            let blocks = job.pieces.reduce(job.settled.blocks) { $0 &+ UInt64($1.blocks.count) }
            let (trials, isTooMany) = blocks.multipliedReportingOverflow(by: taken.order.experiment.blockSize)
            return isTooMany ? .max : min(trials, taken.order.goal.trials ?? .max)
        }
    }

    /// Where one is.
    struct File: Sendable {
        let runs: KeptRuns
        let id: JobID
        static let ending = ".run.db"
        private static let damaged = ".damaged"

        /// The number in a file's name, where it is that of a run or of what was put aside of one.
        static func number(in name: String) -> JobID? {
            let rest = name.dropFirst(16)
            guard rest == ending || rest.hasPrefix(ending + damaged) else { return nil }
            return UInt64(name.prefix(16), radix: 16).map { JobID($0) }
        }

        var path: String { "\(runs.folder)/\(id.text)\(Self.ending)" }

        /// What was put aside, because it was damaged; nil where nothing was.
        var aside: String? {
            let beginning = id.text + Self.ending + Self.damaged
            return names(inFolder: runs.folder).sorted().first { $0.hasPrefix(beginning) }.map {
                "\(runs.folder)/\($0)"
            }
        }

        /// With all that belongs to it.
        func remove() { remove { _ in true } }

        /// But not what was put aside.
        func removeRemains() { remove { !$0.contains(Self.damaged) } }

        private func remove(where isMeant: (String) -> Bool) {
            let name = id.text + Self.ending
            for other in names(inFolder: runs.folder) where other.hasPrefix(name) && isMeant(other) {
                unlink("\(runs.folder)/\(other)")
            }
        }
    }

    func file(of id: JobID) -> File { File(runs: self, id: id) }

    /// The numbers of all that are here, those under way and those that are damaged among them.
    public var ids: [JobID] { Set(names(inFolder: folder).compactMap(File.number)).sorted() }

    /// Opens one, for nobody else to go on with at the same time. Nil where there is nothing to go on with any more. Where
    /// there is, and all of it is damaged, the trouble says what was found and where it is kept.
    public func open(_ id: JobID) throws(StoreTrouble) -> (keeper: RunKeeper, left: Left)? {
        let file = file(of: id)
        guard access(file.path, F_OK) == 0 || errno != ENOENT else {
            guard let aside = file.aside else { return nil }
            throw StoreTrouble(.damaged, aside, "it cannot be resumed; \(Self.letGo(id))")
        }
        let journal = try DiskJournal.open(at: file.path) { _ in }
        guard let job = journal.unfinishedJobs.first, job.record.id == id else {
            journal.close()
            guard !journal.notices.isEmpty else { return nil }
            file.removeRemains()
            let found = journal.notices.map { notice in
                // All are about this file.
                let rest = notice.hasPrefix(file.path) ? notice.dropFirst(file.path.count) : notice[...]
                return rest.hasPrefix(": ") ? String(rest.dropFirst(2)) : "it" + rest
            }
            throw StoreTrouble(
                .other, file.path, "it cannot be resumed: \(found.joined(separator: "; ")). \(Self.letGo(id))")
        }
        guard let taken = try? TakenJob(job.record.spec) else {
            journal.close()
            throw StoreTrouble(
                .other, file.path, "it was started by an incompatible version of potluck")
        }
        return (RunKeeper(journal, file), Left(job: job, taken: taken))
    }

    private static func letGo(_ id: JobID) -> String { "delete it with: potluck resume \(id) --forget" }

    /// Lets go of one that is not under way. False where there was none.
    public func forget(_ id: JobID) throws(StoreTrouble) -> Bool {
        guard ids.contains(id) else { return false }
        let file = file(of: id)
        try StoreFile.holding(file.path) { file.remove() }
        return true
    }

    /// Lets go of all that nobody has gone on with for too long, and of what was left of others.
    public func forgetOld() {
        var last: [UInt64: Int] = [:]
        // What is under way writes into the file beside it. Whoever only looks writes the lock, which counts where nothing else is.
        for name in names(inFolder: folder).sorted() where name.contains(File.ending) {
            var found = stat()
            guard let number = UInt64(name.prefix(16), radix: 16), stat("\(folder)/\(name)", &found) == 0 else {
                continue
            }
            if name.hasSuffix(".lock"), last[number] != nil { continue }
            last[number] = max(last[number] ?? .min, found.st_mtim.tv_sec)
        }
        let limit = time(nil) - Int(Self.longest.components.seconds)
        for (number, written) in last where written < limit {
            let file = file(of: JobID(number))
            try? StoreFile.holding(file.path) { file.remove() }
        }
    }
}
