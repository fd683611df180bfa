import PotluckCore

/// Finds nodes nearby and announces this one.
///
/// On a real network it is a `NetworkDiscovery`, in tests a member of a `SimulatedNetwork`.
public protocol Discovery: AnyObject, Sendable {
    /// The current time of the clock that entries use.
    var now: Instant { get }

    /// The present nodes, in order of ID.
    var entries: [NodeEntry] { get }

    /// Returns the changes, beginning with an appearance of each present node. They end when discovery stops.
    func changes() -> NodeChanges

    /// Sets the announcement of this node; nil withdraws it with a goodbye.
    func announce(_ announcement: Announcement?)

    /// Says goodbye and stops.
    func stop()
}
