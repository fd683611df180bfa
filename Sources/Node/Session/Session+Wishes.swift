import PotluckCore
import PotluckEngine

/// The session's commands and queries for its owner.
extension Session {
    /// The session's events. Only one task may read them.
    public nonisolated var events: Events { Events(session: self) }

    /// The peers in the session, in order of ID.
    public var peers: [Peer] { engine.peers }

    /// The duration of the last heartbeat's round trip, by peer.
    public var roundTrips: [NodeID: Duration] { links.roundTrips }

    /// This node's permissions.
    public var role: Role { engine.role }

    /// Sends bytes to connected peers, at most 1 MiB per call.
    ///
    /// A reliable message arrives exactly once and in order, unless its recipient leaves: if the link breaks, the
    /// message is sent again over the next link. An unreliable message is dropped if it would have to wait. If the
    /// message cannot be sent, the session reports a `trouble` event.
    public nonisolated(nonsending) func send(
        _ octets: [UInt8], to recipients: Recipients = .everyone, reliability: Reliability = .reliable
    ) async { await post(octets, to: recipients, reliability: reliability) }

    /// Sends a value whose coded form has at most 1 MiB. Receivers decode it with `Message.decoded(as:)`.
    ///
    /// The coded form includes field names, so a program may add fields and still understand its older versions. The
    /// value is coded on the caller's executor. Throws an `EncodingError` if the value is too large or nested more than
    /// 64 levels deep.
    // Disfavored because otherwise `send([42])` would send a list of `Int` and not bytes.
    @_disfavoredOverload
    public nonisolated(nonsending) func send(
        _ value: some Encodable, to recipients: Recipients = .everyone, reliability: Reliability = .reliable
    ) async throws {
        try await post(ValueEncoder.octets(of: value), as: .value, to: recipients, reliability: reliability)
    }

    /// Queues a message in the engine. Both forms of `send` end here.
    func post(
        _ octets: [UInt8], as form: Parcel.Form = .octets, to recipients: Recipients = .everyone,
        reliability: Reliability = .reliable
    ) {
        dispatch(.wanted(.send(octets, as: form, to: recipients, reliably: reliability == .reliable)))
    }

    /// Shows a text on the recipients' screens.
    public func say(_ text: String, to recipients: Recipients = .everyone) {
        dispatch(.wanted(.say(text, to: recipients)))
    }

    /// Admits a newcomer that sent a `request`. It may return without another one until it is removed.
    public func accept(_ node: NodeID) { dispatch(.wanted(.accept(node))) }
    /// Rejects a newcomer that sent a `request`.
    public func decline(_ node: NodeID) { dispatch(.wanted(.decline(node))) }

    /// Disconnects a peer. From now on the peer, and any node that connects from its address, needs approval to join.
    public func remove(_ node: NodeID) { dispatch(.wanted(.remove(node))) }

    /// Sets the permissions of a guest.
    public func allow(_ role: Role, _ node: NodeID) { dispatch(.wanted(.allow(role, node))) }

    /// Chooses the session to join when several sessions have the same name. `node` is a member of that session.
    public func choose(_ node: NodeID) { dispatch(.wanted(.choose(node))) }

    /// Keeps a link to this address. Use it where discovery does not work.
    public func connect(host: String, port: UInt16) { dispatch(.wanted(.connect(host: host, port: port))) }

    /// Whether the session admits newcomers. Current members stay either way.
    public var isAvailable: Bool { engine.isAvailable }
    /// Starts or stops admitting newcomers.
    public func setAvailable(_ available: Bool) { dispatch(.wanted(.available(available))) }

    /// Says goodbye to the peers and ends the session on this node.
    public func leave() { dispatch(.wanted(.leave)) }
}
