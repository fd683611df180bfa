import PotluckCore

/// The observations of `Doctor`.
public struct DoctorFacts: Hashable, Sendable {
    var status: NetworkDiscovery.Status
    public var options: DiscoveryOptions
    /// The nodes that were seen.
    var entries: [NodeEntry]
    /// How long it listened.
    var listened: Duration
    /// The year according to this machine's clock.
    var year: Int
}

/// The findings of `potluck doctor`: what works, what does not, and what to do about it.
public struct DoctorReport: Hashable, Sendable {
    public struct Finding: Hashable, Sendable {
        public enum Level: String, Hashable, Sendable {
            case good
            /// Nodes find each other anyway.
            case note
            /// It may keep nodes from finding each other.
            case problem
        }

        /// A word for programs. It must not change between versions.
        public let topic: String
        public let level: Level
        public let text: String
        /// What to do; nil if nothing.
        public let advice: String?

        public init(topic: String, level: Level, text: String, advice: String?) {
            self.topic = topic
            self.level = level
            self.text = text
            self.advice = advice
        }
    }

    public let findings: [Finding]

    public var isHealthy: Bool { !findings.contains { $0.level == .problem } }

    /// An earlier year is wrong, because Potluck did not exist then.
    static let firstYear = 2026
    /// A later year is probably wrong.
    static let lastYear = 2100

    public init(_ facts: DoctorFacts) {
        findings = [
            Self.network(facts), Self.beacon(facts), Self.reach(facts), Self.firewall(facts), Self.mdns(facts),
            Self.others(facts),
            Self.clock(facts),
        ].compactMap { $0 }
    }

    private static func good(_ topic: String, _ text: String) -> Finding {
        Finding(topic: topic, level: .good, text: text, advice: nil)
    }

    // MARK: - One topic each

    private static func networks(_ facts: DoctorFacts) -> [NetworkInterface] { facts.status.networks }

    /// Reports networks without beacons, and how to join over them by address. Returns nil if there are none.
    private static func reach(_ facts: DoctorFacts) -> Finding? {
        let silent = facts.status.silent
        guard facts.status.beacon == .working, let first = silent.first, let address = first.address else { return nil }
        let host = address.contains(":") ? "[\(address)]" : address
        return Finding(
            topic: "reach", level: facts.status.isUnheard ? .problem : .note,
            text:
                "\(silent.map(\.name).joined(separator: ", ")) carries no beacon: it has neither broadcast nor multicast.",
            advice:
                "If this laptop serves a session, the nodes behind \(first.name) can join with: potluck join SESSION "
                + "--connect \(host):PORT. The server shows its port.")
    }

    private static func network(_ facts: DoctorFacts) -> Finding {
        let names = networks(facts).map { interface in
            "\(interface.name) (\(interface.address ?? "no address"))"
        }
        if !names.isEmpty { return good("network", "This machine is on a network: \(names.joined(separator: ", ")).") }
        if let only = facts.options.interface, only != "lo" {
            return Finding(
                topic: "network", level: .problem, text: "The interface \(only) is not connected.",
                advice: "Connect it, or leave out --interface to use all interfaces.")
        }
        return Finding(
            topic: "network", level: .problem,
            text: "This machine has no network, so it finds only its own nodes.",
            advice: "Join the Wi-Fi of the other laptops, or plug in a cable.")
    }

    private static func beacon(_ facts: DoctorFacts) -> Finding {
        switch facts.status.beacon {
        case .working: return good("beacon", "The beacon works on UDP port \(facts.options.beaconPort).")
        case .absent(let reason):
            return Finding(
                topic: "beacon", level: .problem, text: "The beacon does not work: \(reason).",
                advice:
                    "Find the program with: ss -lunp 'sport = :\(facts.options.beaconPort)'. Stop it, or set "
                    + "POTLUCK_BEACON_PORT to the same other port on every laptop.")
        case nil:
            return Finding(
                topic: "beacon", level: facts.status.mdns == .working ? .note : .problem,
                text: "The beacon is turned off.", advice: "Leave out --no-beacon, or unset POTLUCK_NO_BEACON.")
        }
    }

    /// Reports networks on which own beacons do not come back: this machine's firewall blocks them, and so other nodes'
    /// beacons.
    private static func firewall(_ facts: DoctorFacts) -> Finding? {
        guard facts.status.beacon == .working else { return nil }
        let counters = facts.status.counters
        let deaf = networks(facts).filter { interface in
            let hears4 = counters.own4.contains(interface.index)
            let hears6 = interface.multicasts && counters.own6.contains(interface.index)
            return interface.carriesBeacons && !hears4 && !hears6
        }
        guard !deaf.isEmpty else { return nil }
        return Finding(
            topic: "firewall", level: .problem,
            text:
                "A firewall on this machine blocks UDP port \(facts.options.beaconPort) on "
                + "\(deaf.map(\.name).joined(separator: ", ")).",
            advice: "Open the port, for example: sudo ufw allow \(facts.options.beaconPort)/udp, or sudo firewall-cmd "
                + "--add-port=\(facts.options.beaconPort)/udp.")
    }

    private static func mdns(_ facts: DoctorFacts) -> Finding {
        let level: Finding.Level = facts.status.beacon == .working ? .note : .problem
        switch facts.status.mdns {
        case .working: return good("mdns", "mDNS works (Avahi daemon).")
        case .absent(let reason):
            return Finding(
                topic: "mdns", level: level, text: "mDNS does not work: \(reason).",
                advice: level == .note
                    ? "No action needed: the beacon finds nodes without mDNS."
                    : "Start Avahi: sudo systemctl start avahi-daemon. To install it: sudo apt install avahi-daemon.")
        case nil:
            return Finding(
                topic: "mdns", level: level, text: "mDNS is turned off.",
                advice: level == .note ? nil : "Leave out --no-mdns, or unset POTLUCK_NO_MDNS.")
        }
    }

    private static func others(_ facts: DoctorFacts) -> Finding {
        let seconds = Int(facts.listened.seconds.rounded())
        let others = facts.entries.filter { !$0.sameMachine }
        let heard = others.filter { $0.sources.contains(.beacon) }.count
        let listed = others.count - heard
        if heard > 0 {
            return good(
                "others", "Heard \(elsewhere(heard)) in \(seconds) s.")
        }
        if listed > 0 {
            return Finding(
                topic: "others", level: .note,
                text:
                    "mDNS lists \(elsewhere(listed)), but no beacon of another machine arrived in \(seconds) s.",
                advice: "Run 'potluck doctor' there to check whether UDP port \(facts.options.beaconPort) is open.")
        }
        let here = facts.entries.count
        return Finding(
            topic: "others", level: .note,
            text: "Found no node on another machine in \(seconds) s"
                + (here > 0 ? ", only \(nodes(here)) on this one." : "."),
            advice: "If a node is running there, the network keeps devices apart, as many guest Wi-Fis do. Use another "
                + "network, a phone's hotspot or a cable.")
    }

    private static func nodes(_ count: Int) -> String { count == 1 ? "1 node" : "\(count) nodes" }

    private static func elsewhere(_ count: Int) -> String {
        count == 1 ? "1 node on another machine" : "\(count) nodes on other machines"
    }

    private static func clock(_ facts: DoctorFacts) -> Finding {
        if (firstYear...lastYear).contains(facts.year) { return good("clock", "The clock is plausible.") }
        return Finding(
            topic: "clock", level: .problem, text: "This machine's clock says it is the year \(facts.year).",
            advice: "Set the clock: sudo timedatectl set-ntp true, or sudo date -s with the right time.")
    }
}
