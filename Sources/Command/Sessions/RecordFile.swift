import Glibc
import PotluckArguments
import PotluckSystem

/// Where a node writes down what happens to it, for whoever looks for a fault in it: `make sim TRACE=FILE` lives it again.
enum RecordFile {
    static let option = Option(
        "record", "FILE", "record what happens to this node, without messages, to find bugs", in: .storage,
        CommonOptions.text)

    /// Nil where nobody asked for it. A disk that takes no more ends the record and nothing else.
    static func open(_ arguments: Arguments) throws -> (@Sendable (String) -> Void)? {
        guard arguments.has(option.declaration), let path = try arguments[option] else { return nil }
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(path)") }
        let isBroken = Guarded(false)
        return { line in
            guard !isBroken.with({ $0 }) else { return }
            do throws(OutputError) {
                try Output.write(line, to: descriptor)
            } catch {
                isBroken.with { $0 = true }
                Output.complain("recording to \(path) stopped: \(String(cString: strerror(error.number)))")
            }
        }
    }
}
