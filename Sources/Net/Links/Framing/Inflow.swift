import PotluckCore

/// An item decoded from a link's bytes.
package enum Arrival: Equatable {
    case message([UInt8])
    case credit(PerLane<Int>)
    case ping(UInt64)
    case pong(UInt64)
    case farewell(Farewell)
}

/// Decodes bytes to frames and messages, however TCP split them. It keeps at most one unfinished message for each lane.
package struct Inflow {
    /// The header being read, or the first eight bytes of the body of a frame without a piece of a message.
    private var word: UInt64 = 0
    private var wordLength = 0
    private var frame: FrameHeader?
    private var bodyLeft = 0
    private var unfinished = PerLane<[UInt8]>([])
    /// The credit that the peer has left, in bytes.
    private var window = PerLane(LinkLimits.window)
    /// The bytes that the peer sent and that were not returned as credit yet.
    private var owed = PerLane(0)
    private var free: Allowance

    package init(at now: Instant) { free = Allowance(LinkLimits.freeFrames, at: now) }

    /// Decodes all of these bytes.
    package mutating func receive(_ octets: UnsafeRawBufferPointer, at now: Instant, into arrivals: inout [Arrival])
        throws(LinkError)
    {
        var rest = octets[...]
        while true {
            if let frame {
                // A body may be empty, so this check comes before the check of the remaining bytes.
                if let lane = frame.lane {
                    try takePiece(of: lane, isLast: frame.isLast, from: &rest, into: &arrivals)
                } else {
                    try takeBody(of: frame, from: &rest, into: &arrivals)
                }
                if bodyLeft > 0 { return }
                self.frame = nil
                word = 0
                wordLength = 0
            }
            if rest.isEmpty { return }
            while wordLength < LinkLimits.frameHeader, let octet = rest.popFirst() {
                word |= UInt64(octet) << UInt64(8 * wordLength)
                wordLength += 1
            }
            guard wordLength == LinkLimits.frameHeader else { return }
            try begin(FrameHeader(UInt32(truncatingIfNeeded: word)), at: now)
        }
    }

    private mutating func begin(_ header: FrameHeader, at now: Instant) throws(LinkError) {
        guard header.length <= LinkLimits.frameBody else {
            throw LinkError(what: "a frame of \(header.length) octets, more than \(LinkLimits.frameBody)")
        }
        if let lane = header.lane {
            guard header.length > 0 else { throw LinkError(what: "an empty message frame") }
            let cost = LinkLimits.frameHeader + header.length
            guard cost <= window[lane] else { throw LinkError(what: "more \(lane) data than its credit allows") }
            guard unfinished[lane].count + header.length <= lane.messageLimit else {
                throw LinkError(what: "a \(lane) message of more than \(lane.messageLimit) octets")
            }
            window[lane] -= cost
        } else if header.kind != FrameKind.credit {
            // Frames of credit need no limit here: credit is bounded by the bytes that were sent.
            guard free.take(at: now) else { throw LinkError(what: "too many frames that need no credit") }
        }
        if header.lane == .bulk, !header.isLast, unfinished.bulk.isEmpty {
            unfinished.bulk.reserveCapacity(LinkLimits.usualMessage)
        }
        frame = header
        bodyLeft = header.length
        word = 0
        wordLength = 0
    }

    private mutating func takePiece(
        of lane: LinkLane, isLast: Bool, from rest: inout Slice<UnsafeRawBufferPointer>,
        into arrivals: inout [Arrival]
    ) throws(LinkError) {
        let piece = rest.prefix(bodyLeft)
        rest = rest[piece.endIndex...]
        bodyLeft -= piece.count
        unfinished[lane].append(contentsOf: UnsafeRawBufferPointer(rebasing: piece))
        guard bodyLeft == 0, let frame else { return }
        owed[lane] += LinkLimits.frameHeader + frame.length
        guard isLast else { return }
        arrivals.append(.message(unfinished[lane]))
        unfinished[lane] = []
    }

    private mutating func takeBody(
        of frame: FrameHeader, from rest: inout Slice<UnsafeRawBufferPointer>, into arrivals: inout [Arrival]
    ) throws(LinkError) {
        let body = rest.prefix(bodyLeft)
        rest = rest[body.endIndex...]
        bodyLeft -= body.count
        for octet in body.prefix(8 - wordLength) {
            word |= UInt64(octet) << UInt64(8 * wordLength)
            wordLength += 1
        }
        guard bodyLeft == 0 else { return }
        switch frame.kind {
        case FrameKind.credit:
            try require(8, of: frame)
            var credit = PerLane(0)
            credit.control = Int(word & 0xffff_ffff)
            credit.bulk = Int(word >> 32)
            arrivals.append(.credit(credit))
        case FrameKind.ping:
            try require(8, of: frame)
            arrivals.append(.ping(word))
        case FrameKind.pong:
            try require(8, of: frame)
            arrivals.append(.pong(word))
        case FrameKind.farewell:
            try require(1, of: frame)
            arrivals.append(.farewell(Farewell(rawValue: UInt8(truncatingIfNeeded: word))))
        default:
            // A kind of a later version.
            break
        }
    }

    /// Throws if the body is too short. Bytes after the known fields come from a later version and are skipped.
    private func require(_ length: Int, of frame: FrameHeader) throws(LinkError) {
        guard frame.length >= length else { throw LinkError(what: "a frame of kind \(frame.kind) that is too short") }
    }

    /// Returns the credit to give back, or nil if less than a quarter of the window is due in both lanes.
    package mutating func grant() -> PerLane<Int>? {
        guard owed.control >= LinkLimits.grant || owed.bulk >= LinkLimits.grant else { return nil }
        let grant = owed
        window.control += grant.control
        window.bulk += grant.bulk
        owed = PerLane(0)
        return grant
    }

    /// The number of bytes of unfinished messages.
    package var kept: Int { unfinished.control.count + unfinished.bulk.count }
}
