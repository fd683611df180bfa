import PotluckModel
import PotluckWire

/// What is dropped before anything is copied, hashed or looked at: most of a flood. Nothing would come of it anyway.
extension DiscoveryCore {
    /// Whether a datagram is to be dropped at once; it is counted then.
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

    /// Of a beacon of this session; cheap questions come first.
    private mutating func isWanted(_ head: BeaconHead, _ datagram: Span<UInt8>, now: Instant) -> Bool {
        // Our own voice says by which networks it came back, and anybody can repeat it.
        if head.node == setup.node { return echoes.take(at: now) }
        guard !takesStrangers, let key = setup.key else { return true }
        if isRepetition(head, now: now) { return false }
        // Anybody may ask.
        return head.kind == .question || key.isTag(endOf: datagram)
    }

    /// Whether somebody who proved itself has said as much before: whoever repeats it, or makes it up, changes nothing.
    private func isRepetition(_ head: BeaconHead, now: Instant) -> Bool {
        switch head.kind {
        // Anybody may ask.
        case .question: false
        // Whoever is new on this network is answered, once for each number.
        case .new where head.sequence > calls[head.node] ?? 0: false
        case .new, .present, .leaving: table.isRepetition(of: head.node, sequence: head.sequence, now: now)
        }
    }
}
