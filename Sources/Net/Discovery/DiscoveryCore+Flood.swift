import PotluckCore

/// Drops most of a flood before anything is copied, hashed or decoded. The dropped datagrams would have no effect
/// anyway.
extension DiscoveryCore {
    /// Returns whether to drop a datagram at once, and counts it if so.
    public mutating func drops(_ datagram: Span<UInt8>, at now: Instant) -> Bool {
        guard let head = BeaconHead(datagram) else {
            dropped.heard += 1
            dropped.malformed += 1
            return true
        }
        guard let session else { return false }
        if head.session != session, head.session != 0 {
            dropped.heard += 1
            dropped.otherSession += 1
            return true
        }
        guard !isWanted(head, datagram, now: now) else { return false }
        dropped.heard += 1
        dropped.unproven += 1
        return true
    }

    /// Returns whether a beacon of this session may have an effect. Cheap checks come first.
    private mutating func isWanted(_ head: BeaconHead, _ datagram: Span<UInt8>, now: Instant) -> Bool {
        // Own beacons show on which networks they came back. Anybody can replay them, so their number is limited.
        if head.node == setup.node { return echoes.take(at: now) }
        guard !takesStrangers, let key = setup.key else { return true }
        if isRepetition(head, now: now) { return false }
        // Anybody may ask.
        return head.kind == .question || key.isTag(endOf: datagram)
    }

    /// Returns whether a verified beacon has already said the same, so that a replay or a forgery changes nothing.
    private func isRepetition(_ head: BeaconHead, now: Instant) -> Bool {
        switch head.kind {
        // Anybody may ask.
        case .question: false
        // A new node is answered, once for each number.
        case .new where head.sequence > calls[head.node] ?? 0: false
        case .new, .present, .leaving: table.isRepetition(of: head.node, sequence: head.sequence, now: now)
        }
    }
}
