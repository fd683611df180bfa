/// What a rank has sent and received.
public struct RankTraffic: Hashable, Sendable {
    public private(set) var messagesSent = 0
    public private(set) var octetsSent = 0
    public private(set) var messagesReceived = 0
    public private(set) var octetsReceived = 0

    public init() {}

    mutating func sent(_ octets: Int) {
        messagesSent += 1
        octetsSent += octets
    }

    mutating func received(_ octets: Int) {
        messagesReceived += 1
        octetsReceived += octets
    }
}
