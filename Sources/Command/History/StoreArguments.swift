import Glibc
import PotluckArguments
import PotluckJournal
import PotluckModel
import PotluckSystem

/// Where runs are kept, as commands are told alike.
enum StoreArguments {
    static let file = "history.db"

    /// The history's file. Its folder is made where it is missing: nobody else may look into it. One that was named by hand is
    /// left as it is; what we put there is for nobody else to read anyway.
    static func path(_ arguments: Arguments) throws -> String {
        guard let folder = try arguments[StateDirectory.option] else {
            return try StateDirectory.own().path + "/" + file
        }
        makeFolders(folder)
        guard access(folder, F_OK) == 0 else { throw Failure(cannot: "make \(folder)") }
        return folder + "/" + file
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
    static func record(_ run: RunRecord, at path: () throws -> String) -> [String] {
        guard run.trials > 0 else { return [] }
        do {
            let history = try History.open(at: path())
            try history.record(run)
            return history.notices
        } catch let error as Failure {
            return ["this run is not recorded: \(error.message)"]
        } catch {
            return ["this run is not recorded: \(error)"]
        }
    }

    /// A key that no other run has.
    static func key() -> String {
        var chance = SystemRandomNumberGenerator()
        let octets = (0..<RunRecord.keyLength / 2).map { _ in UInt8.random(in: 0...255, using: &chance) }
        return octets.hexadecimal
    }
}
