import Glibc
import PotluckCore
import PotluckNet
import PotluckSystem

/// `potluck announce`: announces a node that takes no part in a session, to try out a network. Hidden.
enum AnnounceCommand {
    private static let json = CommonOptions.jsonLines
    private static let duration = CommonOptions.duration
    private static let hidden = SessionArguments.hidden
    private static let name = SessionArguments.name

    static let verb = Verb(
        declaration: Command(
            "announce", "announce a node in an open session without taking part",
            positionals: [SessionArguments.session],
            options: [duration.declaration, name.declaration, hidden.declaration, json.declaration]
                + DiscoveryArguments.options, hidden: true), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let session = try DiscoveryArguments.session(arguments[0] ?? "")
        let options = try DiscoveryArguments.read(arguments)
        let duration = try arguments[duration]
        let name = try arguments[name] ?? Machine.name
        guard let door = Door() else {
            throw Failure(message: "cannot open a TCP port: \(String(cString: strerror(errno)))")
        }
        let announcement = Announcement(
            node: Identity().node, mode: .peer, sessionHash: session.hash,
            session: arguments[hidden] ? nil : session, name: arguments[hidden] ? nil : name, port: door.port)
        let setup = DiscoverySetup(
            node: announcement.node, scope: .session(session.hash), key: SessionRoot(openTo: session).beacon,
            seed: Machine.drawSeed())
        let discovery = NetworkDiscovery(setup, options: options)
        let watching = Watching(discovery, duration: duration)
        let isJSON = arguments[json] || isatty(STDOUT_FILENO) == 0
        if isJSON {
            let members: [(key: String, value: JSON)] = [
                ("node", .string("\(announcement.node)")), ("session", .string(session.name)),
                ("port", JSON(Int(door.port))),
            ]
            try Output.write(JSON.object(NodeJSON.start("announcing") + members).text + "\n")
        }
        discovery.announce(announcement)
        try await watching.run(asJSON: isJSON, showsSessions: false)
        return Interrupts.asked ?? .success
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
