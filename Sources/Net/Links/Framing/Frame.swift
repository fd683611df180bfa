import PotluckCore

/// The kinds of frames. The numbers are part of the wire protocol: never reuse one.
/// Frames of unknown kinds are skipped.
package enum FrameKind {
    package static let control: UInt8 = 0
    package static let bulk: UInt8 = 1
    package static let credit: UInt8 = 2
    package static let ping: UInt8 = 3
    package static let pong: UInt8 = 4
    package static let farewell: UInt8 = 5
}

/// The four bytes before the body of every frame: the body's length, little-endian; its kind; its flags.
package struct FrameHeader: Equatable {
    /// The flag of a frame that ends its message.
    package static let last: UInt8 = 1

    package var length: Int
    package var kind: UInt8
    package var flags: UInt8

    package init(length: Int, kind: UInt8, flags: UInt8 = 0) {
        self.length = length
        self.kind = kind
        self.flags = flags
    }

    package init(_ word: UInt32) {
        length = Int(word & 0xffff)
        kind = UInt8(truncatingIfNeeded: word >> 16)
        flags = UInt8(truncatingIfNeeded: word >> 24)
    }

    /// The header as a number, which must be stored little-endian.
    package var word: UInt32 { UInt32(length) | UInt32(kind) << 16 | UInt32(flags) << 24 }

    /// The lane if the frame contains a piece of a message; nil otherwise.
    package var lane: LinkLane? { LinkLane(rawValue: kind) }
    package var isLast: Bool { flags & Self.last != 0 }
}

/// A violation of the rules of links by the peer.
package struct LinkError: Error, Hashable {
    package let what: String
}

extension LinkLane {
    package var messageLimit: Int {
        switch self {
        case .control: LinkLimits.controlMessage
        case .bulk: LinkLimits.bulkMessage
        }
    }

    package var backlogLimit: Int {
        switch self {
        case .control: LinkLimits.controlBacklog
        case .bulk: LinkLimits.bulkBacklog
        }
    }
}

/// One value for each lane.
package struct PerLane<Value> {
    package var control: Value
    package var bulk: Value

    package init(_ value: Value) {
        control = value
        bulk = value
    }

    package subscript(lane: LinkLane) -> Value {
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
