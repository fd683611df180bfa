import CLinux
import Glibc
import PotluckCore

// Incoming connections, until they become links.
extension SocketTransport {
    /// The response to HTTP requests.
    private static let answer = """
        HTTP/1.1 404 Not Found\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Length: 37\r
        Connection: close\r
        \r
        This is a Potluck node, no web page.\n
        """

    func open(_ listener: Listener) {
        self.listener = listener
        watch(listener, isNew: true)
    }

    func accept(at now: Instant) {
        guard let listener else { return }
        for _ in 0..<LinkLimits.acceptsPerTurn {
            switch Socket.accept(listener.descriptor) {
            case .connection(let descriptor, let remote): welcome(descriptor, remote, at: now)
            case .skipped: continue
            case .nothing: return
            case .outOfDescriptors(let reason):
                if let remote = listener.turnAwayOne() { refuse(remote, .tooMany, at: now) }
                return pause(listener, reason, at: now)
            case .outOfMemory(let reason): return pause(listener, reason, at: now)
            }
        }
    }

    private func pause(_ listener: Listener, _ reason: String, at now: Instant) {
        log.warning("cannot accept connections: \(reason); retrying")
        listener.pausedUntil = now + LinkLimits.acceptPause
        watch(listener, isNew: false)
        look(at: now + LinkLimits.acceptPause)
    }

    func resumeAccepting() {
        guard let listener else { return }
        listener.pausedUntil = nil
        watch(listener, isNew: false)
    }

    private func welcome(_ descriptor: Int32, _ remote: Endpoint, at now: Instant) {
        let connection = add(descriptor, remote, .unknown, until: now + LinkLimits.handshake)
        guard connections.count <= capacity,
            case .admitted(let gone) = door.keeper.admit(connection.tag, from: remote.octets, at: now)
        else {
            remove(connection)
            return refuse(remote, .tooMany, at: now)
        }
        connection.isStranger = true
        if let gone, let other = connections[gone] {
            // It has already lost its place at the doorkeeper.
            other.isStranger = false
            if case .text = other.phase { endText(other, at: now) } else { remove(other) }
        }
        watch(connection, for: EPOLLIN.rawValue)
    }

    /// Distinguishes TLS from HTTP by the first byte, which stays in the socket.
    func recognise(_ connection: Connection, at now: Instant) {
        guard let came = Socket.peek(connection.descriptor) else { return }
        switch came {
        case nil:
            // Discovery probes in this way whether a node is listening.
            part(connection, .nothing, at: now)
        case 0x16?:
            guard door.keeper.mayAttemptHandshake(connection.tag, at: now) else {
                refuse(connection.remote, .tooMany, at: now)
                return part(connection, .nothing, at: now)
            }
            let tls = TLSSession(context, descriptor: connection.descriptor, side: .accepted, at: now)
            shake(connection, tls, nil, at: now)
        case .some(UInt8(ascii: "A")...UInt8(ascii: "Z")):
            if let texts = door.texts { text(connection, to: texts, at: now) } else { answer(connection, at: now) }
        default:
            refuse(connection.remote, .noKey, at: now)
            part(connection, .nothing, at: now)
        }
    }

    private func answer(_ connection: Connection, at now: Instant) {
        // It counts until it is closed, because a client may connect faster than connections drain.
        door.keeper.serve(connection.tag)
        // A new connection's buffer has room for it. If it has not, the connection is about to close anyway.
        _ = Self.answer.utf8.withContiguousStorageIfAvailable {
            Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        drain(connection, at: now)
    }

    /// Call it when an accepted connection became a link or must be closed. Closes it in the second case.
    func part(_ connection: Connection, _ outcome: Doorkeeper.Outcome, at now: Instant) {
        if connection.isStranger { door.keeper.leave(connection.tag, outcome, at: now) }
        connection.isStranger = false
        if case .knewTheCode = outcome { return }
        remove(connection)
    }

    func refuse(_ remote: Endpoint, _ refusal: Refusal, at now: Instant) {
        var allowance = door.refusals ?? Allowance(LinkLimits.refusalReports, at: now)
        if allowance.take(at: now) { emit(.refused(remote, refusal)) }
        door.refusals = allowance
    }
}
