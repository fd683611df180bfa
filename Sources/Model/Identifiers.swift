/// A node's name for itself: new at every start, so that a node that restarts is a new node.
///
/// It is the BLAKE2b-128 of the public half of an Ed25519 pair made at start; nobody else can claim it.
public struct NodeID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public static let length = 16

    // Two words rather than sixteen octets: every table of nodes is looked up by them.
    private let first: UInt64
    private let second: UInt64

    /// Nil unless there are exactly sixteen.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        first = octets.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        second = octets.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Of a hash that has sixteen octets or more.
    public init(firstOctetsOf hash: [UInt8]) {
        precondition(hash.count >= Self.length)
        first = hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        second = hash[8..<Self.length].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// As two numbers, for what is written down often.
    package var words: (UInt64, UInt64) { (first, second) }

    package init(words: (UInt64, UInt64)) { (first, second) = words }

    public var octets: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.length) { memory, count in
            let memory = UnsafeMutableRawBufferPointer(memory)
            memory.storeBytes(of: first.bigEndian, as: UInt64.self)
            memory.storeBytes(of: second.bigEndian, toByteOffset: 8, as: UInt64.self)
            count = Self.length
        }
    }

    /// No node's: for a node that is alone, and for what nobody can be named for.
    public static let nobody = NodeID([UInt8](repeating: 0, count: length))!

    /// The order that decides who dials whom: that of the octets.
    public static func < (a: NodeID, b: NodeID) -> Bool { (a.first, a.second) < (b.first, b.second) }

    /// All 32 hexadecimal digits.
    public var description: String { octets.hexadecimal }

    /// The first eight digits, enough to tell two nodes called "ana" apart on a screen.
    public var short: String { octets.prefix(4).hexadecimal }
}

/// What nodes must share to find each other: `Monty`.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    /// So that name and display name fit a beacon and a TXT record of at most 400 octets.
    public static let maximumLength = 63

    public let name: String

    /// Nil for an empty name, one over 63 octets of UTF-8, one not fit for a screen, or with blanks at its ends.
    public init?(_ name: String) {
        guard (1...Self.maximumLength).contains(name.utf8.count),
            name.isFitForScreen, name.first?.isWhitespace == false, name.last?.isWhitespace == false
        else { return nil }
        self.name = name
    }

    public var description: String { name }
}

/// The first eight octets of a session ID's hash (Crypto makes it): what a beacon, a TXT record and the mDNS subtype name
/// a session by.
public struct SessionHash: Hashable, Sendable, CustomStringConvertible {
    public static let length = 8

    public let octets: [UInt8]

    /// Nil unless there are exactly eight.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        self.octets = Array(octets)
    }

    /// Of a hash that has eight octets or more.
    public init(firstOctetsOf hash: [UInt8]) {
        precondition(hash.count >= Self.length)
        octets = Array(hash.prefix(Self.length))
    }

    /// All sixteen hexadecimal digits.
    public var description: String { octets.hexadecimal }
}

/// GKSession's three ways of taking part.
public enum Mode: UInt8, CaseIterable, Sendable, CustomStringConvertible {
    /// Advertises and accepts.
    case server = 1
    /// Looks for servers and connects.
    case client = 2
    /// Both.
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
    /// Two lower-case digits an octet.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Of two digits an octet, in either case; nil for anything else.
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
