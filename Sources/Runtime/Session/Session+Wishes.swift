import PotluckEngine
import PotluckModel
import PotluckWire

/// What the owner asks of a session.
extension Session {
    /// What happens, to be read by one task.
    public nonisolated var events: Events { Events(session: self) }

    /// Who is there, in order of ID.
    public var peers: [Peer] { engine.peers }

    /// How long a heartbeat took to each peer and back, last time.
    public var roundTrips: [NodeID: Duration] { links.roundTrips }

    /// What this node may do.
    public var role: Role { engine.role }

    /// Sends octets to peers that are connected, at most 1 MiB at once.
    ///
    /// A reliable message arrives once and in order as long as the peer is not gone: one whose link breaks gets it over the
    /// next one. An unreliable one is dropped where it would have to wait. What cannot be sent is answered with a
    /// `trouble`.
    public nonisolated(nonsending) func send(
        _ octets: [UInt8], to recipients: Recipients = .everyone, reliability: Reliability = .reliable
    ) async { await post(octets, to: recipients, reliability: reliability) }

    /// Sends a value, at most 1 MiB of it when coded; the receivers have it from `Message.decoded(as:)`.
    ///
    /// Names of fields go with it, so that a program may add some and still understand its older versions. It is coded where the
    /// caller is, which throws an `EncodingError` for what is too large or nested more than 64 deep.
    // Otherwise `send([42])` would be a list of `Int`.
    @_disfavoredOverload
    public nonisolated(nonsending) func send(
        _ value: some Encodable, to recipients: Recipients = .everyone, reliability: Reliability = .reliable
    ) async throws {
        try await post(ValueEncoder.octets(of: value), as: .value, to: recipients, reliability: reliability)
    }

    func post(
        _ octets: [UInt8], as form: Parcel.Form = .octets, to recipients: Recipients = .everyone,
        reliability: Reliability = .reliable
    ) {
        tell(.wanted(.send(octets, as: form, to: recipients, reliably: reliability == .reliable)))
    }

    /// Shows a text on everybody's screen.
    public func say(_ text: String, to recipients: Recipients = .everyone) {
        tell(.wanted(.say(text, to: recipients)))
    }

    public func accept(_ node: NodeID) { tell(.wanted(.accept(node))) }
    public func decline(_ node: NodeID) { tell(.wanted(.decline(node))) }

    /// Sends a peer away. It, and whoever comes from its address, needs consent from now on.
    public func remove(_ node: NodeID) { tell(.wanted(.remove(node))) }

    /// What a guest may do from now on.
    public func allow(_ role: Role, _ node: NodeID) { tell(.wanted(.allow(role, node))) }

    /// Of several sessions of one name, the one this node is in.
    public func choose(_ node: NodeID) { tell(.wanted(.choose(node))) }

    /// Keeps a link to this address, where discovery does not reach.
    public func connect(host: String, port: UInt16) { tell(.wanted(.connect(host: host, port: port))) }

    /// Whether newcomers are taken. Whoever is in stays in.
    public var isAvailable: Bool { engine.isAvailable }
    public func setAvailable(_ available: Bool) { tell(.wanted(.available(available))) }

    /// Says goodbye and ends.
    public func leave() { tell(.wanted(.leave)) }
}
