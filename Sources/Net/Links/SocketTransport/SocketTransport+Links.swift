import CLinux
import Glibc
import PotluckCore

// Handshakes, open links and their ends.
extension SocketTransport {
    func ready(_ connection: Connection, _ events: UInt32, at now: Instant) {
        switch connection.phase {
        case .connecting(let dial): connected(connection, dial, at: now)
        case .unknown: recognise(connection, at: now)
        case .shaking(let tls, let dial): shake(connection, tls, dial, at: now)
        case .open, .leaving:
            if events & EPOLLOUT.rawValue != 0 { markDirty(connection) }
            if events & ~EPOLLOUT.rawValue != 0 { read(connection, at: now) }
        case .text:
            if events & EPOLLOUT.rawValue != 0 { drainText(connection, at: now) }
            if events & ~EPOLLOUT.rawValue != 0, connections[connection.tag] != nil { readText(connection, at: now) }
        case .draining: drain(connection, at: now)
        }
    }

    // MARK: Opening

    func shake(_ connection: Connection, _ tls: TLSSession, _ dial: Dial?, at now: Instant) {
        connection.phase = .shaking(tls, dial)
        switch tls.shake() {
        case .needsRead: watch(connection, for: EPOLLIN.rawValue)
        case .needsWrite: watch(connection, for: EPOLLIN.rawValue | EPOLLOUT.rawValue)
        case .done: open(connection, tls, dial, at: now)
        case .failed(let failure):
            if let dial {
                fail(connection, dial, Self.dialFailure(failure), at: now)
            } else {
                refuse(connection, failure, at: now)
            }
        }
    }

    private static func dialFailure(_ failure: TLSSession.Failure) -> DialFailure {
        switch failure {
        case .wrongCode: .wrongCode
        case .noKey: .otherSession
        case .hungUp: .turnedAway
        case .strange: .notPotluck
        }
    }

    private func refuse(_ connection: Connection, _ failure: TLSSession.Failure, at now: Instant) {
        switch failure {
        case .wrongCode:
            refuse(connection.remote, .wrongCode, at: now)
            part(connection, .wrongCode, at: now)
        case .noKey, .strange:
            refuse(connection.remote, .noKey, at: now)
            part(connection, .nothing, at: now)
        case .hungUp:
            // Probably the connection that lost the race between this node's addresses.
            part(connection, .nothing, at: now)
        }
    }

    private func open(_ connection: Connection, _ tls: TLSSession, _ dial: Dial?, at now: Instant) {
        guard let binding = tls.binding() else {
            if let dial { fail(connection, dial, .notPotluck, at: now) } else { part(connection, .nothing, at: now) }
            return
        }
        let link = nextLink()
        connection.phase = .open(link, tls)
        connection.core = LinkCore(at: now, asksFirst: dial != nil)
        links[link] = connection
        look(at: connection.due)
        if let dial {
            dials[dial.id] = nil
            dial.attempts.remove(connection.tag)
            drop(dial)
        } else {
            part(connection, .knewTheCode, at: now)
        }
        watch(connection, for: EPOLLIN.rawValue)
        let origin = dial.map { LinkOrigin.dialled($0.id) } ?? .accepted
        emit(.opened(link, origin, remote: connection.remote, binding: binding))
        // TLS may have read bytes beyond the handshake.
        read(connection, at: now)
    }

    // MARK: Reading and writing

    func read(_ connection: Connection, at now: Instant) {
        guard let tls = connection.tls else { return }
        var budget = LinkLimits.readPerTurn
        while budget > 0 {
            let transfer: TLSSession.Transfer
            do throws(LinkError) { transfer = try tls.read(into: scratch.incoming, at: now) } catch {
                return end(connection, .misbehaved(error.what))
            }
            switch transfer {
            case .octets(let count):
                budget -= max(count, LinkLimits.readCost)
                let octets = UnsafeRawBufferPointer(rebasing: scratch.incoming[..<count])
                var fault: LinkError?
                do throws(LinkError) { try connection.core.receive(octets, at: now, into: &news) } catch {
                    fault = error
                }
                deliver(connection)
                if let fault { end(connection, .misbehaved(fault.what)) }
                if connections[connection.tag] == nil { return }
                if tls.isEmpty {
                    // Another read would cost a system call, and epoll reports when there is more.
                    connection.core.returnCredit()
                    return markDirty(connection)
                }
            case .wouldBlock:
                connection.core.returnCredit()
                markDirty(connection)
                return
            case .ended, .broken: return end(connection, .lost)
            }
        }
        connection.core.returnCredit()
        markDirty(connection)
        unread.append(connection)
    }

