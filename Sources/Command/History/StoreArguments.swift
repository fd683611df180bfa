import Glibc
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckSystem

/// The location of the history, from the options that all its commands share.
enum StoreArguments {
    static let file = "history.db"

    static func path(_ arguments: Arguments) throws -> String { try folder(arguments) + "/" + file }

    /// The folder of the history and of resumable runs. The default folder is created with access for its owner only.
    /// The permissions of a folder that `--state` names are left alone; the files in it are readable only by their
    /// owner.
    static func folder(_ arguments: Arguments) throws -> String {
        guard let folder = try arguments[StateDirectory.option] else { return try StateDirectory.own().path }
        let obstacle = makeFolders(folder)
        guard access(folder, F_OK) == 0 else { throw Failure(cannotMake: folder, obstacle) }
        return folder
    }

    /// Opens the history to read and write.
    static func open(_ arguments: Arguments) throws -> History { try opened(path(arguments), .writing) }

    /// Opens the history to read. Returns nil if no run was ever recorded.
    static func read(_ arguments: Arguments) throws -> History? {
        let path = try path(arguments)
        guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
        return try opened(path, .reading)
    }

    private static func opened(_ path: String, _ access: History.Access) throws(StoreTrouble) -> History {
        let history = try History.open(at: path, access)
        for notice in history.notices { Output.complain(notice) }
        return history
    }
}

/// Records a run in the history.
enum RunRecorder {
    /// Returns lines for the user: that an older store was upgraded, or why recording failed. A failure does not affect
    /// the result. `mayBeKnown` means that the run may replace its own record from before it was resumed.
    static func record(_ run: RunRecord, mayBeKnown: Bool = false, at path: () throws -> String) -> [String] {
        guard run.trials > 0 else { return [] }
        return write(at: path) { history throws(StoreTrouble) in
            if mayBeKnown { try history.record(goneOnWith: run) } else { try history.record(run) }
        }
    }

    /// Adds exact answers to a run that was recorded while they were hidden. Returns lines for the user, as `record` does.
    static func complete(_ key: String, with readings: [Reading], at path: () throws -> String) -> [String] {
        write(at: path) { history throws(StoreTrouble) in try history.complete(key, with: readings) }
    }

    private static func write(
        at path: () throws -> String, _ body: (History) throws(StoreTrouble) -> Void
    ) -> [String] {
        do {
            let history = try History.open(at: path())
            try body(history)
            return history.notices
        } catch let error as Failure {
            return ["cannot record this run: \(error.message)"]
        } catch {
            return ["cannot record this run: \(error)"]
        }
    }
}
