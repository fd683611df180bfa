import Glibc
import PotluckCore
import PotluckSystem

/// A free port on loopback, which receives the nodes' beacons.
struct Ear {
    private let socket: Int32
    let port: UInt16

    init?() {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard SocketAddress.with([0, 0, 0, 0], port: 0, { bind(socket, $0, $1) }) == 0 else { return nil }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        guard let port = SocketAddress.endpoint(storage)?.port, port != 0 else { return nil }
        (self.socket, self.port) = (socket, port)
    }

    /// Waits for a question and another beacon, and returns both. Closes the socket.
    func listen() -> [[UInt8]] {
        defer { close(socket) }
        var heard: [Bool: [UInt8]] = [:]
        var octets = [UInt8](repeating: 0, count: 512)
        while heard.count < 2 {
            let count = recv(socket, &octets, octets.count, 0)
            guard count > 0 else { fail("nothing is heard on loopback") }
            let beacon = Array(octets[0..<count])
            if BeaconPacket.isBeacon(beacon) { heard[BeaconPacket.isQuestion(beacon)] = beacon }
        }
        return Array(heard.values)
    }
}
