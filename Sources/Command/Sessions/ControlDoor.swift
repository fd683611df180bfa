import Glibc
import Potluck
import PotluckCore
import PotluckSystem

/// Accepts requests of other commands of the same user on this machine, over a Unix socket.
final class ControlDoor: Sendable {
    /// How often the times of the socket's file are renewed. A file that nobody touches is removed: by another machine
    /// after a month (`StateDirectory.removeOldControls`), from /tmp by systemd after ten days. In `XDG_RUNTIME_DIR` it
    /// is safe for six hours.
    static let renewal = Duration.seconds(3600)
    /// The refusal of a request that this version does not know.
    static let unknown = "the node has another version of potluck and does not know this request; restart the node"
    /// The same for a program that does not know these messages: in text, as earlier versions spoke.
    private static let unknownText = Array("refused\n\(unknown)".utf8)

    private let path: String

    /// Starts to listen. `answer` is called for each request; it returns nil if the node is shutting down. If it returns
    /// `events`, it has sent that answer itself, and owns the socket.
    init(
        _ directory: StateDirectory, _ session: SessionID, renewing interval: Duration = ControlDoor.renewal,
        answer: @escaping @Sendable (LocalRequest, LocalSocket) async -> LocalMessage?
    ) throws(Failure) {
        directory.removeOldControls()
        let path = directory.newControl(session)
        self.path = path
        let socket = try LocalSocket.listening(at: path)
        // Use a separate thread, because `accepted` blocks.
        let thread = SystemThread(for: "the requests of other commands") {
            let clock = BootClock()
            var next = clock.now + interval
            while true {
                if clock.now >= next {
                    utimensat(AT_FDCWD, path, nil, 0)
                    next = clock.now + interval
                }
                guard let guest = socket.accepted() else {
                    // A timeout, another user, or no free file descriptors. All of these pass, so retry.
                    usleep(10_000)
                    continue
                }
                Self.serve(guest, answer)
            }
        }
        thread.detach()
    }

    private static func serve(
        _ guest: LocalSocket, _ answer: @escaping @Sendable (LocalRequest, LocalSocket) async -> LocalMessage?
    ) {
        guard let request = LocalRequest(from: guest) else {
            guest.finish([unknownText])
            return guest.end()
        }
        // A user who was told that this node does not answer does not expect that it obeys later.
        guard !guest.isAbandoned else { return guest.end() }
        Task.detached {
            let answer = await answer(request, guest) ?? .refused("the node is shutting down")
            if case .events = answer { return }
            guest.finish([answer.frame])
            guest.end()
        }
    }

    /// Removes the socket's file, so that commands no longer find the node.
    func close() { unlink(path) }
}
