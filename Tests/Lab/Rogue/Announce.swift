import Glibc
import Potluck
import PotluckCore
import PotluckNet
import PotluckSystem

/// Announces a node that takes no part in a session, and prints the nodes nearby as `potluck browse --json` does.
enum Announcer {
    /// Never returns. SIGINT and SIGTERM end it with a goodbye.
    static func run(_ session: String, _ options: [String]) throws {
        // Before the first thread: threads inherit the signal mask.
        Interrupts.begin()
        guard let session = SessionID(session), let door = Door() else { Rogue.fail("no such session, or no TCP port") }
        func value(of option: String) -> String? {
            options.firstIndex(of: option).flatMap { options.indices.contains($0 + 1) ? options[$0 + 1] : nil }
        }
        let isHidden = options.contains("--hidden")
        let announcement = Announcement(
            node: Identity().node, mode: .peer, sessionHash: session.hash, session: isHidden ? nil : session,
            name: isHidden ? nil : value(of: "--name") ?? "rogue", port: door.port)
        let discovery = NetworkDiscovery(
            DiscoverySetup(
                node: announcement.node, scope: .session(session.hash), key: SessionRoot(openTo: session).beacon,
                seed: UInt64.random(in: 0...UInt64.max)),
            options: DiscoveryOptions(
                interface: value(of: "--interface"), usesMDNS: !options.contains("--no-mdns"),
                usesBeacon: !options.contains("--no-beacon"),
                beaconPort: Environment["POTLUCK_BEACON_PORT"].flatMap { UInt16($0) }
                    ?? DiscoveryOptions.standardBeaconPort))
        Interrupts.stop { discovery.stop() }
        let start: JSON = .object(
            NodeJSON.start("announcing") + [
                ("node", .string("\(announcement.node)")), ("session", .string(session.name)),
                ("port", JSON(Int(door.port))),
            ])
        try Output.write(start.text + "\n")
        discovery.announce(announcement)
        Task.detached {
            for await change in discovery.changes() {
                try Output.write(NodeJSON.value(change, now: discovery.now).text + "\n")
            }
            leave(Interrupts.asked ?? .success)
        }
        Interrupts.wait()
    }
}

/// A TCP listener that accepts each connection and closes it at once, so that the announced port answers.
private final class Door: Sendable {
    let port: UInt16

    /// Returns nil if no port can be opened; `errno` then has the reason.
    init?() {
        // An IPv6 socket also accepts IPv4. Without IPv6 in the kernel, use IPv4 alone.
        guard let (descriptor, port) = Self.listen(AF_INET6) ?? Self.listen(AF_INET) else { return nil }
        self.port = port
        SystemThread(for: "taking connections") {
            while true {
                let connection = accept(descriptor, nil, nil)
                if connection >= 0 { close(connection) } else if errno == EMFILE { sleep(1) }
            }
        }.detach()
    }

    private static func listen(_ family: Int32) -> (Int32, port: UInt16)? {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        // Listening without `bind` lets the system pick a free port.
        guard Glibc.listen(descriptor, 16) == 0 else {
            close(descriptor)
            return nil
        }
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        // The port is at the same offset in the addresses of both families.
        guard status == 0 else { return nil }
        return (descriptor, UInt16(bigEndian: address.sin6_port))
    }
}
