@preconcurrency import Dispatch
import Glibc
import PotluckModel

/// The keys that are typed while a screen is drawn, one at a time.
final class Keys: Sendable {
    private let source: any DispatchSourceRead

    /// Nil where nobody can type.
    init?(_ pressed: @escaping @Sendable (Character) -> Void) {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: STDIN_FILENO, queue: DispatchQueue(label: "potluck-keys"))
        self.source = source
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 256)
            // In the background reading would stop this program.
            guard TerminalMode.isForeground(STDIN_FILENO) else {
                usleep(100_000)
                return
            }
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else { return source.cancel() }
            for key in String(decoding: bytes[0..<count], as: UTF8.self) { pressed(key) }
        }
        source.resume()
    }

    /// From now on keys are somebody else's.
    func end() { source.cancel() }
}
