import PotluckDiscovery
import PotluckWire

extension Session {
    /// The longest text that `say` accepts, in bytes of UTF-8.
    public static let maximumText = Parcel.maximumText

    /// The current state of each discovery method, and why a method does not work. Nil if the session does not use the
    /// system's network.
    public nonisolated var reach: NetworkDiscovery.Status? { (discovery as? NetworkDiscovery)?.status }
}
