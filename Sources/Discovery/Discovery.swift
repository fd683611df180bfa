import PotluckModel

/// Finds the nodes around and lets this one be found.
///
/// On a real network it is `NetworkDiscovery`, by beacon, mDNS or both; in tests a member of a `Room`.
public protocol Discovery: AnyObject, Sendable {
    /// The time by which entries say since when.
    var now: Instant { get }

    /// The nodes there now, in order of ID.
    var entries: [NodeEntry] { get }

    /// What happens, beginning with an appearance of each node there now. It ends when discovery stops.
    func changes() -> NodeChanges

    /// What this node says about itself from now on; nil for nothing, with a goodbye.
    func announce(_ announcement: Announcement?)

    /// Says goodbye and ends.
    func stop()
}
