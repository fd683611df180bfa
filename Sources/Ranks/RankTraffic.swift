/// What a rank has sent and received.
public struct RankTraffic: Hashable, Sendable {
    public internal(set) var messagesSent = 0
    public internal(set) var octetsSent = 0
    public internal(set) var messagesReceived = 0
    public internal(set) var octetsReceived = 0

    public init(
        messagesSent: Int = 0, octetsSent: Int = 0, messagesReceived: Int = 0, octetsReceived: Int = 0
    ) {
        (self.messagesSent, self.octetsSent) = (messagesSent, octetsSent)
        (self.messagesReceived, self.octetsReceived) = (messagesReceived, octetsReceived)
    }

    mutating func sent(_ octets: Int) {
        messagesSent += 1
        octetsSent += octets
    }

    mutating func received(_ octets: Int) {
        messagesReceived += 1
        octetsReceived += octets
    }
}
