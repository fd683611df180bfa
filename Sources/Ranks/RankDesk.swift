/// The open messages and requests of one rank.
struct RankDesk {
    /// A message that no receive has asked for yet.
    struct Waiting {
        let envelope: RankEnvelope
        /// Nil if the bytes were not here when the envelope came.
        var octets: [UInt8]?
        var sender: Sender
    }

    /// The state of the sender of a message that waits.
    enum Sender: Hashable {
        case continues
        /// Its request waits until the message is received.
        case waits(RequestName)
        /// Its request waits until there is room for the message, or until it is received.
        case waitsForRoom(RequestName)
        /// It is a rank of another node, and the message came with its bytes. If it `isSynchronous`, the rank waits until
        /// the message is received.
        case elsewhere(isSynchronous: Bool)
        /// It is a rank of another node, which keeps the bytes until they are asked for: when there is room for them, or
        /// when the message is received.
        case offers(isSynchronous: Bool)
        /// The bytes were asked for and have room. `asked` has them once they have come.
        case brings
    }

    /// A message of another node's rank.
    struct MessageName: Hashable {
        let source: Int
        let number: Int
    }

    /// A request of some rank.
    struct RequestName: Hashable {
        let rank: Int
        let number: Int32
    }

    /// The state of a request.
    enum Request {
        /// The message to this rank has not been received.
        case sending(Int)
        case sent(octets: Int)
        case receiving(RankPattern, capacity: Int)
        /// The bytes of the message that it takes are on their way.
        case arriving(RankEnvelope)
        case received(RankMessage)
    }

    /// An offer whose bytes were asked for.
    private struct Asked {
        let envelope: RankEnvelope
        /// Nil as long as they are on their way.
        var octets: [UInt8]?
        /// The request that takes the message; nil as long as no receive has taken it.
        var request: Int32?
    }

    /// A message to a rank of another node whose bytes that node has not asked for.
    struct Offer {
        let message: RankMessage
        let receiver: Int
        /// The request that waits until they are asked for.
        let request: Int32?
    }

    /// The messages that have come, in their order. Those before `first` were taken.
    private(set) var waiting: [Waiting] = []
    private var first = 0
    /// Bytes of the messages in `waiting` that have room.
    private(set) var held = 0
    /// How many messages in `waiting` have no room, but could get some.
    private var withoutRoom = 0
    private(set) var requests: [Int32: Request] = [:]
    /// The requests that receive, in the order in which they were made.
    private var posted: [Int32] = []
    private var last: Int32 = 0
    /// The offers of this rank, by the number of the message.
    var offers: [Int: Offer] = [:]
    /// The requests that wait until another node's rank takes their message, by the number of the message, with its
    /// length in bytes.
    var untaken: [Int: (request: Int32, octets: Int)] = [:]
    private var asked: [MessageName: Asked] = [:]
    /// See `RankRooms`.
    private let room: Int

    init(room: Int) { self.room = room }

    var waitingCount: Int { waiting.count - first }

    // MARK: messages

    var hasRoom: Bool { held < room }

    mutating func hold(_ message: RankMessage, _ sender: Sender) {
        hold(Waiting(envelope: message.envelope, octets: message.octets, sender: sender))
    }

    /// Keeps the envelope of a message whose bytes are elsewhere. Returns whether there is room for them.
    mutating func hold(_ envelope: RankEnvelope, isSynchronous: Bool) -> Bool {
        let asks = hasRoom && !isSynchronous
        if asks { asked[envelope.name] = Asked(envelope: envelope) }
        hold(
            Waiting(
                envelope: envelope, octets: nil, sender: asks ? .brings : .offers(isSynchronous: isSynchronous)))
        return asks
    }

    private mutating func hold(_ message: Waiting) {
        waiting.append(message)
        count(message, 1)
    }

    /// Counts a message that waits, or no longer does.
    private mutating func count(_ message: Waiting, _ sign: Int) {
        switch message.sender {
        case .waitsForRoom, .offers(isSynchronous: false): withoutRoom += sign
        case .offers(isSynchronous: true): break
        case .continues, .waits, .elsewhere, .brings: held += sign * message.envelope.cost
        }
    }

