import CSodium
import PotluckModel

extension SessionID {
    /// What a session is named by where its name may be hidden. It hides the name from a glance, not from a guess.
    public var hash: SessionHash {
        SessionHash(firstOctetsOf: Blake2b.hash(Array("potluck/1 session \(name)".utf8), length: 16))
    }
}

/// Why a key could not be made.
public enum CryptoError: Error, Equatable, CustomStringConvertible {
    case noMemory(megabytes: Int)

    public var description: String {
        switch self {
        case .noMemory(let megabytes):
            "the session's keys could not be made: \(megabytes) MiB of memory are needed; close something and try again"
        }
    }
}

/// The secret all nodes of a session share; every key of the session is a subkey of it.
public struct SessionRoot: Sendable, CustomStringConvertible {
    /// Three passes over 64 MiB: 70 to 150 ms a guess on a laptop, and as much memory as keeps large GPUs slow.
    static let passes: UInt64 = 3
    static let memory = 64 << 20
    /// Which key is which subkey; numbers are never used again for something else.
    private static let linkKey: UInt64 = 1
    private static let beaconKey: UInt64 = 2
    /// Eight octets, as `crypto_kdf` wants.
    private static let context = Array("potluck1".utf8.map { CChar($0) })

    private let octets: [UInt8]

    /// From a join code: Argon2id, salted with the session ID, so that each guess costs one. It takes a tenth of a
    /// second: once per process, and not on the cooperative pool.
    public init(code: JoinCode, session: SessionID) throws(CryptoError) {
        let words = code.octets.map { CChar(bitPattern: $0) }
        Sodium.ready
        let salt = Blake2b.hash(Array("potluck/1".utf8) + Array(session.name.utf8), length: 16)
        var out = [UInt8](repeating: 0, count: 32)
        let status = crypto_pwhash(
            &out, UInt64(out.count), words, UInt64(words.count), salt, Self.passes, Self.memory,
            crypto_pwhash_alg_argon2id13())
        guard status == 0 else { throw .noMemory(megabytes: Self.memory >> 20) }
        octets = out
    }

    /// Of a session without a code. Anybody can make it, so it proves nothing; but one path serves both kinds of session.
    public init(openTo session: SessionID) {
        octets = Blake2b.hash(Array("potluck/1 open \(session.name)".utf8), length: 32)
    }

    /// The key that opens links.
    public var link: LinkKey { LinkKey(octets: subkey(Self.linkKey)) }

    /// The key of the beacons' tags.
    public var beacon: BeaconKey { BeaconKey(octets: subkey(Self.beaconKey)) }

    private func subkey(_ number: UInt64) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        crypto_kdf_derive_from_key(&out, out.count, number, Self.context, octets)
        return out
    }

    /// Nothing of the secret: this may end in a log.
    public var description: String { "SessionRoot" }
}

/// What the tags of a session's beacons are made and checked with.
public struct BeaconKey: Sendable, CustomStringConvertible {
    public static let tagLength = 16

    private let octets: [UInt8]

    init(octets: [UInt8]) { self.octets = octets }

    /// BLAKE2b-128 of the message under this key.
    public func tag(of message: some Collection<UInt8>) -> [UInt8] {
        Blake2b.hash(message, length: Self.tagLength, key: octets)
    }

    /// Takes the same time wherever the first difference is.
    public func isTag(_ tag: some Collection<UInt8>, of message: some Collection<UInt8>) -> Bool {
        guard tag.count == Self.tagLength else { return false }
        return sodium_memcmp(Array(tag), self.tag(of: message), Self.tagLength) == 0
    }

    /// Whether a datagram ends with the tag of all that is before it. It lies where it is, and nothing is copied: this is what a
    /// flood costs.
    public func isTag(endOf datagram: Span<UInt8>) -> Bool {
        Sodium.ready
        return datagram.withUnsafeBufferPointer { datagram in
            let length = datagram.count - Self.tagLength
            guard length >= 0, let start = datagram.baseAddress else { return false }
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.tagLength) { tag in
                guard let right = tag.baseAddress else { return false }
                let status = crypto_generichash(
                    right, Self.tagLength, start, UInt64(length), octets, octets.count)
                return status == 0 && sodium_memcmp(right, start + length, Self.tagLength) == 0
            }
        }
    }

    public var description: String { "BeaconKey" }
}
