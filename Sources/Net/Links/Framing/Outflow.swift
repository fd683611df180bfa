import PotluckCore

/// The outcome of `send` for a message.
package enum Sending: Equatable {
    case waits
    /// The message is unreliable and would have had to wait.
    case dropped
    /// Too much is queued for this peer, and the link must end.
    case overfull
}

/// Encodes messages to frames, as far as the peer's credit permits: first heartbeats
/// and credit, then control, then bulk.
///
/// Pongs, pings and credit are only remembered, not queued. So a peer that sends pings and never reads costs no memory.
///
/// Messages that this node passes on for others have a backlog of their own, as long as that of its own messages. If it
/// is full, the link that filled most of it ends.
package struct Outflow {
    private struct Message {
        let octets: [UInt8]
        /// The link over which the message came, if this node passes it on.
        let origin: LinkID?

        var cost: Int { octets.count + LinkLimits.messageItself }
    }

    private struct Lane {
        var messages = Queue<Message>()
        /// The number of bytes of the first message that are already in frames.
        var sent = 0
        /// Bytes of messages that are not in frames yet, and of this node's own among them.
        var waiting = 0
        var own = 0
        var passed = Passed()
        var credit = LinkLimits.window

        mutating func add(_ message: Message) {
            messages.append(message)
            waiting += message.octets.count
            if let origin = message.origin {
                passed.add(message.cost, from: origin)
            } else {
                own += message.octets.count
            }
        }

        /// Counts bytes of the first message that were put in a frame.
        mutating func took(_ count: Int, of message: Message) {
            waiting -= count
            sent += count
            if message.origin == nil { own -= count }
            guard sent == message.octets.count else { return }
            if let origin = message.origin { passed.remove(message.cost, from: origin) }
            messages.removeFirst()
            sent = 0
        }

        /// Drops the messages that came over a link, except the first one of the queue, whose beginning may be in
        /// frames.
        mutating func drop(_ origin: LinkID) {
            for message in messages.removeRest(where: { $0.origin == origin }) {
                waiting -= message.octets.count
                passed.remove(message.cost, from: origin)
            }
        }
    }

    private var lanes = PerLane(Lane())
    private var pong: UInt64?
    private var ping: UInt64?
    private var grant: PerLane<Int>?
    private var farewell: Farewell?
    private var isFarewellSent = false
    private var isHigh = false

    /// Queues a message, or drops it. After a farewell every message is dropped.
    package mutating func send(_ message: [UInt8], lane: LinkLane, reliability: Reliability) -> Sending {
        precondition(message.count <= lane.messageLimit, "a \(lane) message of \(message.count) octets is too long")
        guard farewell == nil, !message.isEmpty else { return .dropped }
        switch reliability {
        case .unreliable:
            let frames = (message.count + LinkLimits.frameBody - 1) / LinkLimits.frameBody
            guard lanes[lane].messages.isEmpty,
                lanes[lane].credit >= message.count + (frames + 1) * LinkLimits.frameHeader
            else { return .dropped }
        case .reliable:
            guard lanes[lane].own + message.count <= lane.backlogLimit else { return .overfull }
        }
        add(Message(octets: message, origin: nil), to: lane)
        return .waits
    }

    /// Queues a message that came over another link. If more of these wait than the peer reads, returns the link that
    /// sent most of them, which must end.
    package mutating func pass(_ message: [UInt8], from origin: LinkID, lane: LinkLane) -> LinkID? {
        precondition(message.count <= lane.messageLimit, "a \(lane) message of \(message.count) octets is too long")
        guard farewell == nil, !message.isEmpty else { return nil }
        add(Message(octets: message, origin: origin), to: lane)
        guard lanes[lane].passed.sum > lane.backlogLimit, let greediest = lanes[lane].passed.greediest else {
            return nil
        }
        for lane in LinkLane.allCases { lanes[lane].drop(greediest) }
        return greediest
    }

    private mutating func add(_ message: Message, to lane: LinkLane) {
        lanes[lane].add(message)
        if waiting > LinkLimits.highWater { isHigh = true }
    }

    package mutating func answer(_ ping: UInt64) { pong = ping }
    package mutating func ask(_ token: UInt64) { ping = token }

    package mutating func give(_ credit: PerLane<Int>) {
        var sum = grant ?? PerLane(0)
        sum.control += credit.control
        sum.bulk += credit.bulk
        grant = sum
    }

    package mutating func end(_ farewell: Farewell) { if self.farewell == nil { self.farewell = farewell } }

    /// Takes the credit that the peer returned. Throws if it is more than was spent.
    package mutating func receive(_ credit: PerLane<Int>) throws(LinkError) {
        guard credit.control + credit.bulk > 0 else { throw LinkError(what: "a credit frame without credit") }
        for lane in LinkLane.allCases {
            lanes[lane].credit += credit[lane]
            guard lanes[lane].credit <= LinkLimits.window else { throw LinkError(what: "more credit than was spent") }
        }
    }

    /// The number of bytes of messages that are not in frames yet.
    package var waiting: Int { lanes.control.waiting + lanes.bulk.waiting }

    /// Whether everything was sent, including the farewell.
    package var isFinished: Bool { isFarewellSent }

    /// Returns true once after the queue was above the high-water mark and fell below the low-water mark.
    package mutating func takeDrained() -> Bool {
        guard isHigh, waiting <= LinkLimits.lowWater else { return false }
        isHigh = false
        return true
    }

    /// Writes frames to the buffer, which holds one TLS record. Returns the number of bytes written.
    package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        var frames = FrameWriter(buffer)
        if let token = pong, frames.put(FrameKind.pong, token) { pong = nil }
        if let token = ping, frames.put(FrameKind.ping, token) { ping = nil }
        if let credit = grant,
            frames.put(FrameKind.credit, UInt64(credit.control) | UInt64(credit.bulk) << 32)
        {
            grant = nil
        }
        pour(.control, into: &frames)
        pour(.bulk, into: &frames)
        if let farewell, !isFarewellSent, waiting == 0, frames.put(farewell) { isFarewellSent = true }
        return frames.count
    }

    /// Returns the length of the next piece of the lane's first message that fits
    /// into `space`, or nil if there is none.
    private func piece(of lane: LinkLane, space: Int) -> Int? {
        let lane = lanes[lane]
        guard let message = lane.messages.first else { return nil }
        let rest = message.octets.count - lane.sent
        let piece = min(rest, space, lane.credit - LinkLimits.frameHeader, LinkLimits.frameBody)
        return piece == rest || piece >= LinkLimits.leastPiece ? piece : nil
    }

    private mutating func pour(_ lane: LinkLane, into frames: inout FrameWriter) {
        while let piece = piece(of: lane, space: frames.space), let message = lanes[lane].messages.first {
            let start = lanes[lane].sent
            let isLast = start + piece == message.octets.count
            frames.put(
                FrameHeader(length: piece, kind: lane.rawValue, flags: isLast ? FrameHeader.last : 0),
                message.octets[start..<start + piece])
            lanes[lane].credit -= LinkLimits.frameHeader + piece
            lanes[lane].took(piece, of: message)
        }
    }
}

/// Writes consecutive frames to a buffer.
private struct FrameWriter {
    private let buffer: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    /// The space for the body of one more frame.
    var space: Int { buffer.count - count - LinkLimits.frameHeader }

    mutating func put(_ header: FrameHeader, _ body: ArraySlice<UInt8>) {
        buffer.storeBytes(of: header.word.littleEndian, toByteOffset: count, as: UInt32.self)
        count += LinkLimits.frameHeader
        body.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: $0) }
        count += body.count
    }

    /// Returns false if there is no space.
    mutating func put(_ kind: UInt8, _ word: UInt64) -> Bool {
        guard space >= 8 else { return false }
        buffer.storeBytes(
            of: FrameHeader(length: 8, kind: kind).word.littleEndian, toByteOffset: count, as: UInt32.self)
        buffer.storeBytes(
            of: word.littleEndian, toByteOffset: count + LinkLimits.frameHeader, as: UInt64.self)
        count += LinkLimits.frameHeader + 8
        return true
    }

    mutating func put(_ farewell: Farewell) -> Bool {
        guard space >= 1 else { return false }
        put(FrameHeader(length: 1, kind: FrameKind.farewell), [farewell.rawValue])
        return true
    }
}
