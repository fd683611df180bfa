import Glibc
import PotluckArguments
import PotluckJournal
import PotluckModel

/// Where runs are kept, as commands are told alike.
enum StoreArguments {
    static let state = Option(
        "state", "DIR", "keep what lasts in this folder instead of your own", environment: "POTLUCK_STATE"
    ) { (text) throws(ValueError) -> String in
        guard !text.contains("\0") else { throw ValueError("not a folder's name") }
        return text
    }
    static let ephemeral = Flag("ephemeral", "keep nothing", environment: "POTLUCK_EPHEMERAL")

    private static let file = "history.db"

    /// The history's file. Its folder is made where it is missing: nobody else may look into it. One that was named by hand is
    /// left as it is; what we put there is for nobody else to read anyway.
    static func path(_ arguments: Arguments) throws -> String {
        guard let folder = try arguments[state] else { return try StateDirectory.find().path + "/" + file }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Failure(cannot: "make \(folder)") }
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
    /// Says in a line on stderr where that was not possible; the result itself has been shown, and is none the worse.
    static func record(_ run: RunRecord, _ arguments: Arguments) {
        guard !arguments[StoreArguments.ephemeral], run.trials > 0 else { return }
        do {
            try StoreArguments.open(arguments).record(run)
        } catch let error as Failure {
            Output.complain("this run is not recorded: \(error.message)")
        } catch {
            Output.complain("this run is not recorded: \(error)")
        }
    }

    /// A key that no other run has.
    static func key() -> String {
        var chance = SystemRandomNumberGenerator()
        let octets = (0..<RunRecord.keyLength / 2).map { _ in UInt8.random(in: 0...255, using: &chance) }
        return octets.hexadecimal
    }
}
