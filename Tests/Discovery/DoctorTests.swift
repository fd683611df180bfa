import PotluckCore
import Testing

@testable import PotluckNet

@Suite struct DoctorTests {
    private static let lo = NetworkInterface(
        index: 1, name: "lo", kind: .loopback, multicasts: false,
        addresses: [NetworkInterface.Address(octets: [127, 0, 0, 1], prefix: 8, broadcast: [127, 255, 255, 255])])
    private static let eth0 = NetworkInterface(
        index: 2, name: "eth0", kind: .wired, multicasts: true,
        addresses: [NetworkInterface.Address(octets: [10, 0, 0, 1], prefix: 24, broadcast: [10, 0, 0, 255])])

    private static let tun0 = NetworkInterface(
        index: 3, name: "tun0", kind: .virtual, multicasts: false,
        addresses: [NetworkInterface.Address(octets: [10, 8, 0, 2], prefix: 24)])

    @Test func whereNoBeaconGoesTheAddressToTypeIsSaid() {
        var facts = facts
        facts.status.interfaces = [Self.lo, Self.tun0]
        let advice = DoctorReport(facts).findings.first { $0.topic == "reach" }?.advice
        #expect(advice?.contains("potluck join SESSION --connect 10.8.0.2:PORT") == true)
    }

    /// Facts without any problem.
    private var facts: DoctorFacts {
        var status = NetworkDiscovery.Status()
        status.beacon = .working
        status.mdns = .working
        status.interfaces = [Self.lo, Self.eth0]
        status.counters.own4 = [1, 2]
        return DoctorFacts(
            status: status, options: DiscoveryOptions(), entries: [entry(by: [.beacon])], listened: .seconds(2),
            year: 2026)
    }

    private func entry(by sources: [Sighting.Source], sameMachine: Bool = false) -> NodeEntry {
        let announcement = Announcement(
            node: NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16)), mode: .peer, sessionHash: Party.monty.hash,
            session: Party.monty, name: "ana", port: 1)
        return NodeEntry(
            announcement: announcement, standing: .present, trust: .unverified, sources: sources, host: nil,
            sameMachine: sameMachine, endpoints: [], since: .start)
    }

    /// Returns the level of a topic after a change to `facts`; nil if it is not reported.
    private func level(of topic: String, _ change: (inout DoctorFacts) -> Void) -> DoctorReport.Finding.Level? {
        var facts = facts
        change(&facts)
        let report = DoctorReport(facts)
        for finding in report.findings where finding.level == .problem { #expect(finding.advice != nil) }
        return report.findings.first { $0.topic == topic }?.level
    }

    @Test func nothingIsWrongWhereAllIsWell() {
        let report = DoctorReport(facts)
        #expect(report.isHealthy)
        #expect(report.findings.allSatisfy { $0.level == .good && $0.advice == nil })
    }

    @Test func eachTroubleIsFoundAndNoOther() {
        #expect(level(of: "network") { $0.status.interfaces = [Self.lo] } == .problem)
        #expect(
            level(of: "network") {
                $0.options.interface = "wlan0"; $0.status.interfaces = []
            } == .problem)
        #expect(level(of: "beacon") { $0.status.beacon = .absent(reason: "taken") } == .problem)
        #expect(level(of: "beacon") { $0.status.beacon = nil } == .note)
        #expect(
            level(of: "beacon") {
                $0.status.beacon = nil; $0.status.mdns = nil
            } == .problem)
        #expect(level(of: "reach") { _ in } == nil)
        #expect(level(of: "reach") { $0.status.interfaces = [Self.lo, Self.tun0] } == .problem)
        #expect(level(of: "reach") { $0.status.interfaces = [Self.lo, Self.eth0, Self.tun0] } == .note)
        #expect(level(of: "firewall") { _ in } == nil)
        #expect(level(of: "firewall") { $0.status.counters.own4 = [1] } == .problem)
        #expect(
            level(of: "firewall") {
                $0.status.counters.own4 = [1]; $0.status.counters.own6 = [2]
            } == nil)
        #expect(
            level(of: "firewall") {
                $0.status.counters.own4 = []; $0.status.beacon = nil
            } == nil)
        #expect(level(of: "mdns") { $0.status.mdns = .absent(reason: "no daemon") } == .note)
        #expect(
            level(of: "mdns") {
                $0.status.mdns = .absent(reason: "no daemon")
                $0.status.beacon = .absent(reason: "taken")
            } == .problem)
        #expect(level(of: "others") { $0.entries = [] } == .note)
        #expect(level(of: "others") { $0.entries = [entry(by: [.mdns])] } == .note)
        #expect(level(of: "others") { $0.entries = [entry(by: [.beacon], sameMachine: true)] } == .note)
        #expect(level(of: "clock") { $0.year = 1970 } == .problem)
        #expect(level(of: "clock") { $0.year = 2101 } == .problem)
    }
}
