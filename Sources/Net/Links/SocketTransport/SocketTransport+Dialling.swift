import CLinux
import Glibc
import PotluckCore

// Outgoing connections, until they become links.
extension SocketTransport {
    func begin(_ id: DialNumber, _ candidates: [Candidate]) {
        guard dials[id] == nil, dials.count < LinkLimits.dials else { return emit(.dialFailed(id, .notTried)) }
        let now = now
        let dial = Dial(id, candidates, at: now)
        dials[id] = dial
        for case .host(let host, let port) in candidates { look(up: host, port, for: id) }
        advance(dial, at: now)
    }

    private func look(up host: String, _ port: UInt16, for id: DialNumber) {
        let finished = later { $0.resolver.finished() }
        resolver.look(up: host, port: port, done: finished) { result in
            self.later { $0.found(result, host, for: id) }()
        }
    }

    private func found(_ result: Result<[Endpoint], Resolver.LookupError>, _ host: String, for id: DialNumber) {
        guard let dial = dials[id] else { return }
        switch result {
        case .success(let endpoints): dial.eyeballs.found(endpoints)
        case .failure(.unknown): dial.eyeballs.notFound(.unknownHost(host))
        case .failure(.busy): dial.eyeballs.notFound(.notTried)
        }
        advance(dial, at: now)
    }

    /// Starts the attempts that are due, and ends the dial if none is left.
    func advance(_ dial: Dial, at now: Instant) {
        while let endpoint = dial.eyeballs.next(at: now) {
            // Many addresses that do not answer must leave room for incoming connections.
            guard connections.count < capacity - LinkLimits.strangers else {
                dial.eyeballs.failed(.notTried, at: now)
                continue
            }
            guard let descriptor = Socket.connect(to: endpoint) else {
                dial.eyeballs.failed(.unreachable, at: now)
                continue
            }
            let connection = add(descriptor, endpoint, .connecting(dial), until: now + LinkLimits.connect)
            dial.attempts.insert(connection.tag)
            watch(connection, for: EPOLLOUT.rawValue)
        }
        guard dial.eyeballs.isOver(at: now) else { return look(at: dial.eyeballs.due) }
        dials[dial.id] = nil
        drop(dial)
        emit(.dialFailed(dial.id, dial.eyeballs.verdict(at: now)))
    }

    /// Closes all attempts of a dial that is over. An attempt that became a link is no longer among them.
    func drop(_ dial: Dial) {
        for tag in dial.attempts { if let connection = connections[tag] { remove(connection) } }
        dial.attempts = []
    }

    func connected(_ connection: Connection, _ dial: Dial, at now: Instant) {
        switch Socket.error(of: connection.descriptor) {
        case 0:
            dial.eyeballs.connected(at: now)
            connection.deadline = now + LinkLimits.handshake
            look(at: connection.deadline)
            let tls = TLSSession(context, descriptor: connection.descriptor, side: .dialled, at: now)
            shake(connection, tls, dial, at: now)
        case ETIMEDOUT: fail(connection, dial, .timedOut, at: now)
        default: fail(connection, dial, .unreachable, at: now)
        }
    }

    func fail(_ connection: Connection, _ dial: Dial, _ reason: DialFailure, at now: Instant) {
        remove(connection)
        dial.attempts.remove(connection.tag)
        dial.eyeballs.failed(reason, at: now)
        if dials[dial.id] === dial { advance(dial, at: now) }
    }
}
