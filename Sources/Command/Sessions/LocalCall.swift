import Glibc
import Potluck
import PotluckCore
import PotluckSystem

/// A connection to a node of this user on this machine that has accepted a request. Events may follow its answer.
final class LocalCall: Sendable {
    private let socket: LocalSocket
    private let frames = Guarded(LocalFrames())

    private init(_ socket: LocalSocket) { self.socket = socket }

    deinit { socket.end() }

    /// Makes a request of the node behind a socket. Returns nil if the node was killed; its file is then removed. Throws
    /// if it refuses or does not answer. After each timeout, waits longer only if `isPatient`.
    fileprivate static func make(
        _ request: LocalRequest, at path: String, _ session: String, patience: Duration, while isPatient: () -> Bool
    ) throws(Failure) -> (answer: LocalMessage, call: LocalCall)? {
        guard let socket = try LocalSocket.connected(to: path, patience: patience) else {
            unlink(path)
            return nil
        }
        let call = LocalCall(socket)
        let answer: LocalMessage?
        do {
            answer = request.send(over: socket) ? try call.frames.with { try socket.next(&$0, while: isPatient) } : nil
        } catch {
            throw Failure(
                message: "the node of \(session) on this machine has another version of potluck; restart the node")
        }
        switch answer {
        case nil:
            throw Failure(message: "the node of \(session) on this machine does not answer; it may be suspended")
        case .refused(let why): throw Failure(message: why.escapedForScreen(keeping: ["\n"]))
        case let answer?: return (answer, call)
        }
    }

    /// Waits for the next event. Returns nil when the node has ended or the call was given up. Only one thread may wait.
    /// Calls `isQuiet` whenever none has come for some seconds.
    func next(isQuiet: () -> Void = {}) -> LocalMessage? {
        try? frames.with {
            try socket.next(&$0) {
                isQuiet()
                return true
            }
        }
    }

    /// Makes `next` return nil. Any thread may call this.
    func giveUp() { socket.wake() }
}

extension StateDirectory {
    /// Makes a request of the session's nodes on this machine, one after the other, until one accepts it. Returns nil if
    /// none runs here, and throws if each of them refuses.
    func call(
        _ request: LocalRequest, of session: SessionID, while isPatient: () -> Bool = { false }
    ) throws(Failure) -> (answer: LocalMessage, call: LocalCall)? {
        var refusal: Failure?
        for path in controls(session) {
            do throws(Failure) {
                let made = try LocalCall.make(
                    request, at: path, session.name, patience: patience, while: isPatient)
                if let made { return made }
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
        return nil
    }

    /// Makes a request whose answer is a text, in which a node can hide nothing that controls the terminal. Returns nil
    /// if no node of the session runs on this machine.
    func attempt(_ request: LocalMessage, of session: SessionID) throws(Failure) -> String? {
        guard let (answer, _) = try call(LocalRequest(request), of: session) else { return nil }
        return if case .done(let text) = answer { text.escapedForScreen(keeping: ["\n"]) } else { "" }
    }

    /// Like `attempt`, for a request that only a node on this machine can do.
    func ask(_ request: LocalMessage, of typed: SessionID) throws(Failure) -> String {
        let session = running(typed) ?? typed
        if let text = try attempt(request, of: session) { return text }
        throw Failure(
            message:
                "no node of \(session.name) runs on this machine; start one with 'potluck serve', 'join' or 'peer', or give "
                + "the --state DIR of a running one")
    }

    /// The answers of the nodes at these sockets, without refusals.
    func answers(to request: LocalMessage, at paths: [String], of session: String) -> [LocalMessage] {
        paths.compactMap {
            try? LocalCall.make(LocalRequest(request), at: $0, session, patience: patience, while: { false })?.answer
        }
    }
}
