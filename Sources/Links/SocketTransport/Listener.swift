import Glibc
import PotluckModel

/// The port that takes connections.
final class Listener {
    /// Its place among the connections' tags, which begin with 1.
    static let tag: UInt32 = 0

    let descriptor: Int32
    /// After an `accept` that failed for want of something.
    var pausedUntil: Instant?
    /// A descriptor to give up when there are no others: with it the next connection can be taken and closed. Left in the
    /// queue, it would keep the loop spinning and its owner waiting.
    private var spare: Int32

    /// Opens a port, and the spare descriptor with it: later there may be none to be had.
    init(_ choice: PortChoice) throws(ListenFailure) {
        descriptor = try Self.open(choice)
        spare = Self.openSpare()
    }

    deinit {
        close(descriptor)
        if spare >= 0 { close(spare) }
    }

    /// Takes the first connection in the queue by means of the spare descriptor, and closes it.
    func turnAwayOne() -> Endpoint? {
        if spare >= 0 { close(spare) }
        defer { spare = Self.openSpare() }
        guard case .connection(let connection, let remote) = Socket.accept(descriptor) else { return nil }
        close(connection)
        return remote
    }

    /// Negative where there is none.
    private static func openSpare() -> Int32 { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }

    private static func open(_ choice: PortChoice) throws(ListenFailure) -> Int32 {
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

    private static func everywhere(_ port: UInt16) throws(ListenFailure) -> Int32 {
        do { return try Socket.listen(on: endpoint([UInt8](repeating: 0, count: 16), port)) } catch {
            // A machine without IPv6.
            guard case .failed = error else { throw error }
            return try Socket.listen(on: endpoint([0, 0, 0, 0], port))
        }
    }

    private static func endpoint(_ octets: [UInt8], _ port: UInt16) -> Endpoint {
        guard let endpoint = Endpoint(octets: octets, port: port) else { preconditionFailure("not an address") }
        return endpoint
    }
}
