import Glibc
import PotluckCore
import PotluckSystem

/// Checks by TCP whether anything listens at an address. It sends no data.
struct Prober {
    private struct Attempt {
        let node: NodeID
        let socket: BeaconSocket
        let deadline: Instant
    }

    struct Result {
        let node: NodeID
        let answered: Bool
    }

    private var attempts: [Attempt] = []
    private var results: [Result] = []

    /// The descriptors to poll for writing.
    var descriptors: [Int32] { attempts.map(\.socket.descriptor) }

    /// The next deadline; nil if no attempt is in flight.
    var due: Instant? { attempts.map(\.deadline).min() }

    mutating func start(_ node: NodeID, _ endpoint: Endpoint, now: Instant) {
        guard let socket = BeaconSocket(endpoint.octets.count == 4 ? AF_INET : AF_INET6, SOCK_STREAM) else {
            results.append(Result(node: node, answered: false))
            return
        }
        let status = SocketAddress.with(endpoint) {
            connect(socket.descriptor, $0, $1)
        }
        if status == 0 || errno == EINPROGRESS {
            attempts.append(Attempt(node: node, socket: socket, deadline: now + Limits.probeTimeout))
        } else {
            results.append(Result(node: node, answered: false))
        }
    }

    /// Returns the results that are known by now.
    mutating func finish(now: Instant) -> [Result] {
        var open: [Attempt] = []
        for attempt in attempts {
            var state = pollfd(fd: attempt.socket.descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&state, 1, 0) > 0 {
                var error: Int32 = 0
                var length = socklen_t(MemoryLayout<Int32>.size)
                getsockopt(attempt.socket.descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
                results.append(Result(node: attempt.node, answered: error == 0))
            } else if attempt.deadline <= now {
                results.append(Result(node: attempt.node, answered: false))
            } else {
                open.append(attempt)
            }
        }
        attempts = open
        defer { results = [] }
        return results
    }
}