    /// Gives room to messages in the order in which they came, as long as there is some. Returns the messages that got
    /// room, each with its sender as it was.
    mutating func giveRoom() -> [(RankEnvelope, Sender)] {
        var given: [(RankEnvelope, Sender)] = []
        var place = first
        while withoutRoom > 0, hasRoom {
            defer { place += 1 }
            let (envelope, sender) = (waiting[place].envelope, waiting[place].sender)
            switch sender {
            case .waitsForRoom: change(place, to: .continues)
            case .offers(isSynchronous: false):
                change(place, to: .brings)
                asked[envelope.name] = Asked(envelope: envelope)
            default: continue
            }
            given.append((envelope, sender))
        }
        return given
    }

    private mutating func change(_ place: Int, to sender: Sender) {
        count(waiting[place], -1)
        waiting[place].sender = sender
        count(waiting[place], 1)
    }

    func find(_ pattern: RankPattern) -> RankEnvelope? {
        waiting[first...].first { pattern.matches($0.envelope) }?.envelope
    }

    /// Takes the first message that matches.
    mutating func take(_ pattern: RankPattern) -> Waiting? {
        guard let place = waiting[first...].firstIndex(where: { pattern.matches($0.envelope) }) else { return nil }
        var found = waiting[place]
        count(found, -1)
        if case .brings = found.sender, let octets = asked[found.envelope.name]?.octets {
            found.octets = octets
            asked[found.envelope.name] = nil
        }
        if place == first {
            // The place keeps no bytes until it is removed with others.
            waiting[place].octets = nil
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

    /// Keeps the bytes of an offer that were asked for. Returns its envelope and the request that they complete, if a
    /// receive has taken the message already. Throws if nobody asked for them.
    mutating func bring(
        _ octets: [UInt8], of name: MessageName
    ) throws(RankError) -> (RankEnvelope, request: Int32?) {
        guard let offer = asked[name], offer.octets == nil, offer.envelope.octets == octets.count else { throw .misfit }
        if let request = offer.request {
            asked[name] = nil
            requests[request] = .received(offer.envelope.message(octets))
        } else {
            asked[name]?.octets = octets
        }
        return (offer.envelope, offer.request)
    }

    // MARK: requests

    /// Returns the new request's number; nil if there are too many.
    mutating func open(_ request: Request) -> Int32? {
        guard requests.count < RankLimits.requests else { return nil }
        repeat { last = last == .max ? 1 : last + 1 } while requests[last] != nil
        requests[last] = request
        switch request {
        case .receiving: posted.append(last)
        case .arriving(let envelope): asked[envelope.name] = Asked(envelope: envelope, request: last)
        case .sending, .sent, .received: break
        }
        return last
    }

    /// Removes a request that is complete, and returns it; nil if it is not.
    mutating func close(_ number: Int32) -> Request? {
        isComplete(number) ? requests.removeValue(forKey: number) : nil
    }

    func isComplete(_ number: Int32) -> Bool {
        switch requests[number] {
        case .sent, .received: true
        case .sending, .receiving, .arriving, nil: false
        }
    }

    mutating func sent(_ number: Int32, octets: Int) { requests[number] = .sent(octets: octets) }

    /// The first request that receives this message.
    func receiver(of message: RankEnvelope) -> (number: Int32, capacity: Int)? {
        for number in posted {
            if case .receiving(let pattern, let capacity) = requests[number], pattern.matches(message) {
                return (number, capacity)
            }
        }
        return nil
    }

    mutating func received(_ number: Int32, _ message: RankMessage) {
        remove(posted: number)
        requests[number] = .received(message)
    }

    /// The message that a request takes is on its way.
    mutating func expect(_ number: Int32, _ envelope: RankEnvelope) {
        remove(posted: number)
        requests[number] = .arriving(envelope)
        asked[envelope.name] = Asked(envelope: envelope, request: number)
    }

    private mutating func remove(posted number: Int32) {
        if let place = posted.firstIndex(of: number) { posted.remove(at: place) }
    }
}

extension RankEnvelope {
    fileprivate var name: RankDesk.MessageName { RankDesk.MessageName(source: source, number: number) }
}
