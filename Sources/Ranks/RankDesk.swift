/// What one rank has received, asked for and sent, as long as it is open.
struct RankDesk {
    /// A message that no receive has asked for yet.
    struct Waiting {
        let message: RankMessage
        var sender: Sender
    }

    /// What the sender of a message that waits does.
    enum Sender: Hashable {
        case goesOn
        /// Its request waits until the message is received.
        case waits(RequestName)
        /// Its request waits until there is room for the message, or until it is received.
        case waitsForRoom(RequestName)
    }

    /// A request of some rank.
    struct RequestName: Hashable {
        let rank: Int
        let number: Int32
    }

    /// What has become of a request.
    enum Request {
        /// The message to this rank has not been received.
        case sending(Int)
        case sent(octets: Int)
        case receiving(RankPattern, capacity: Int)
        case received(RankMessage)
    }

    /// What has come, in the order in which it came. Those before `first` were taken.
    private(set) var waiting: [Waiting] = []
    private var first = 0
    /// Bytes of the messages in `waiting` that have room.
    private(set) var held = 0
    /// How many messages in `waiting` have no room.
    private var withoutRoom = 0
    private(set) var requests: [Int32: Request] = [:]
    /// The requests that receive, in the order in which they were made.
    private var posted: [Int32] = []
    private var last: Int32 = 0

    var waitingCount: Int { waiting.count - first }

    // MARK: messages

    var hasRoom: Bool { held < RankLimits.room }

    mutating func hold(_ message: RankMessage, _ sender: Sender) {
        waiting.append(Waiting(message: message, sender: sender))
        if case .waitsForRoom = sender { withoutRoom += 1 } else { held += message.cost }
    }

    /// Gives room to messages in the order in which they came, as long as there is some. Returns the requests that sent
    /// them.
    mutating func giveRoom() -> [(RequestName, octets: Int)] {
        var senders: [(RequestName, octets: Int)] = []
        for place in waiting[first...].indices where withoutRoom > 0 && hasRoom {
            guard case .waitsForRoom(let sender) = waiting[place].sender else { continue }
            waiting[place].sender = .goesOn
            withoutRoom -= 1
            held += waiting[place].message.cost
            senders.append((sender, waiting[place].message.octets.count))
        }
        return senders
    }

    func find(_ pattern: RankPattern) -> RankMessage? {
        waiting[first...].first { pattern.matches($0.message) }?.message
    }

    /// Takes the first message that matches.
    mutating func take(_ pattern: RankPattern) -> Waiting? {
        guard let place = waiting[first...].firstIndex(where: { pattern.matches($0.message) }) else { return nil }
        let found = waiting[place]
        if case .waitsForRoom = found.sender { withoutRoom -= 1 } else { held -= found.message.cost }
        if place == first {
            // The place keeps no bytes until it is removed with others.
            waiting[place] = Waiting(message: RankMessage(source: 0, tag: 0, context: 0, octets: []), sender: .goesOn)
            first += 1
            if first == waiting.count || first > Self.mostTaken {
                waiting.removeFirst(first)
                first = 0
            }
        } else {
            waiting.remove(at: place)
        }
        return found
    }

    /// Removing many places at once costs little for each.
    private static let mostTaken = 1024

    // MARK: requests

    /// Returns the new request's number; nil if there are too many.
    mutating func open(_ request: Request) -> Int32? {
        guard requests.count < RankLimits.requests else { return nil }
        repeat { last = last == .max ? 1 : last + 1 } while requests[last] != nil
        requests[last] = request
        if case .receiving = request { posted.append(last) }
        return last
    }

    /// Removes a request that is complete, and returns it; nil if it is not.
    mutating func close(_ number: Int32) -> Request? {
        switch requests[number] {
        case .sent, .received: requests.removeValue(forKey: number)
        case .sending, .receiving, nil: nil
        }
    }

    func isComplete(_ number: Int32) -> Bool {
        switch requests[number] {
        case .sent, .received: true
        case .sending, .receiving, nil: false
        }
    }

    mutating func sent(_ number: Int32, octets: Int) { requests[number] = .sent(octets: octets) }

    /// The first request that receives this message.
    func receiver(of message: RankMessage) -> (number: Int32, capacity: Int)? {
        for number in posted {
            if case .receiving(let pattern, let capacity) = requests[number], pattern.matches(message) {
                return (number, capacity)
            }
        }
        return nil
    }

    mutating func received(_ number: Int32, _ message: RankMessage) {
        if let place = posted.firstIndex(of: number) { posted.remove(at: place) }
        requests[number] = .received(message)
    }
}
