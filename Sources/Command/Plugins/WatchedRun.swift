import Glibc
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// `potluck run --watch`: runs a file, and again each time it is saved. Each run is a process of its own, so that it
/// begins like any other.
struct WatchedRun {
    static let flag = Flag("watch", "run a file again each time it is saved, until Ctrl-C", in: .place)

    private let path: String
    private let words: [String]
    /// Between two looks at the file. Nobody notices a tenth of a second.
    private static let pause = Duration.milliseconds(100)
    /// Looks until a run that was told to stop, and has not, is told again.
    private static let patience = 20

    /// `words` are the words of the command line.
    init(_ path: String, words: [String]) throws {
        guard PluginFiles.isFile(path) else {
            throw UsageError("\(Spelling.path(path)) is not a file; --watch runs a file again when it is saved")
        }
        self.path = path
        self.words = words.filter { $0 != "--\(Self.flag.declaration.name)" }
    }

    /// Runs the file until the user stops it. Returns the exit code.
    func play() async throws -> ExitCode {
        // The signal of Ctrl-C reaches the run, too, which then shows its result.
        Interrupts.stop {}
        while true {
            let version = await settledVersion()
            try await run(version)
            if let code = Interrupts.asked { return code }
            if isSaved(since: version) { continue }
            Output.complain("watching \(Spelling.path(path)); save it to run it again, or press Ctrl-C")
            while !isSaved(since: version) {
                if let code = Interrupts.asked { return code }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// The version once it stays the same for a moment: some editors empty a file before they write it.
    private func settledVersion() async -> FileVersion? {
        var version = FileVersion(path)
        while Interrupts.asked == nil {
            try? await Task.sleep(for: Self.pause)
            let next = FileVersion(path)
            if next == version { break }
            version = next
        }
        return version
    }

    private func isSaved(since version: FileVersion?) -> Bool { FileVersion(path).map { $0 != version } ?? false }

    /// Runs the file once, and stops the run early when the file is saved or the user wants to end.
    private func run(_ version: FileVersion?) async throws {
        let program = "/proc/self/exe"
        var arguments: [UnsafeMutablePointer<CChar>?] = ([CommandLine.arguments[0]] + words).map { strdup($0) }
        defer { for word in arguments { free(word) } }
        arguments.append(nil)
        var id = pid_t()
        let status = posix_spawn(&id, program, nil, nil, arguments, environ)
        guard status == 0 else { throw Failure(message: "cannot start a run: \(String(cString: strerror(status)))") }
        var looks = 0
        var code: Int32 = 0
        while waitpid(id, &code, WNOHANG) == 0 {
            if Interrupts.asked != nil || isSaved(since: version) {
                // After Ctrl-C the run stops by itself.
                if Interrupts.asked == nil && looks == 0 || looks == Self.patience { kill(id, SIGTERM) }
                looks += 1
            }
            try? await Task.sleep(for: Self.pause)
        }
    }
}
