import PotluckDiscovery
import PotluckWire

extension Session {
    /// The longest text that `say` takes, in octets of UTF-8.
    public static let maximumText = Parcel.maximumText

    /// By what this node is found just now, and why not by the rest. Nil where the network is none of the system's.
    public nonisolated var reach: NetworkDiscovery.Status? { (discovery as? NetworkDiscovery)?.status }
}
