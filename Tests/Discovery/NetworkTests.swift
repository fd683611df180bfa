import Glibc
import PotluckCore
import PotluckSystem
import Testing

@testable import PotluckNet

/// A source that reports what a test sees.
private final class TestSource: SightingSource {
    private let report = Guarded<(@Sendable (Observation) -> Void)?>(nil)

    func start(_ report: @escaping @Sendable (Observation) -> Void) { self.report.with { $0 = report } }
    func announce(_ announcement: Announcement?) {}
    func stop() {}

    func see(_ sighting: Sighting) {
        let report = report.with { $0 }
        report?(.present(sighting))
    }
}

/// Discovery on real sockets, on loopback only: two nodes on one machine without Avahi, network or root.
@Suite struct NetworkTests {
    private static let session = Party.session("Loopback tests")

    /// Returns a free port, so that several runs at once do not hear each other.
    private static func freePort() throws -> UInt16 {
        let socket = try #require(BeaconSocket(AF_INET, SOCK_DGRAM))
        return try port(of: socket)
    }

    /// Binds a socket to a free port of loopback, and returns the port.
    private static func port(of socket: BeaconSocket) throws -> UInt16 {
        #expect(socket.bind([127, 0, 0, 1], port: 0) == nil)
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket.descriptor, $0, &length)
            }
        }
        return try #require(SocketAddress.endpoint(storage)).port
    }

    private static func node(_ port: UInt16, beaconPort: UInt16) -> (any Discovery, Announcement) {
        let announcement = Announcement(
            node: Identity().node, mode: .peer, sessionHash: session.hash, session: session, name: "n\(port)",
            port: port)
        let discovery = NetworkDiscovery(
            DiscoverySetup(
                node: announcement.node, scope: .session(session.hash), key: SessionRoot(openTo: session).beacon,
                seed: UInt64(port)),
            options: DiscoveryOptions(interface: "lo", usesMDNS: false, beaconPort: beaconPort), mdns: nil)
        return (discovery, announcement)
    }

    @Test(.timeLimit(.minutes(60))) func twoNodesFindEachOtherAndSayGoodbye() async throws {
        let port = try Self.freePort()
        let (one, first) = Self.node(1, beaconPort: port)
        let (other, second) = Self.node(2, beaconPort: port)
        let changes = one.changes().makeAsyncIterator()
        one.announce(first)
        other.announce(second)
        let appeared = try #require(await changes.next())
        guard case .appeared(let entry) = appeared else {
            Issue.record("\(appeared)")
            return
        }
        #expect(entry.announcement == second)
        #expect(entry.trust == .verified)
        #expect(entry.sameMachine)
        #expect(entry.endpoints == [Endpoint(octets: [127, 0, 0, 1], port: 2)])
        other.stop()
        while let change = await changes.next() {
            guard case .disappeared(let entry, let departure) = change else { continue }
            #expect(entry.node == second.node)
            #expect(departure == .left)
            break
        }
        one.stop()
        #expect(await changes.next() == nil)
    }

    /// mDNS may report a node before the scan finds the interface, and does not repeat the report.
    @Test(.timeLimit(.minutes(60))) func aSightingBeforeTheScanIsKept() async throws {
        // Discovery probes the address, and drops a node that does not answer.
        let door = try #require(BeaconSocket(AF_INET, SOCK_STREAM))
        let port = try Self.port(of: door)
        #expect(listen(door.descriptor, 16) == 0)
        let announcement = Announcement(
            node: Identity().node, mode: .peer, sessionHash: Self.session.hash, session: Self.session, name: "ana",
            port: port)
        let source = TestSource()
        // No scan finds this interface, so the sighting comes before any that could.
        let discovery = NetworkDiscovery(
            DiscoverySetup(node: Identity().node, scope: .session(Self.session.hash), key: nil, seed: 1),
            options: DiscoveryOptions(interface: "none", usesBeacon: false), mdns: source)
        let changes = discovery.changes().makeAsyncIterator()
        source.see(
            Sighting(
                announcement: announcement, source: .mdns, trust: .unverified, interface: 7, sameMachine: true,
                host: nil, endpoint: try #require(Endpoint(octets: [127, 0, 0, 1], port: port))))
        let change = await changes.next()
        discovery.stop()
        withExtendedLifetime(door) {}
        guard case .appeared(let entry)? = change else {
            Issue.record("\(String(describing: change))")
            return
        }
        #expect(entry.announcement == announcement && entry.sources == [.mdns])
    }

    @Test func aTakenPortIsSaid() throws {
        let port = try Self.freePort()
        let thief4 = try #require(BeaconSocket(AF_INET, SOCK_DGRAM))
        let thief6 = BeaconSocket(AF_INET6, SOCK_DGRAM)
        #expect(thief4.bind([0, 0, 0, 0], port: port) == nil)
        thief6?.set(Int(IPPROTO_IPV6), IPV6_V6ONLY, 1)
        _ = thief6?.bind([UInt8](repeating: 0, count: 16), port: port)
        do {
            _ = try BeaconSockets(port: port)
            Issue.record("a port another program has")
        } catch {
            #expect(error.reason == "another program uses UDP port \(port) exclusively")
        }
    }

    @Test func loopbackIsFound() throws {
        var scanner = InterfaceScanner(only: "lo")
        let found = scanner.scan()
        let interfaces = try #require(found)
        #expect(interfaces.map(\.name) == ["lo"])
        #expect(interfaces.first?.kind == .loopback)
        #expect(interfaces.first?.addresses.first { $0.octets == [127, 0, 0, 1] }?.prefix == 8)
    }
}
