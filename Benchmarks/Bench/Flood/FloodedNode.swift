import Glibc
import PotluckCore
import PotluckNet
import PotluckSystem

/// The flooded node, in a process of its own: it runs the normal discovery and prints a line for each change.
enum FloodedNode {
    static let session: SessionID = {
        guard let session = SessionID("Flood") else { fail("no session") }
        return session
    }()

    /// The key of the beacons, which everyone with the code can derive.
    static let key = SessionRoot(openTo: session).beacon

    static func run(port: UInt16, announces: Bool) async {
        let node = NodeID(firstOctetsOf: (0..<NodeID.length).map { _ in UInt8.random(in: 0...255) })
        let discovery = NetworkDiscovery(
            DiscoverySetup(
                node: node, scope: .session(session.hash), key: key, knocks: !announces,
                seed: UInt64.random(in: 0 ... .max)),
            options: DiscoveryOptions(interface: "lo", usesMDNS: false, beaconPort: port))
        if announces {
            discovery.announce(
                Announcement(
                    node: node, mode: .server, sessionHash: session.hash, session: session, name: "flooded", port: 7077)
            )
        }
        let telling = Task {
            for await change in discovery.changes() { say("\(change)") }
        }
        // Run until the benchmark closes stdin.
        await Task.detached {
            var octet: UInt8 = 0; while read(STDIN_FILENO, &octet, 1) > 0 {}
        }.value
        // The counters are updated once a second.
        try? await Task.sleep(for: .milliseconds(1100))
        let heard = discovery.status.counters.heard
        discovery.stop()
        await telling.value
        say("heard \(heard)")
    }

    private static func say(_ text: String) {
        let line = text + "\n"
        write(STDOUT_FILENO, line, line.utf8.count)
    }
}
