import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen
import PotluckSystem

/// The location of the history, from the options that all its commands share.
enum StoreArguments {
    static func path(_ arguments: Arguments) throws -> String { try folder(arguments) + "/" + History.file }

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

    private static func opened(_ path: String, _ access: History.Access) throws(StoreError) -> History {
        let history = try History.open(at: path, access)
        for notice in history.notices { Output.complain(notice) }
        return history
    }
}

extension JobRecorder {
    convenience init(_ directory: StateDirectory, _ session: SessionID) {
        self.init(in: directory.isEphemeral ? nil : directory.path, session) { $0.builtIn }
    }
}

extension SweepRepetition {
    init(_ sweep: RecordedSweep) { self.init(sweep, sweep.runs[0].simulation.builtIn) }
}
