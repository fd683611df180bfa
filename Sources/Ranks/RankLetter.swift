/// A step of the exchange that brings a message from a rank to a rank of another node. The letters from one node to
/// another arrive in the order in which they were sent.
///
/// A short message travels at once, as long as its receiver's node has room for it. Of any other message only the
/// envelope travels, and the sender's node keeps the bytes until the receiver's node asks for them.
public enum RankLetter: Hashable, Sendable {
    /// A message with its bytes. If it `isSynchronous`, its sender waits for `taken`.
    case message(RankMessage, to: Int, isSynchronous: Bool)
    /// A message whose bytes stay with its sender. If it `isSynchronous`, they are asked for when a receive takes it.
    case offer(RankEnvelope, to: Int, isSynchronous: Bool)
    /// Asks for the bytes of an offer. A message is named by its source and its number.
    case ask(source: Int, number: Int)
    /// The bytes of an offer.
    case octets([UInt8], source: Int, number: Int, to: Int)
    /// A receive has taken a synchronous message that came with its bytes.
    case taken(source: Int, number: Int)
    /// This rank has received this many bytes of messages that came at once.
    case received(Int, octets: Int)
}
