import Glibc
import PotluckCore
import PotluckMachine
import PotluckSystem

/// The folder of the runs on this machine that can be resumed, with one file for each.
public struct KeptRuns: Sendable {
    /// Runs that were not resumed for this long, a month, are removed.
    public static let longest = Duration.seconds(30 * 86_400)

    let folder: String
    /// The folder that keeps modules by their hash; nil to keep none.
    private let modules: String?

    public init(in folder: String, modules: String?) { (self.folder, self.modules) = (folder, modules) }

    func keep(_ module: [UInt8]) { _ = store.put(module: module) }

    /// Returns a kept module. Returns nil if it was removed.
    public func octets(of module: BlobReference) -> [UInt8]? { store.module(module.hash) }

    /// Used only for modules, so it makes no files in the spool.
    private var store: BlobStore { BlobStore(keptIn: modules, spool: folder) }

    /// A run that can be resumed.
    public struct Left: Sendable {
        public let job: KeptJob
        public let taken: TakenJob

        /// Whether it is a search.
        public var isSearch: Bool {
            JobSpec(taken.order.recipe).isSearch
        }

        /// The number of trials that are already computed.
        public var trials: UInt64 {
            let first = taken.order.goal.slice?.lowerBound ?? 0
            let settled = job.settled.blocks - min(first, job.settled.blocks)
            let blocks = job.pieces.reduce(settled) { $0 &+ UInt64($1.blocks.count) }
            let (trials, isTooMany) = blocks.multipliedReportingOverflow(by: taken.order.experiment.blockSize)
            return isTooMany ? .max : min(trials, taken.order.goal.trials ?? .max)
        }
    }

    /// The file of a run, or of the points of a sweep that are under way.
    struct File: Sendable {
        /// The raw values are the endings of the files' names.
        enum Kind: String, CaseIterable {
            case run = ".run.db"
            case sweep = ".sweep.db"
        }

        let runs: KeptRuns
        let id: JobID
        var kind = Kind.run
        private static let damaged = ".damaged"

        /// The ID in a file's name. Returns nil for other names than those of runs and of damaged runs that were put
        /// aside.
        static func number(in name: String) -> JobID? {
            let (rest, ending) = (name.dropFirst(16), Kind.run.rawValue)
            guard rest == ending || rest.hasPrefix(ending + damaged) else { return nil }
            return UInt64(name.prefix(16), radix: 16).map { JobID($0) }
        }

        private var name: String { id.text + kind.rawValue }
        var path: String { "\(runs.folder)/\(name)" }

        /// Whether there is a file, or one that is to replace it, because a repair was killed.
        var exists: Bool {
            [path, StoreFile.repaired(path)].contains { (file: String) in access(file, F_OK) == 0 || errno != ENOENT }
        }

        /// The path of the damaged file that was put aside; nil if there is none.
        var aside: String? {
            let beginning = name + Self.damaged
            return names(inFolder: runs.folder).sorted().first { $0.hasPrefix(beginning) }.map {
                "\(runs.folder)/\($0)"
            }
        }

        /// Removes the file and all files that belong to it.
        func remove() { remove { _ in true } }

        /// Removes the file and all files that belong to it, except damaged ones that were put aside.
        func removeRemains() { remove { !$0.contains(Self.damaged) } }

        private func remove(where isMeant: (String) -> Bool) {
            let name = name
            for other in names(inFolder: runs.folder) where other.hasPrefix(name) && isMeant(other) {
                unlink("\(runs.folder)/\(other)")
            }
        }
    }

    func file(of id: JobID) -> File { File(runs: self, id: id) }
    func file(ofSweep id: JobID) -> File { File(runs: self, id: id, kind: .sweep) }

    /// Opens what is kept of a sweep, and locks it against other processes. Returns nil if nothing is. A damaged file is put
    /// aside; its points are computed again.
    package func open(sweep id: JobID) throws(StoreError) -> RunKeeper? {
        let file = file(ofSweep: id)
        guard file.exists else { return nil }
        return RunKeeper(try DiskJournal.open(at: file.path) { _ in }, file)
    }

    /// The IDs of all runs in the folder, including damaged runs and those that are under way.
    public var ids: [JobID] { Set(names(inFolder: folder).compactMap(File.number)).sorted() }

    /// Opens a run for resuming and locks it against other processes. Returns nil if there is nothing to resume. Throws
    /// if the run's file was entirely damaged; the error says what was found and where the file is kept.
    public func open(_ id: JobID) throws(StoreError) -> (keeper: RunKeeper, left: Left)? {
        let file = file(of: id)
        guard file.exists else {
            guard let aside = file.aside else { return nil }
            throw StoreError(.damaged, aside, "it cannot be resumed; \(Self.letGo(id))")
        }
        let journal = try DiskJournal.open(at: file.path) { _ in }
        guard let job = journal.unfinishedJobs.first, job.record.id == id else {
            journal.close()
            guard !journal.notices.isEmpty else { return nil }
            file.removeRemains()
            let found = journal.notices.map { notice in
                // All notices are about this file, so do not repeat its path.
                let rest = notice.hasPrefix(file.path) ? notice.dropFirst(file.path.count) : notice[...]
                return rest.hasPrefix(": ") ? String(rest.dropFirst(2)) : "it" + rest
            }
            throw StoreError(
                .unresumable, file.path, "it cannot be resumed: \(found.joined(separator: "; ")). \(Self.letGo(id))")
        }
        guard let taken = try? TakenJob(job.record.spec) else {
            journal.close()
            throw StoreError(
                .other, file.path, "it was started by an incompatible version of potluck")
        }
        return (RunKeeper(journal, file), Left(job: job, taken: taken))
    }

    private static func letGo(_ id: JobID) -> String { "delete it with: potluck resume \(id) --forget" }

    /// Removes a run that is not under way. Returns false if there was none.
    public func forget(_ id: JobID) throws(StoreError) -> Bool {
        guard ids.contains(id) else { return false }
        let file = file(of: id)
        try StoreFile.holding(file.path) { file.remove() }
        return true
    }

    /// Removes runs that were not resumed for `longest`, and files that other runs left behind.
    public func forgetOld() { for kind in File.Kind.allCases { forgetOld(kind) } }

    private func forgetOld(_ kind: File.Kind) {
        var last: [UInt64: Int] = [:]
        // A run that is under way writes to the file beside its store, so the newest of all its files counts. A process
        // that only looks at the store writes the lock file, so that one counts only if there is no other.
        for name in names(inFolder: folder).sorted() where name.contains(kind.rawValue) {
            var found = stat()
            guard let number = UInt64(name.prefix(16), radix: 16), stat("\(folder)/\(name)", &found) == 0 else {
                continue
            }
            if name.hasSuffix(".lock"), last[number] != nil { continue }
            last[number] = max(last[number] ?? .min, found.st_mtim.tv_sec)
        }
        let limit = time(nil) - Int(Self.longest.components.seconds)
        for (number, written) in last where written < limit {
            let file = File(runs: self, id: JobID(number), kind: kind)
            try? StoreFile.holding(file.path) { file.remove() }
        }
    }
}
