/// The fields that have the same offsets in every beacon, read in place without decoding the rest. They suffice to drop
/// most datagrams of a flood. None of them is proved.
public struct BeaconHead: Sendable {
    public let kind: BeaconPacket.Kind
    public let node: NodeID
    /// The octets of the session's hash as one number.
    public let session: UInt64
    public let sequence: UInt32

    /// Returns nil if the datagram does not begin like a beacon.
    public init?(_ datagram: Span<UInt8>) {
        guard BeaconPacket.minimumLength <= datagram.count, datagram.count <= BeaconPacket.maximumLength else {
            return nil
        }
        for (index, octet) in BeaconPacket.magic.enumerated() where datagram[index] != octet { return nil }
        guard datagram[4] == BeaconPacket.version, let kind = BeaconPacket.Kind(rawValue: datagram[5]) else {
            return nil
        }
        self.kind = kind
        node = NodeID(words: (Self.word(datagram, 9), Self.word(datagram, 17)))
        session = Self.word(datagram, 25)
        sequence = (0..<4).reduce(0) { $0 | UInt32(datagram[33 + $1]) << UInt32(8 * $1) }
    }

    private static func word(_ octets: Span<UInt8>, _ start: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in start..<start + 8 { word = word << 8 | UInt64(octets[index]) }
        return word
    }

    /// Returns a session's hash as one number, to compare with `session`.
    public static func word(of hash: SessionHash) -> UInt64 { hash.octets.reduce(0) { $0 << 8 | UInt64($1) } }
}
