import PotluckRanks

/// The rules for each message, applied by looking at everything each time.
struct RankLedger {
    struct Sent {
        let message: RankMessage
        let receiver: Int
        let mode: RankSendMode
        /// Whether its bytes travelled with its envelope, to another node.
        var isEager = false
        /// Whether its receiver's node has asked for its bytes.
        var isAsked = false
        /// Whether a receive has taken it.
        var isTaken = false
        /// Whether the rank has got it.
        var isReceived = false
    }

    struct Asked {
        let rank: Int
        let step: Int
        let pattern: RankPattern
        /// The message that it takes.
        var took: Int?
    }

    private(set) var sent: [Sent] = []
    private(set) var asked: [Asked] = []
    /// For each rank, the messages that have come and that no receive has taken, in the order in which they came.
    private(set) var waiting: [[Int]]
    /// For each rank, the receives that have no message, in the order in which they were made.
    private(set) var posted: [[Int]]
    /// For each rank, its messages by their number.
    private var numbers: [[Int]]
    /// Bytes of all messages that no rank has got.
    private(set) var unreceived = 0

    init(size: Int) {
        waiting = Array(repeating: [], count: size)
        posted = waiting
        numbers = waiting
    }

    /// The message of a source with this number; nil if it has sent none.
    func message(_ source: Int, _ number: Int) -> Int? {
        numbers.indices.contains(source) && numbers[source].indices.contains(number) ? numbers[source][number] : nil
    }

    mutating func send(_ message: RankMessage, to receiver: Int, _ mode: RankSendMode) -> Int {
        sent.append(Sent(message: message, receiver: receiver, mode: mode))
        numbers[message.source].append(sent.count - 1)
        unreceived += message.cost
        return sent.count - 1
    }

    /// A message comes to its receiver's node. The first receive that it matches takes it.
    mutating func arrive(_ id: Int, isEager: Bool = false) throws(RankLawError) {
        let (envelope, receiver) = (sent[id].message.envelope, sent[id].receiver)
        sent[id].isEager = isEager
        guard let place = posted[receiver].firstIndex(where: { asked[$0].pattern.matches(envelope) }) else {
            waiting[receiver].append(id)
            return
        }
        asked[posted[receiver].remove(at: place)].took = id
        try take(id)
    }

    /// A rank asks for a message. The first that matches is taken.
    mutating func ask(_ rank: Int, step: Int, _ pattern: RankPattern) throws(RankLawError) {
        let found = first(rank, pattern)
        asked.append(Asked(rank: rank, step: step, pattern: pattern, took: found))
        guard let found else {
            posted[rank].append(asked.count - 1)
            return
        }
        waiting[rank].removeAll { $0 == found }
        try take(found)
    }

    /// The first message that waits at a rank and matches.
    func first(_ rank: Int, _ pattern: RankPattern) -> Int? {
        waiting[rank].first { pattern.matches(sent[$0].message.envelope) }
    }

    mutating func noteAsked(_ id: Int) { sent[id].isAsked = true }

    private mutating func take(_ id: Int) throws(RankLawError) {
        sent[id].isTaken = true
        let (message, receiver) = (sent[id].message, sent[id].receiver)
        let isOvertaken = numbers[message.source].prefix { $0 < id }.contains { other in
            let earlier = sent[other]
            return !earlier.isTaken && earlier.receiver == receiver && earlier.message.tag == message.tag
                && earlier.message.context == message.context
        }
        if isOvertaken { throw RankLawError(.order, "message \(message.number) of rank \(message.source)") }
    }

    /// Checks the message that a rank gets.
    mutating func receive(_ message: RankMessage, _ rank: Int, step: Int) throws(RankLawError) {
        guard let id = self.message(message.source, message.number) else {
            throw RankLawError(.whole, "rank \(rank) received what was never sent")
        }
        let isMeant = asked.contains { $0.rank == rank && $0.step == step && $0.took == id }
        guard isMeant else {
            throw RankLawError(
                .matching, "step \(step) of rank \(rank) got message \(message.number) of rank \(message.source)")
        }
        guard sent[id].message == message else {
            throw RankLawError(.whole, "message \(message.number) of rank \(message.source) came with other bytes")
        }
        guard !sent[id].isReceived else {
            throw RankLawError(.whole, "message \(message.number) of rank \(message.source) came twice")
        }
        sent[id].isReceived = true
        unreceived -= message.cost
    }

    /// Whether a message was sent that this rank could take, wherever it is now.
    func canCome(_ rank: Int, _ pattern: RankPattern) -> Bool {
        sent.contains { $0.receiver == rank && !$0.isTaken && pattern.matches($0.message.envelope) }
    }

    /// Bytes of other messages that may have room at the receiver of this one.
    func roomTaken(without id: Int) -> Int {
        waiting[sent[id].receiver].reduce(0) { $0 + ($1 == id ? 0 : sent[$1].message.cost) }
    }

    /// Bytes that wait at a rank of messages that satisfy a condition.
    func waitingBytes(_ rank: Int, _ isMeant: (Sent) -> Bool) -> Int {
        waiting[rank].reduce(0) { isMeant(sent[$1]) ? $0 + sent[$1].message.cost : $0 }
    }
}
