@preconcurrency import Dispatch
import Glibc
import PotluckCore
import PotluckScreen
import PotluckSystem

/// Reads the keys that are typed while a screen is drawn.
package final class Keys: Sendable {
    private let source: any DispatchSourceRead

    /// Returns nil if stdin is not a terminal. `pressed` is called for each key, on a queue.
    package init?(_ pressed: @escaping @Sendable (ViewKey) -> Void) {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: STDIN_FILENO, queue: DispatchQueue(label: "potluck-keys"))
        self.source = source
        let parser = Guarded(KeyParser())
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 256)
            // In the background, reading would suspend the program.
            guard TerminalMode.isForeground(STDIN_FILENO) else {
                usleep(100_000)
                return
            }
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else { return source.cancel() }
            for key in parser.with({ $0.keys(bytes[0..<count]) }) { pressed(key) }
        }
        source.resume()
    }

    /// Stops reading keys.
    package func end() { source.cancel() }
}
