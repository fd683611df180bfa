import Glibc
import PotluckSystem

/// A non-blocking socket, closed when it is released.
final class BeaconSocket {
    let descriptor: Int32

    /// Returns nil if the system provides no socket.
    init?(_ family: Int32, _ type: __socket_type) {
        descriptor = socket(family, Int32(type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    @discardableResult
    func set(_ level: Int, _ option: Int32, _ value: Int32) -> Bool {
        var value = value
        return setsockopt(descriptor, Int32(level), option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// Binds the socket. Returns the error number, or nil on success.
    func bind(_ octets: [UInt8], port: UInt16) -> Int32? {
        let status = SocketAddress.with(octets, port: port) { Glibc.bind(descriptor, $0, $1) }
        return status == 0 ? nil : errno
    }
}
