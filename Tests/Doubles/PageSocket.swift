import Glibc
import PotluckCore
import PotluckNet
import PotluckSystem

/// A page on a blocking socket. It is no browser, and speaks as one: it answers each ping that it reads. Only one
/// thread at a time uses it.
package final class PageSocket: @unchecked Sendable {
    package let descriptor: Int32
    package let port: UInt16
    package var side: PageSide
    private var arrivals: [PageSide.Arrival] = []
    /// Why nothing more can be understood.
    private var fault: PageSide.Confused?

    /// Connects to a port of this machine.
    package init(
        to port: UInt16, _ ticket: PageTicket, device: DeviceSecret? = nil, patience seconds: Int = 120,
        buffer: Int32? = nil
    ) {
        self.port = port
        side = PageSide(ticket, device: device)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // A test that fails is more useful than one that waits forever.
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if var size = buffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }

    package var host: String { "127.0.0.1:\(port)" }

    package func send(_ octets: [UInt8]) {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    package func say(_ message: PageMessage) { send(side.say(message)) }

    /// Returns the next arrival; nil at the end of the connection.
    package func next() throws -> PageSide.Arrival? {
        while arrivals.isEmpty, fault == nil, read() {}
        if !arrivals.isEmpty { return arrivals.removeFirst() }
        if let fault { throw fault }
        return nil
    }

    /// Waits for something to arrive, reads it, and answers a ping. Returns false at the end of the connection, and if
    /// the gateway broke a rule.
    private func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        do throws(PageSide.Confused) {
            let news = try side.read(Array(buffer[..<count]))
            arrivals += news
            for case .message(let json) in news where json["is"]?.asString == "ping" { say(.pong) }
            return true
        } catch {
            fault = error
            return false
        }
    }

    /// Calls `body`, which does not use the page. Meanwhile a thread reads and answers pings, because a gateway closes
    /// a page that is silent for long.
    package func attended<Result>(_ body: () throws -> Result) rethrows -> Result {
        var ends: [Int32] = [0, 0]
        let status = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        precondition(status == 0, "cannot create a pair of sockets")
        let (ours, theirs) = (ends[0], ends[1])
        let thread = SystemThread(for: "a page") { self.attend(until: theirs) }
        defer {
            close(ours)
            thread.join()
            close(theirs)
        }
        return try body()
    }

    /// Reads until the other end of `stop` is closed, or until the connection ends.
    private func attend(until stop: Int32) {
        var waits = [descriptor, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            let count = poll(&waits, nfds_t(waits.count), -1)
            if count < 0, errno == EINTR { continue }
            guard count > 0, waits[1].revents == 0, read() else { return }
        }
    }

    /// Opens the WebSocket and joins. Returns nil, or the code with which the gateway closed.
    package func join(_ name: String, client: UInt8 = 1) throws -> UInt16? {
        send(PageSide.handshake(host: host))
        while let arrival = try next() {
            switch arrival {
            case .answer(status: 101, _): send(side.hello)
            case .challenged: send(side.join(name, client: client))
            case .message(let json) where json["is"]?.asString == "welcome": return nil
            case .closed(let code): return code
            case .answer(let status, _): return UInt16(status)
            case .message, .ping: break
            }
        }
        return 0
    }

    /// Returns the next message of a kind; nil if the connection ends before.
    package func message(_ kind: String) throws -> JSON? {
        while let arrival = try next() {
            if case .message(let json) = arrival, json["is"]?.asString == kind { return json }
        }
        return nil
    }

    /// Returns the code with which the gateway closes; nil if the connection ends without one.
    package func closed() throws -> UInt16? {
        while let arrival = try next() { if case .closed(let code) = arrival { return code } }
        return nil
    }
}