    private func deliver(_ connection: Connection) {
        let news = news
        self.news.removeAll(keepingCapacity: news.count <= 16)
        for item in news {
            guard let link = connection.link else {
                // The owner has left. Only the peer's own farewell matters, which ends the waiting.
                if case .farewell = item { end(connection, .lost) }
                continue
            }
            switch item {
            case .message(let message): emit(.received(link, message))
            case .roundTrip(let time): emit(.roundTrip(link, time))
            case .farewell(let farewell): end(connection, .closedThere(farewell))
            }
        }
    }

    /// Writes until the socket's buffer or the peer's credit is used up, or until everything is sent.
    func flush(_ connection: Connection) {
        guard let tls = connection.tls else { return }
        if case .shaking = connection.phase { return }
        var isBlocked = false
        while !isBlocked {
            let isRetry = !connection.pending.isEmpty
            let outcome: TLSSession.Transfer
            var count = 0
            if isRetry {
                outcome = connection.pending.withUnsafeBytes {
                    tls.write(UnsafeRawBufferPointer(rebasing: $0[connection.pendingStart...]))
                }
            } else {
                count = connection.core.fill(scratch.outgoing)
                if count == 0 { break }
                outcome = tls.write(UnsafeRawBufferPointer(rebasing: scratch.outgoing[..<count]))
            }
            switch outcome {
            case .octets(let written):
                if isRetry {
                    connection.pendingStart += written
                    if connection.pendingStart == connection.pending.count {
                        connection.pending = []
                        connection.pendingStart = 0
                    }
                } else if written < count {
                    connection.pending = Array(scratch.outgoing[written..<count])
                }
            case .wouldBlock:
                if !isRetry { connection.pending = Array(scratch.outgoing[..<count]) }
                isBlocked = true
            case .ended, .broken: return end(connection, .lost)
            }
        }
        watch(connection, for: isBlocked ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue)
        if let link = connection.link, connection.core.takeDrained() { emit(.drained(link)) }
        if case .leaving = connection.phase, !isBlocked, connection.core.outflow.isFinished {
            tls.end()
            drain(connection, at: now)
        }
    }

    // MARK: Closing

    /// Closes a link on behalf of its owner.
    func leave(_ link: LinkID, _ farewell: Farewell) {
        guard let connection = links.removeValue(forKey: link), let tls = connection.tls else { return }
        connection.core.end(farewell)
        connection.phase = .leaving(tls)
        connection.deadline = now + LinkLimits.close
        look(at: connection.deadline)
        markDirty(connection)
        emit(.closed(link, .closedHere(farewell)))
    }

    /// Ends a connection that failed or that the peer closed. Reports the end,
    /// unless the owner has already closed the link.
    func end(_ connection: Connection, _ reason: LinkEnd) {
        let link = connection.link
        if case .closedThere = reason { connection.tls?.end() }
        remove(connection)
        guard let link else { return }
        links[link] = nil
        emit(.closed(link, reason))
    }

    /// Shuts down sending and waits for the other end to close.
    func drain(_ connection: Connection, at now: Instant) {
        if case .draining = connection.phase {
        } else {
            connection.phase = .draining
            connection.deadline = now + LinkLimits.close
            look(at: connection.deadline)
            watch(connection, for: EPOLLIN.rawValue)
            shutdown(connection.descriptor, Int32(SHUT_WR))
        }
        var budget = LinkLimits.readPerTurn
        while budget > 0 {
            let count = recv(connection.descriptor, scratch.incoming.baseAddress, scratch.incoming.count, 0)
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            if count <= 0 { return remove(connection) }
            budget -= count
        }
    }

    /// Handles a connection whose time is over.
    func expire(_ connection: Connection, at now: Instant) {
        switch connection.phase {
        case .connecting(let dial): fail(connection, dial, .timedOut, at: now)
        case .unknown: part(connection, .nothing, at: now)
        case .shaking(_, let dial?): fail(connection, dial, .notPotluck, at: now)
        case .shaking(_, nil):
            refuse(connection.remote, .timedOut, at: now)
            part(connection, .nothing, at: now)
        case .open:
            let descriptor = connection.descriptor
            switch connection.core.judge(at: now, slow: { Socket.isSlow(descriptor) }) {
            case .alive: markDirty(connection)
            case .silent: end(connection, .silent)
            }
        case .text: endText(connection, at: now)
        case .leaving, .draining: remove(connection)
        }
    }
}
