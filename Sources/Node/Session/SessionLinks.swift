import PotluckCore
import PotluckEngine
import PotluckNet

/// The open links, under their two names: the engine's and the transport's.
struct SessionLinks {
    struct Link {
        let id: LinkID
        let isDialled: Bool
        /// Bytes that only the two ends of the link know; see `Session.proof`.
        let binding: [UInt8]
        /// The node at the other end; nil until it has proved its ID.
        var node: NodeID?
        /// The last heartbeat's round trip; nil before the first.
        var roundTrip: Duration?
    }

    private var names: [LinkID: LinkName] = [:]
    private var links: [LinkName: Link] = [:]

    var ids: [LinkID] { links.values.map(\.id) }

    /// The duration of the last heartbeat's round trip, by node.
    var roundTrips: [NodeID: Duration] {
        var times: [NodeID: Duration] = [:]
        for link in links.values { if let node = link.node, let time = link.roundTrip { times[node] = time } }
        return times
    }

    subscript(name: LinkName) -> Link? { links[name] }

    subscript(id: LinkID) -> (LinkName, Link)? {
        guard let name = names[id], let link = links[name] else { return nil }
        return (name, link)
    }

    mutating func add(_ link: Link, as name: LinkName) {
        names[link.id] = name
        links[name] = link
    }

    mutating func belongs(_ name: LinkName, to node: NodeID) { links[name]?.node = node }

    /// Records a heartbeat's round trip. Returns the node at the other end, or nil if it is unknown.
    mutating func took(_ id: LinkID, roundTrip time: Duration) -> NodeID? {
        guard let name = names[id] else { return nil }
        links[name]?.roundTrip = time
        return links[name]?.node
    }

    /// Removes a link. Returns the engine's name for it, or nil if it is unknown.
    mutating func remove(_ id: LinkID) -> LinkName? {
        guard let name = names.removeValue(forKey: id) else { return nil }
        links[name] = nil
        return name
    }

    /// Removes a link. Returns the transport's name for it, or nil if it is unknown.
    mutating func remove(_ name: LinkName) -> LinkID? {
        guard let link = links.removeValue(forKey: name) else { return nil }
        names[link.id] = nil
        return link.id
    }
}
