import Glibc
import PotluckScreen
import PotluckSystem

/// Says on stderr that a file is being compiled. On a terminal the line moves and disappears at the end, because the
/// first time takes some seconds.
final class CompilingLine: Sendable {
    private static let interval = timespec(tv_sec: 0, tv_nsec: 100_000_000)
    private let isOver = Guarded(false)
    private let thread: SystemThread?

    init(_ label: String) {
        guard isatty(STDERR_FILENO) == 1, Terminal.isCapable else {
            try? Output.write("Compiling \(label) …\n", to: STDERR_FILENO)
            thread = nil
            return
        }
        let isOver = isOver
        thread = SystemThread {
            var tenths = 0
            while !isOver.with({ $0 }) {
                if TerminalMode.isForeground(STDERR_FILENO) {
                    let columns = Terminal.canvas(of: STDERR_FILENO).columns
                    try? Output.write("\r" + Self.text(label, tenths: tenths, columns: columns), to: STDERR_FILENO)
                }
                var rest = Self.interval
                nanosleep(&rest, nil)
                tenths += 1
            }
            // Erases the line.
            if TerminalMode.isForeground(STDERR_FILENO) { try? Output.write("\r\u{1b}[K", to: STDERR_FILENO) }
        }
    }

    /// The line after this many tenths of a second. It never wraps, which would leave lines behind.
    static func text(_ label: String, tenths: Int, columns: Int) -> String {
        let time = " … \(tenths / 10).\(tenths % 10) s"
        return String(("Compiling " + label).prefix(max(0, columns - 1 - time.count))) + time
    }

    /// Stops the line, and returns when it has disappeared.
    func end() {
        isOver.with { $0 = true }
        thread?.join()
    }
}
