/// The letters of one of a program's nodes to the others, and how much more it may send them at once.
struct RankPost: Sendable {
    /// This node's place among the program's nodes.
    let own: Int
    private let map: RankMap
    private let rooms: RankRooms
    private var letters: [(node: Int, letter: RankLetter)] = []
    /// For each rank, the bytes of messages that travelled at once and that its node has not reported as received.
    private var away: [Int]
    /// The messages from each node to each rank of this node that travelled at once.
    private var inflows: [Key: Inflow] = [:]
    /// The number of the last message that came from each rank of another node.
    private var numbers: [Int]
    /// How many letters went to each node.
    private(set) var sent: [Int]
    /// How many letters came from each node.
    private(set) var received: [Int]

    private struct Key: Hashable {
        let rank: Int
        let node: Int
    }

    private struct Inflow {
        /// Bytes whose receipt was not reported to the sender's node.
        var open = 0
        /// The received bytes among them.
        var untold = 0
    }

    init(own: Int, _ map: RankMap, _ rooms: RankRooms) {
        (self.own, self.map, self.rooms) = (own, map, rooms)
        away = Array(repeating: 0, count: map.size)
        numbers = Array(repeating: .min, count: map.size)
        sent = Array(repeating: 0, count: map.nodes)
        received = sent
    }

    mutating func take() -> [(node: Int, letter: RankLetter)] {
        guard !letters.isEmpty else { return [] }
        defer { letters.removeAll(keepingCapacity: true) }
        return letters
    }

    /// Sends a letter to the node of a rank.
    mutating func send(_ letter: RankLetter, to rank: Int) {
        let node = map.places[rank]
        precondition(node != own)
        letters.append((node, letter))
        sent[node] += 1
    }

    /// A letter has come. Throws if its node cannot be its sender.
    mutating func came(from node: Int) throws(RankError) {
        guard node != own, map.has(node: node) else { throw .misfit }
        received[node] += 1
    }

    /// A message has come, or its envelope. Throws unless it could come from this node, and is the next of its source.
    mutating func came(_ envelope: RankEnvelope, _ receiver: Int, from node: Int) throws(RankError) {
        guard map.isOn(own, receiver), map.isOn(node, envelope.source), envelope.tag >= 0, envelope.context >= 0,
            (0...RankLimits.message).contains(envelope.octets), envelope.number > numbers[envelope.source]
        else { throw .misfit }
        numbers[envelope.source] = envelope.number
    }

    // MARK: messages that travel at once

    /// Counts a message that shall travel at once. Returns false if it must not.
    mutating func sendsAtOnce(_ envelope: RankEnvelope, to rank: Int) -> Bool {
        guard envelope.octets <= rooms.eager, away[rank] + envelope.cost <= rooms.eagerRoom else { return false }
        away[rank] += envelope.cost
        return true
    }

    /// A message has travelled at once. Throws if its node was not allowed to send it in this way.
    mutating func arrives(_ envelope: RankEnvelope, _ rank: Int) throws(RankError) {
        let key = Key(rank: rank, node: map.places[envelope.source])
        let open = inflows[key, default: Inflow()].open + envelope.cost
        guard envelope.octets <= rooms.eager, open <= rooms.eagerRoom else { throw .misfit }
        inflows[key, default: Inflow()].open = open
    }

    /// A rank has received a message that travelled at once.
    mutating func leaves(_ envelope: RankEnvelope, _ rank: Int) {
        let key = Key(rank: rank, node: map.places[envelope.source])
        var inflow = inflows[key, default: Inflow()]
        inflow.untold += envelope.cost
        if inflow.untold >= rooms.eagerReturn {
            send(.received(rank, octets: inflow.untold), to: envelope.source)
            inflow.open -= inflow.untold
            inflow.untold = 0
        }
        inflows[key] = inflow
    }

    /// Another node says that its rank has received these bytes.
    mutating func returned(_ octets: Int, by rank: Int) throws(RankError) {
        guard octets >= 0, octets <= away[rank] else { throw .misfit }
        away[rank] -= octets
    }
}
