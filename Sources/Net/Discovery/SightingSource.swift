import PotluckCore

/// A report of a source of sightings.
public enum Observation: Hashable, Sendable {
    /// A node was seen, for the first time or again, or its announcement has changed. There is one for each interface
    /// and family. Repeating it does no harm.
    case present(Sighting)
    /// The node is no longer seen on that interface and family. Contains the sighting last reported there.
    case withdrawn(Sighting)
    /// The status of the source has changed. A source whose daemon is gone withdraws nothing: its sightings remain as
    /// hints.
    case status(SourceStatus)
}

/// The status of a source.
public enum SourceStatus: Hashable, Sendable {
    /// It publishes and browses.
    case working
    /// It does not work now, and keeps trying. The reason is a phrase for users.
    case absent(reason: String)
}

/// The nodes to look for.
public enum Scope: Hashable, Sendable {
    case session(SessionHash)
    /// The nodes of every session, for `browse` without a name.
    case everything
}

/// A way to see nodes and to be seen, such as mDNS.
///
/// A source only reports; `SightingTable` merges, ranks and judges. It may report its own node, which `DiscoveryCore`
/// ignores. Everything it stores has a named limit, whatever the network sends.
protocol SightingSource: AnyObject, Sendable {
    /// Starts the source, at most once. `report` is called on any thread, never on two at once, and never after `stop`
    /// has returned.
    func start(_ report: @escaping @Sendable (Observation) -> Void)

    /// Sets the announcement of this node; nil withdraws it. Returns at once, whatever the network does.
    func announce(_ announcement: Announcement?)

    /// Says goodbye and stops, within two seconds whatever a daemon does.
    func stop()
}
