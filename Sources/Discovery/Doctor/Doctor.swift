import Glibc
import PotluckCrypto
import PotluckModel

/// Finds out what discovery can do on this machine, by trying it.
public enum Doctor {
    /// Others answer a question to everybody within milliseconds, and speak once a second anyway; mDNS's cache answers at
    /// once, and a daemon that does not answer within this is as good as none.
    public static let listening: Duration = .milliseconds(2500)

    /// Listens and asks, and says nothing of itself.
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
