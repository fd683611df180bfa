import PotluckModel
import PotluckWire

/// What is to be done, gathered while an event is handled: effects, and messages to nodes, this one among them.
struct Deeds: Sendable {
    var effects: [Effect] = []
    var mail: [(to: NodeID, message: JobMessage)] = []
    /// Who is to leave the session.
    var shutOut: [NodeID] = []

    mutating func send(_ message: JobMessage, to node: NodeID) { mail.append((node, message)) }
}
