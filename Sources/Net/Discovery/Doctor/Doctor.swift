import Glibc
import PotluckCore
import PotluckSystem

/// Tests how discovery works on this machine.
public enum Doctor {
    /// How long to listen. Other nodes answer a question within milliseconds and send a beacon each second anyway. mDNS
    /// answers from its cache at once, and a daemon that takes longer than this is useless.
    public static let listening: Duration = .milliseconds(2500)

    /// Listens and asks questions without announcing itself, and returns what it found.
    public static func examine(_ options: DiscoveryOptions) async -> DoctorFacts {
        let setup = DiscoverySetup(
            node: Identity().node, scope: .everything, key: nil, seed: UInt64.random(in: .min ... .max))
        let discovery = NetworkDiscovery(setup, options: options)
        try? await Task.sleep(for: listening)
        let facts = DoctorFacts(
            status: discovery.status, options: options, entries: discovery.entries, listened: listening, year: year)
        discovery.stop()
        return facts
    }

    private static var year: Int {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return Int(parts.tm_year) + 1900
    }
}
