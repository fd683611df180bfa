import Glibc
import PotluckSystem

/// A program that runs beside this one and writes its output into a file.
struct Subprocess {
    private let id: pid_t
    private let name: String
    private let output: String

    /// Starts the program. `output` is the path of a file to create for its stdout and stderr.
    init(_ program: String, _ arguments: [String], in folder: String, output: String) throws(WorkshopError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        attributes.resetSignals()

        // Swift does not import the call that sets a child's folder, so a shell does it. The compiler leaves a folder
        // in TMPDIR each time; here that is removed with the working folder. Nobody else may write to what it makes: a
        // native program may be linked with it.
        let shell = "/bin/sh"
        var words: [UnsafeMutablePointer<CChar>?] =
            ([shell, "-c", "umask 077 && cd \"$0\" && TMPDIR=$PWD exec \"$@\"", folder, program] + arguments)
            .map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var id = pid_t()
        let status = posix_spawn(&id, shell, &actions, &attributes, words, environ)
        guard status == 0 else {
            throw .refused("cannot start \(program): \(String(cString: strerror(status)))")
        }
        self.id = id
        self.output = output
        name = program.split(separator: "/").last.map(String.init) ?? program
    }

    /// Waits for the end of the program. Returns whether it succeeded, and its output.
    func wait() -> (succeeded: Bool, said: String) {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return (status == 0, File.read(output).map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
}
