import PotluckModel

/// What a frame is for. The numbers go over the wire and are never used again for something else; frames of an unknown
/// kind are skipped.
enum FrameKind {
    static let control: UInt8 = 0
    static let bulk: UInt8 = 1
    static let credit: UInt8 = 2
    static let ping: UInt8 = 3
    static let pong: UInt8 = 4
    static let farewell: UInt8 = 5
}

/// The four octets in front of every frame: the length of its body, little-endian; its kind; its flags.
struct FrameHeader: Equatable {
    /// The message ends with this frame.
    static let last: UInt8 = 1

    var length: Int
    var kind: UInt8
    var flags: UInt8

    init(length: Int, kind: UInt8, flags: UInt8 = 0) {
        self.length = length
        self.kind = kind
        self.flags = flags
    }

    init(_ word: UInt32) {
        length = Int(word & 0xffff)
        kind = UInt8(truncatingIfNeeded: word >> 16)
        flags = UInt8(truncatingIfNeeded: word >> 24)
    }

    /// To be stored little-endian.
    var word: UInt32 { UInt32(length) | UInt32(kind) << 16 | UInt32(flags) << 24 }

    /// The lane of a frame that holds a piece of a message.
    var lane: LinkLane? { LinkLane(rawValue: kind) }
    var isLast: Bool { flags & Self.last != 0 }
}

/// What a peer did that links do not allow.
struct LinkFault: Error, Hashable {
    let what: String
}

extension LinkLane {
    var messageLimit: Int {
        switch self {
        case .control: LinkLimits.controlMessage
        case .bulk: LinkLimits.bulkMessage
        }
    }

    var backlogLimit: Int {
        switch self {
        case .control: LinkLimits.controlBacklog
        case .bulk: LinkLimits.bulkBacklog
        }
    }
}

/// One of something for each lane.
struct PerLane<Value> {
    var control: Value
    var bulk: Value

    init(_ value: Value) {
        control = value
        bulk = value
    }

    subscript(lane: LinkLane) -> Value {
        get {
            switch lane {
            case .control: control
            case .bulk: bulk
            }
        }
        _modify {
            switch lane {
            case .control: yield &control
            case .bulk: yield &bulk
            }
        }
    }
}

extension PerLane: Equatable where Value: Equatable {}
extension PerLane: Sendable where Value: Sendable {}
