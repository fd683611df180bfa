/// The ID of a node. It is new at every start, so a node that restarts is a new node.
///
/// It is the BLAKE2b-128 of the public half of an Ed25519 key pair made at start, so no other node can claim it.
public struct NodeID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public static let length = 16

    // Two words instead of sixteen bytes, because every table of nodes is looked up by ID.
    private let first: UInt64
    private let second: UInt64

    /// Returns nil unless there are exactly sixteen bytes.
    ///
    /// It is inlined for the kind of collection at hand. Otherwise it took a fifth of the time in which 500 guests
    /// reconnect, because everybody reads everybody's ID.
    @inlinable
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        for octet in octets { words = (words.0 << 8 | words.1 >> 56, words.1 << 8 | UInt64(octet)) }
        self.init(words: words)
    }

    /// Takes the first sixteen bytes of a hash.
    public init(firstOctetsOf hash: [UInt8]) {
        precondition(hash.count >= Self.length)
        first = hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        second = hash[8..<Self.length].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The ID as two numbers, for records that are written often.
    package var words: (UInt64, UInt64) { (first, second) }

    @usableFromInline
    package init(words: (UInt64, UInt64)) { (first, second) = words }

    public var octets: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.length) { memory, count in
            let memory = UnsafeMutableRawBufferPointer(memory)
            memory.storeBytes(of: first.bigEndian, as: UInt64.self)
            memory.storeBytes(of: second.bigEndian, toByteOffset: 8, as: UInt64.self)
            count = Self.length
        }
    }

    /// The ID of no node. It stands for a machine that computes alone, and for
    /// blocks whose worker is not known any more.
    public static let nobody = NodeID([UInt8](repeating: 0, count: length))!

    /// The order of the bytes. It decides which of two nodes dials the other.
    public static func < (a: NodeID, b: NodeID) -> Bool { (a.first, a.second) < (b.first, b.second) }

    /// All 32 hexadecimal digits.
    public var description: String { octets.hexadecimal }

    /// The first eight digits, which distinguish two nodes called "ana" on a screen.
    public var short: String { octets.prefix(4).hexadecimal }
}

/// The name of a session, such as `Monty`. Nodes need the same name to find each other.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    /// In bytes of UTF-8: session name and display name must fit in a beacon and in a TXT record of at most 400 bytes.
    public static let maximumLength = 63

    public let name: String

    /// Returns nil for an empty name, for one over 63 bytes of UTF-8 or not fit for
    /// a screen, and for one with blanks at its ends.
    public init?(_ name: String) {
        guard (1...Self.maximumLength).contains(name.utf8.count),
            name.isFitForScreen, name.first?.isWhitespace == false, name.last?.isWhitespace == false
        else { return nil }
        self.name = name
    }

    public var description: String { name }
}

/// The first eight bytes of a session ID's hash, which Crypto computes. Beacons, TXT
/// records and the mDNS subtype contain it.
public struct SessionHash: Hashable, Sendable, CustomStringConvertible {
    public static let length = 8

    public let octets: [UInt8]

    /// Returns nil unless there are exactly eight bytes.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        self.octets = Array(octets)
    }

    /// Takes the first eight bytes of a hash.
    public init(firstOctetsOf hash: [UInt8]) {
        precondition(hash.count >= Self.length)
        octets = Array(hash.prefix(Self.length))
    }

    /// All sixteen hexadecimal digits.
    public var description: String { octets.hexadecimal }
}

/// How a node takes part in a session, as in GKSession.
public enum Mode: UInt8, CaseIterable, Sendable, CustomStringConvertible {
    /// Advertises the session and accepts connections.
    case server = 1
    /// Looks for servers and connects to them.
    case client = 2
    /// Does both.
    case peer = 3

    public var description: String {
        switch self {
        case .server: "server"
        case .client: "client"
        case .peer: "peer"
        }
    }
}

extension Sequence where Element == UInt8 {
    /// The bytes as hexadecimal digits: two lower-case digits for each byte.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Parses two hexadecimal digits for each byte, in either case; returns nil for anything else.
    public init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        reserveCapacity(digits.count / 2)
        var high: UInt8?
        for octet in digits {
            guard let digit = Self.digit(octet) else { return nil }
            if let first = high {
                append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
    }

    private static func digit(_ octet: UInt8) -> UInt8? {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): octet - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): octet - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): octet - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
