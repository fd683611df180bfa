import CLinux
import Glibc
import PotluckCore

/// The state of a connection in clear text.
final class TextFlow {
    /// The parts that the system has not taken yet, and how much of the first one it has.
    var waiting = Queue<[UInt8]>()
    var sent = 0
    /// The number of bytes that wait.
    var count = 0
    /// Whether the server of texts has closed it, and it only waits for the rest to be sent.
    var isClosing = false
    /// Whether it counts among the connections that were admitted.
    var isAdmitted = false
}

// Connections in clear text: browsers.
extension SocketTransport: TextChannels {
    /// Serves connections in clear text from now on. Call it before `listen`.
    public nonisolated func serve(_ texts: any TextServer) { serve(texts, patience: LinkLimits.textPatience) }

    package nonisolated func serve(_ texts: any TextServer, patience: Duration) {
        perform { transport in
            transport.door.texts = texts
            transport.door.keeper = Doorkeeper(.withTexts)
            transport.door.patience = patience
            texts.begin(transport)
        }
    }

    func text(_ connection: Connection, to texts: any TextServer, at now: Instant) {
        guard let local = Socket.local(of: connection.descriptor) else { return part(connection, .nothing, at: now) }
        connection.phase = .text(TextFlow())
        connection.deadline = .distantFuture
        watch(connection, for: EPOLLIN.rawValue)
        texts.opened(TextID(connection.tag), from: connection.remote, at: local, now: now)
        if connections[connection.tag] != nil { readText(connection, at: now) }
    }

    func readText(_ connection: Connection, at now: Instant) {
        let count = recv(connection.descriptor, scratch.incoming.baseAddress, LinkLimits.textRead, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard case .text(let flow) = connection.phase else { return }
        guard count > 0 else { return endText(connection, at: now) }
        // Bytes after the end are ignored.
        if flow.isClosing { return }
        if connection.isStranger { door.keeper.serve(connection.tag, false) }
        door.texts?.received(Array(scratch.incoming[..<count]), on: TextID(connection.tag), now: now)
    }

    /// Ends a connection that broke, that its other end closed, or that takes nothing.
    func endText(_ connection: Connection, at now: Instant) {
        guard case .text(let flow) = connection.phase else { return }
        remove(connection)
        if !flow.isClosing { door.texts?.closed(TextID(connection.tag), now: now) }
    }

    /// Sends the bytes that wait. Returns false if the system does not take all of them, or if the connection is
    /// broken.
    @discardableResult func flushText(_ connection: Connection, _ flow: TextFlow, at now: Instant) -> Bool {
        while let first = flow.waiting.first {
            let written = first.withUnsafeBytes {
                Glibc.send(
                    connection.descriptor, $0.baseAddress?.advanced(by: flow.sent), $0.count - flow.sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard written >= 0 else {
                guard errno == EAGAIN || errno == EINTR else {
                    endTextLater(connection, at: now)
                    return false
                }
                wait(connection, flow, at: now)
                return false
            }
            // Something moves, so the connection has its full time again.
            if connection.deadline != .distantFuture, !flow.isClosing { connection.deadline = .distantFuture }
            flow.sent += written
            flow.count -= written
            if flow.sent == first.count {
                flow.waiting.removeFirst()
                flow.sent = 0
            }
        }
        if !flow.isClosing { connection.deadline = .distantFuture }
        watch(connection, for: EPOLLIN.rawValue)
        return true
    }

    private func wait(_ connection: Connection, _ flow: TextFlow, at now: Instant) {
        if !flow.isClosing, connection.deadline == .distantFuture {
            connection.deadline = now + door.patience
            look(at: connection.deadline)
        }
        watch(connection, for: EPOLLIN.rawValue | EPOLLOUT.rawValue)
    }

    /// Ends a connection at the next look at the deadlines, because its server may be in the middle of a call.
    private func endTextLater(_ connection: Connection, at now: Instant) {
        connection.deadline = now
        watch(connection, for: 0)
        look(at: now)
    }

    /// The socket takes bytes again.
    func drainText(_ connection: Connection, at now: Instant) {
        guard case .text(let flow) = connection.phase, !flow.waiting.isEmpty,
            flushText(connection, flow, at: now)
        else { return }
        if flow.isClosing { drain(connection, at: now) } else { door.texts?.drained(TextID(connection.tag), now: now) }
    }

    private func flow(of id: TextID) -> (Connection, TextFlow)? {
        guard let connection = connections[id.number], case .text(let flow) = connection.phase, !flow.isClosing else {
            return nil
        }
        return (connection, flow)
    }

    // MARK: Calls of the server

    public nonisolated func send(_ parts: [[UInt8]], on id: TextID) -> Bool {
        assumeIsolated { $0.sendText(parts, on: id) }
    }

    private func sendText(_ parts: [[UInt8]], on id: TextID) -> Bool {
        guard let (connection, flow) = flow(of: id) else { return false }
        let isFree = flow.waiting.isEmpty
        for part in parts where !part.isEmpty {
            flow.waiting.append(part)
            flow.count += part.count
        }
        guard flow.count <= LinkLimits.textBacklog else {
            endTextLater(connection, at: now)
            return false
        }
        return isFree ? flushText(connection, flow, at: now) : false
    }

    public nonisolated func close(_ id: TextID) { assumeIsolated { $0.closeText(id) } }

    private func closeText(_ id: TextID) {
        guard let (connection, flow) = flow(of: id) else { return }
        if connection.isStranger { door.keeper.serve(connection.tag) }
        leaveAdmitted(flow)
        flow.isClosing = true
        if flow.waiting.isEmpty { return drain(connection, at: now) }
        connection.deadline = now + LinkLimits.close
        look(at: connection.deadline)
    }

    public nonisolated func admit(_ id: TextID) -> Bool { assumeIsolated { $0.admitText(id) } }

    private func admitText(_ id: TextID) -> Bool {
        guard let (connection, flow) = flow(of: id), !flow.isAdmitted, door.admitted < mostTexts else { return false }
        door.admitted += 1
        flow.isAdmitted = true
        if connection.isStranger { door.keeper.leave(connection.tag, .nothing, at: now) }
        connection.isStranger = false
        return true
    }

    public nonisolated func answered(_ id: TextID) {
        assumeIsolated { if $0.connections[id.number]?.isStranger == true { $0.door.keeper.serve(id.number) } }
    }

    /// The most browsers with a ticket. Links have the rest of the descriptors.
    private var mostTexts: Int { min(LinkLimits.texts, capacity / 2) }

    func leaveAdmitted(_ flow: TextFlow) {
        if flow.isAdmitted { door.admitted -= 1 }
        flow.isAdmitted = false
    }
}
