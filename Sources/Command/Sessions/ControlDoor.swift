import Glibc
import PotluckCore
import PotluckSystem

/// Accepts requests of other commands of the same user on this machine, over a Unix socket.
final class ControlDoor: Sendable {
    /// How often the times of the socket's file are renewed. A file that nobody touches is removed: by another machine
    /// after a month (`StateDirectory.removeOldControls`), from /tmp by systemd after ten days. In `XDG_RUNTIME_DIR` it
    /// is safe for six hours.
    static let renewal = Duration.seconds(3600)

    private let path: String

    /// Starts to listen. `answer` is called for each request; it returns nil if the node is shutting down.
    init(
        _ directory: StateDirectory, _ session: SessionID, renewing interval: Duration = ControlDoor.renewal,
        answer: @escaping @Sendable (ControlRequest, LocalSocket) async -> ControlAnswer?
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
        _ guest: LocalSocket, _ answer: @escaping @Sendable (ControlRequest, LocalSocket) async -> ControlAnswer?
    ) {
        guard let text = guest.readAll(limit: ControlRequest.maximumLength), let request = ControlRequest(text) else {
            guest.finish(
                ControlAnswer.refused(
                    "the node has another version of potluck and does not know this request; restart the node"
                ).text)
            return guest.end()
        }
        Task.detached {
            switch await answer(request, guest) ?? .refused("the node is shutting down") {
            // The feed now owns the socket and has already answered.
            case .streams: break
            case let answer:
                guest.finish(answer.text)
                guest.end()
            }
        }
    }

    /// Removes the socket's file, so that commands no longer find the node.
    func close() { unlink(path) }
}

extension StateDirectory {
    /// Sends the request to the session's nodes on this machine, one after the other, until one does it. Throws if none
    /// does.
    func ask(_ request: ControlRequest, of typed: SessionID) throws -> String {
        let session = running(typed) ?? typed
        switch try attempt(request, of: session) {
        case .done(let text), .streams(let text): return text
        case .refused(let text): throw Failure(message: text)
        case nil:
            throw Failure(
                message:
                    "no node of \(session.name) runs on this machine; start one with 'potluck serve', 'join' or 'peer', or give "
                    + "the --state DIR of a running one")
        }
    }

    static func silent(_ session: SessionID) -> String {
        "the node of \(session.name) on this machine does not answer; it may be suspended"
    }

    /// Like `ask`, but returns nil if no node of the session runs on this machine.
    func attempt(_ request: ControlRequest, of session: SessionID) throws -> ControlAnswer? {
        var refusal: String?
        for path in controls(session) {
            if let text = answer(to: request, of: path, session, &refusal) { return .done(text) }
        }
        return refusal.map { .refused($0) }
    }

    /// The answers of all nodes of the session on this machine, without refusals.
    func answers(to request: ControlRequest, of session: SessionID) -> [String] {
        var refusal: String?
        return controls(session).compactMap { answer(to: request, of: $0, session, &refusal) }
    }

    /// The answer of the node behind a socket; nil if it refuses, does not answer or is gone.
    private func answer(
        to request: ControlRequest, of path: String, _ session: SessionID, _ refusal: inout String?
    ) -> String? {
        guard let socket = reach(path, &refusal) else { return nil }
        defer { socket.end() }
        let said = socket.finish(request.text) ? socket.readAll(limit: ControlRequest.maximumLength) : nil
        switch said.flatMap({ ControlAnswer($0) }) {
        case .done(let text)?, .streams(let text)?: return text
        case .refused(let text)?: refusal = text
        case nil: refusal = Self.silent(session)
        }
        return nil
    }

    /// Connects to a node at one of the `controls`. Returns nil if the node was killed (its file is then removed) or
    /// does not answer (then `refusal` says so).
    func reach(_ path: String, _ refusal: inout String?) -> LocalSocket? {
        do throws(Failure) {
            if let socket = try LocalSocket.connected(to: path, patience: patience) { return socket }
            unlink(path)
        } catch {
            refusal = error.message
        }
        return nil
    }
}
