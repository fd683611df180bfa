import Glibc
import PotluckArguments
import PotluckJournal
import PotluckModel
import PotluckSystem

/// Where runs are kept, as commands are told alike.
enum StoreArguments {
    static let file = "history.db"

    static func path(_ arguments: Arguments) throws -> String { try folder(arguments) + "/" + file }

    /// Where the history and what can be gone on with are. Made where it is missing: nobody else may look into it. One that was
    /// named by hand is left as it is; what we put there is for nobody else to read anyway.
    static func folder(_ arguments: Arguments) throws -> String {
        guard let folder = try arguments[StateDirectory.option] else { return try StateDirectory.own().path }
        let obstacle = makeFolders(folder)
        guard access(folder, F_OK) == 0 else { throw Failure(cannotMake: folder, obstacle) }
        return folder
    }

    /// The history, to read and to write.
    static func open(_ arguments: Arguments) throws -> History { try opened(path(arguments), .writing) }

    /// The history, to read; nil where no run was ever recorded.
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

/// Puts a run into the history.
enum RunRecorder {
    /// Gives back what there is to say of it in lines: that an older store was brought up to date, or why this was not possible.
    /// The result itself is none the worse.
    /// `mayBeKnown` where it takes the place of what it was before somebody went on with it.
    static func record(_ run: RunRecord, mayBeKnown: Bool = false, at path: () throws -> String) -> [String] {
        guard run.trials > 0 else { return [] }
        do {
            let history = try History.open(at: path())
            if mayBeKnown { try history.record(goneOnWith: run) } else { try history.record(run) }
            return history.notices
        } catch let error as Failure {
            return ["cannot record this run: \(error.message)"]
        } catch {
            return ["cannot record this run: \(error)"]
        }
    }
}
