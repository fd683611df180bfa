import Glibc
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// Records the events of a node in a file, to find bugs: `make sim TRACE=FILE` replays them.
enum RecordFile {
    static let option = Option(
        "record", "FILE", "record what happens to this node, without messages, to find bugs", in: .storage,
        CommonOptions.text)

    /// The file of the latest node; nil if there is none, or if writing failed. `potluck join` starts another node after
    /// the user typed other words. The file then begins again, and the earlier node must not write to it.
    private static let latest = Guarded<Int32?>(nil)

    /// Returns a function that writes a line; nil without `--record`. If writing fails, recording stops but the node
    /// continues.
    static func open(_ arguments: Arguments) throws -> (@Sendable (String) -> Void)? {
        guard arguments.has(option.declaration), let path = try arguments[option] else { return nil }
        latest.with { $0 = nil }
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(path)") }
        latest.with { $0 = descriptor }
        return { line in
            guard latest.with({ $0 == descriptor }) else { return }
            do throws(OutputError) {
                try Output.write(line, to: descriptor)
            } catch {
                latest.with { $0 = nil }
                Output.complain("recording to \(path) stopped: \(String(cString: strerror(error.number)))")
            }
        }
    }
}
