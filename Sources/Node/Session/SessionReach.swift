import PotluckCore
import PotluckEngine
import PotluckNet

extension Session {
    /// The longest text that `say` accepts, in bytes of UTF-8.
    public static let maximumText = Parcel.maximumText

    /// The most nodes that a server remembers as approved; the oldest are forgotten first.
    public static let mostApproved = SessionLimits.approvedNodes

    /// Returns the name of the only node that is announced at an address. Anybody can announce any name.
    public nonisolated func name(at octets: [UInt8]) -> String? {
        let entries = (discovery as? NetworkDiscovery)?.entries ?? []
        let there = entries.filter { entry in entry.endpoints.contains { $0.octets == octets } }
        return there.count == 1 ? there[0].announcement.name : nil
    }

    /// The current state of each discovery method, and why a method does not work. Nil if the session does not use the
    /// system's network.
    public nonisolated var reach: NetworkDiscovery.Status? { (discovery as? NetworkDiscovery)?.status }
}
