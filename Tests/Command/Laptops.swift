import Foundation
import Glibc
import Potluck
import Synchronization
import Testing

/// The laptops of a room, each with its own state directory. They use loopback only, and a beacon port that no other
/// room has.
final class Laptops {
    private static let rooms = Atomic<UInt16>(0)

    let code = JoinCode.random().spelled
    private let home = "/tmp/potluck-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    private let beaconPort: UInt16

    init() {
        let room = Self.rooms.add(1, ordering: .relaxed).newValue
        beaconPort = 20_000 + (UInt16(truncatingIfNeeded: getpid()) &+ room) % 10_000
    }

    /// How a node in this process finds the laptops.
    var discovery: DiscoveryOptions { DiscoveryOptions(interface: "lo", usesMDNS: false, beaconPort: beaconPort) }

    deinit { try? FileManager.default.removeItem(atPath: home) }

    /// Returns the variables for a laptop. If `code` is nil, the room's code is used; an empty string means none.
    func environment(_ laptop: String, code: String? = nil) -> [String: String] {
        [
            "POTLUCK_BEACON_PORT": "\(beaconPort)", "POTLUCK_INTERFACE": "lo", "POTLUCK_NO_MDNS": "1",
            "XDG_STATE_HOME": "\(home)/\(laptop)", "XDG_RUNTIME_DIR": "\(home)/\(laptop)-running",
            "POTLUCK_CODE": code ?? self.code, "TERM": "xterm",
        ]
    }

    /// The folder for state that lasts, and the one for files that exist only while nodes run.
    func folder(_ laptop: String) -> String { "\(home)/\(laptop)/potluck" }
    func passing(_ laptop: String) -> String { "\(home)/\(laptop)-running/potluck" }

    func start(
        _ words: [String], _ laptop: String, code: String? = nil, _ pipe: Pipe, stderr: Pipe? = nil
    ) throws -> Child {
        let child = try Child(
            words, environment: environment(laptop, code: code), stdout: .descriptor(pipe.writer),
            stderr: stderr.map { .descriptor($0.writer) } ?? .nothing)
        pipe.closeWriter()
        stderr?.closeWriter()
        return child
    }

    func start(_ words: [String], _ laptop: String, code: String? = nil, _ terminal: PseudoTerminal) throws -> Child {
        try Child(
            words, environment: environment(laptop, code: code), stdin: .terminal(terminal.name),
            stdout: .terminal(terminal.name), stderr: .terminal(terminal.name))
    }

    /// Starts a node with one core that prints JSON.
    func node(_ line: String, _ name: String) throws -> (child: Child, reader: Reader) {
        let output = Pipe()
        let words = (line + " --name \(name) --cores 1 --json").split(separator: " ").map(String.init)
        return (try start(words, name, output), output.reader)
    }

    func run(_ line: String, _ laptop: String, code: String? = nil) throws -> EndToEndTests.Outcome {
        try EndToEndTests().run(line, environment: environment(laptop, code: code))
    }
}

/// Sends SIGTERM to each child and checks that it exits with 143.
func end(_ children: Child..., at location: SourceLocation = #_sourceLocation) {
    for child in children {
        child.send(SIGTERM)
        #expect(child.wait() == 143, sourceLocation: location)
    }
}

/// Parses a JSON object that the program printed.
func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}
