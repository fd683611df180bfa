import PotluckModel

/// What a raw source of sightings reports.
public enum Observation: Hashable, Sendable {
    /// A node was seen, for the first time or again, or what it says about itself has changed. One for each interface
    /// and family; a repetition is welcome and costs nothing.
    case present(Sighting)
    /// It is no longer seen on that interface and family: the sighting last reported as present there.
    case withdrawn(Sighting)
    /// How the source itself fares, each time that changes. A source whose daemon is gone withdraws nothing: what it saw
    /// earlier stays a hint.
    case status(SourceStatus)
}

/// How a source fares.
public enum SourceStatus: Hashable, Sendable {
    /// Publishing and browsing take place.
    case working
    /// Nothing comes from it for now; it tries again by itself. The reason is one plain sentence for people.
    case absent(reason: String)
}

/// Which nodes to look for.
public enum Scope: Hashable, Sendable {
    case session(SessionHash)
    /// Every session around, for `browse` without a name.
    case everything
}

/// One raw way of seeing nodes and of being seen.
///
/// It moves observations and decides nothing: merging, ranking, suspicion and departure are `SightingTable`'s. It may
/// report its own node; that is dropped one floor up. What it keeps has a named limit, whatever the network says.
public protocol SightingSource: AnyObject, Sendable {
    /// Begins to look, once. `report` is called from any thread, not from two at once, and never after `stop` returned.
    func start(_ report: @escaping @Sendable (Observation) -> Void)

    /// What this node says about itself from now on; nil withdraws it. Returns at once, whatever the network does.
    func announce(_ announcement: Announcement?)

    /// Says goodbye and ends, within two seconds whatever a daemon does.
    func stop()
}
