import Glibc
import PotluckCore
import PotluckSystem

/// A command of the user that this program runs in a shell. Its stdout is this program's stderr, because stdout is for
/// the result.
package struct ShellCommand {
    private let id: pid_t
    /// How often a command's end is looked for.
    private static let pause = Duration.milliseconds(100)

    package init(_ command: String) throws(Failure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // In a group of its own, it and its tasks can be stopped together.
        attributes.resetSignals(ownGroup: true)
        let texts = ["/bin/sh", "-c", command]
        var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var id = pid_t()
        let status = posix_spawn(&id, "/bin/sh", &actions, &attributes, words, environ)
        guard status == 0 else {
            throw Failure(message: "cannot start /bin/sh: \(String(cString: strerror(status)))")
        }
        self.id = id
    }

    /// Waits for the end of the command. Returns whether it succeeded. When the user stops this program, the command and
    /// its tasks are told to stop, too.
    package func wait() async -> Bool {
        var status: Int32 = 0
        var hasTold = false
        while waitpid(id, &status, WNOHANG) == 0 {
            if Interrupts.asked != nil, !hasTold {
                kill(-id, SIGTERM)
                hasTold = true
            }
            try? await Task.sleep(for: Self.pause)
        }
        return status == 0
    }
}
