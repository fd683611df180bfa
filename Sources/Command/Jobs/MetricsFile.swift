import Glibc
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// A file of metrics for the text collector of Prometheus' node exporter. It is written whole at every interval and at
/// once when a job begins, changes its state or ends. It is removed when the command ends, so that Prometheus marks the
/// series as ended and does not repeat old numbers.
final class MetricsFile: Sendable {
    static let option = Option(
        "metrics", "FILE.prom", "keep a file of metrics for the text collector of Prometheus' node exporter",
        in: .output
    ) { (text) throws(ValueError) -> String in
        guard text.hasSuffix(suffix), text.split(separator: "/").last != suffix[...] else {
            throw ValueError("must end in \(suffix), because the node exporter reads no other files")
        }
        return text
    }

    private static let suffix = ".prom"
    /// The time between two writes. Prometheus usually asks every 15 s or more, so no number is much older than that.
    private static let interval = Duration.seconds(5)

    private struct State {
        var last: [Key]?
        var isOver = false
        var writing: Task<Void, Never>?
        /// The reason why the file cannot be written; nil if it was. Each is printed once.
        var trouble: String?
    }

    /// A change of these is written at once.
    private struct Key: Equatable {
        let job: JobID
        let state: String
        let isLost: Bool
    }

    private let path: String
    private let session: SessionID
    private let state = Guarded(State())

    /// Writes the first file. Throws if it cannot be written or if another file is in its place.
    init(_ path: String, _ session: SessionID) throws {
        (self.path, self.session) = (path, session)
        guard Self.isOurs(path) else {
            throw Failure(
                message:
                    "\(Spelling.path(path)) exists and holds no metrics of potluck; choose another name, or remove it")
        }
        try FileWriter.write(text(of: JobBoard()), overwriting: path)
    }

    /// Writes the file regularly, with the jobs on the board, until `end` is called.
    func keepWriting(_ board: @escaping @Sendable () -> JobBoard) {
        let writing = Task.detached { [self] in
            while !Task.isCancelled {
                write(board())
                try? await Task.sleep(for: Self.interval)
            }
        }
        state.with { $0.writing = writing }
    }

    /// Writes the file if a job began, changed its state or ended.
    func note(_ board: JobBoard) {
        if state.with({ $0.last != Self.keys(board) }) { write(board) }
    }

    private func write(_ board: JobBoard) {
        let trouble = state.with { state -> String? in
            // A write after the removal would leave the file for ever.
            guard !state.isOver else { return nil }
            state.last = Self.keys(board)
            do {
                try FileWriter.write(text(of: board), overwriting: path)
                state.trouble = nil
                return nil
            } catch {
                let why = (error as? Failure)?.message ?? "\(error)"
                defer { state.trouble = why }
                return state.trouble == why ? nil : why
            }
        }
        if let trouble { Output.complain(trouble) }
    }

    /// Removes the file.
    func end() {
        state.with { state in
            state.isOver = true
            state.writing?.cancel()
            unlink(path)
        }
    }

    private func text(of board: JobBoard) -> String {
        MetricsText(session: session.name, jobs: board.jobs, lost: Set(board.awaited.keys)).text
    }

    private static func keys(_ board: JobBoard) -> [Key] {
        board.jobs.map { Key(job: $0.id, state: $0.state.word, isLost: board.awaited[$0.id] != nil) }
    }

    /// Whether the file is absent, empty, or one that this program left when it was killed.
    private static func isOurs(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let start = Array(MetricsText.start.utf8)
        var octets = [UInt8](repeating: 0, count: start.count)
        let count = read(descriptor, &octets, octets.count)
        return count == 0 || count == start.count && octets == start
    }
}
