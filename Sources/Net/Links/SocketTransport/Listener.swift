import Glibc
import PotluckCore

/// The port that accepts connections.
final class Listener {
    /// Its tag among the connections' tags, which start at 1.
    static let tag: UInt32 = 0

    let descriptor: Int32
    /// After `accept` failed for lack of memory or descriptors: when to accept again.
    var pausedUntil: Instant?
    /// A descriptor to close when no others are left, so that the next connection can be accepted and closed. In the
    /// queue, this connection would keep the loop spinning and its client waiting.
    private var spare: Int32

    /// Opens the port and the spare descriptor, which may not be available later.
    init(_ choice: PortChoice) throws(ListenError) {
        descriptor = try Self.open(choice)
        spare = Self.openSpare()
    }

    deinit {
        close(descriptor)
        if spare >= 0 { close(spare) }
    }

    /// Accepts the first connection in the queue, using the spare descriptor, and closes it.
    func turnAwayOne() -> Endpoint? {
        if spare >= 0 { close(spare) }
        defer { spare = Self.openSpare() }
        guard case .connection(let connection, let remote) = Socket.accept(descriptor) else { return nil }
        close(connection)
        return remote
    }

    /// Returns a negative number if there is none.
    private static func openSpare() -> Int32 { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }

    private static func open(_ choice: PortChoice) throws(ListenError) -> Int32 {
        switch choice {
        case .exactly(let port): return try everywhere(port)
        case .loopback: return try Socket.listen(on: endpoint([127, 0, 0, 1], 0))
        case .usual:
            for port in LinkLimits.usualPort..<LinkLimits.usualPort + LinkLimits.portsTried {
                do { return try everywhere(port) } catch {
                    guard case .taken = error else { throw error }
                }
            }
            return try everywhere(0)
        }
    }

    private static func everywhere(_ port: UInt16) throws(ListenError) -> Int32 {
        do { return try Socket.listen(on: endpoint([UInt8](repeating: 0, count: 16), port)) } catch {
            // The machine has no IPv6.
            guard case .failed = error else { throw error }
            return try Socket.listen(on: endpoint([0, 0, 0, 0], port))
        }
    }

    private static func endpoint(_ octets: [UInt8], _ port: UInt16) -> Endpoint {
        guard let endpoint = Endpoint(octets: octets, port: port) else { preconditionFailure("not an address") }
        return endpoint
    }
}
