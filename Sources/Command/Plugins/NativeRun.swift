import Glibc
import Potluck
import PotluckCore
import PotluckScreen

/// `potluck run --native`: a person's own file runs as a native program on their own machine. Files of others run only
/// in the sandbox.
enum NativeRun {
    static let flag = Flag(
        "native", "compile a Swift file of your own for this machine, and run it without the sandbox", in: .place)

    /// Throws if what the user typed must not run natively, or already does.
    static func check(_ typed: String, isInSession: Bool) throws {
        let name = Spelling.path(typed)
        if isInSession {
            throw UsageError("--native and --session cannot be used together; a session runs files only in the sandbox")
        }
        guard PluginFiles.isFile(typed) else {
            throw UsageError("--native is for a Swift file of your own; \(name) is built in and already runs natively")
        }
        guard typed.hasSuffix(".swift") else {
            throw UsageError("--native needs the source in Swift; \(name) runs only in the sandbox")
        }
        var found = stat()
        // A missing file is reported where it is read. There the owner is checked again.
        guard stat(typed, &found) == 0, found.st_uid != geteuid() else { return }
        throw UsageError("--native is for a file of your own; \(name) belongs to another user; run it without --native")
    }
}
