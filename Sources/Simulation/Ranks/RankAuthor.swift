import PotluckKit
import PotluckRanks

/// Makes up programs with ranks.
///
/// It puts messages into one order, and each rank sends and receives its own in that order. So the first message that is
/// not received can always be, whatever the modes and the delays, and each receive takes the message that was meant. Only
/// requests change places, where neither changes.
struct RankAuthor {
    enum Kind: CaseIterable {
        /// Its outcome does not depend on time, and it ends.
        case sound
        /// Its outcome does not depend on time, but it has faults and may never end.
        case faulty
        /// Everything may happen.
        case wild
    }

    let kind: Kind
    let size: Int
    let rooms: RankRooms
    var random: RandomStream
    /// The steps of each rank since the last checkpoint.
    private var part: [[RankStep]] = []

    private static let tags = 3
    private static let contexts = 2
    /// How far a request may begin earlier than its message's turn, in steps.
    private static let lead = 8

    init(_ kind: Kind, size: Int, _ rooms: RankRooms, _ random: RandomStream) {
        (self.kind, self.size, self.rooms, self.random) = (kind, size, rooms, random)
    }

    mutating func script() -> RankScript {
        var script = RankScript(ranks: Array(repeating: [], count: size))
        let parts = 1 + random.below(3)
        let endsWithCheckpoint = random.chance(0.3)
        for index in 1...parts {
            part = Array(repeating: [], count: size)
            for _ in 0..<random.below(14) { if random.chance(0.15) { burst() } else { message() } }
            for rank in 0..<size {
                part[rank].append(.wait(any: waitsForAny, all: true))
                if index < parts || endsWithCheckpoint { part[rank].append(.checkpoint) }
                hasten(rank)
                script.ranks[rank] += part[rank]
            }
        }
        if kind != .sound { damage(&script) }
        return script
    }

    /// Time decides which of several requests is complete first, and the waits of a rank show it.
    private var waitsForAny: Bool { mutating get { kind != .faulty && random.chance(0.5) } }

    // MARK: messages

    private mutating func message() {
        let sender = random.below(size)
        let sending = sending(from: sender)
        let isRequest = sender == sending.receiver && sending.mode != .buffered || random.chance(0.4)
        part[sender].append(isRequest ? .beginSending(sending) : .send(sending))
        receive(sending, from: sender)
        if random.chance(0.3) { wait(random.below(size)) }
    }

    /// Many messages from one rank to another, which does not receive them yet.
    private mutating func burst() {
        let sender = random.below(size)
        let first = sending(from: sender)
        let sendings = (0..<2 + random.below(20)).map { _ in
            var next = sending(from: sender)
            next.receiver = first.receiver
            return next
        }
        for sending in sendings { part[sender].append(.beginSending(sending)) }
        for sending in sendings { receive(sending, from: sender) }
    }

    private mutating func receive(_ sending: RankSending, from sender: Int) {
        let pattern = RankPattern(
            source: sender, tag: random.chance(0.3) ? nil : sending.tag, context: sending.context)
        if random.chance(0.4) {
            part[sending.receiver].append(.beginReceiving(pattern))
        } else {
            if random.chance(0.2) { part[sending.receiver].append(.probe(pattern)) }
            part[sending.receiver].append(.receive(pattern))
        }
    }

    private mutating func wait(_ rank: Int) {
        switch random.below(4) {
        case 0 where kind != .faulty: part[rank].append(.test)
        case 1: part[rank].append(.look(pattern()))
        case let place: part[rank].append(.wait(any: waitsForAny, all: place == 2))
        }
    }

    mutating func sending(from sender: Int) -> RankSending {
        // Where there is no room, it depends on time whether a standard send waits.
        let hasRoom = kind != .faulty || rooms.room == RankRooms().room
        let modes: [RankSendMode] = hasRoom ? RankSendMode.allCases : [.synchronous, .buffered]
        return RankSending(
            receiver: random.below(size), tag: random.below(Self.tags), context: random.below(Self.contexts),
            octets: length(), mode: modes[random.below(modes.count)])
    }

    private mutating func length() -> Int {
        switch random.below(8) {
        case 0: 0
        case 1: rooms.eager
        case 2: rooms.eager + 1
        case 3: min(rooms.room, 2000)
        case 4: random.below(2 * rooms.eager + 300)
        default: random.below(rooms.eager + 1)
        }
    }

    mutating func pattern() -> RankPattern {
        RankPattern(
            source: random.chance(0.3) ? nil : random.below(size),
            tag: random.chance(0.3) ? nil : random.below(Self.tags), context: random.below(Self.contexts))
    }

    // MARK: requests

    /// Lets requests begin earlier. None passes a wait, which would wait for it, too.
    private mutating func hasten(_ rank: Int) {
        for place in part[rank].indices where random.chance(0.5) {
            let step = part[rank][place]
            var target = place
            while target > max(0, place - Self.lead), mayPass(step, part[rank][target - 1]) { target -= 1 }
            let earlier = random.integer(in: target...place)
            part[rank].remove(at: place)
            part[rank].insert(step, at: earlier)
        }
    }

    private func mayPass(_ step: RankStep, _ other: RankStep) -> Bool {
        guard !other.isWait, other != .test, other != .checkpoint else { return false }
        switch step {
        case .beginSending(let sending):
            return other.sending.map { $0.receiver != sending.receiver || $0.context != sending.context } ?? true
        case .beginReceiving(let pattern):
            return other.pattern.map { $0.source != pattern.source || $0.context != pattern.context } ?? true
        default: return false
        }
    }
}
