import CSodium
import PotluckCore

extension SessionID {
    /// A hash that identifies a session without showing its name. It hides the name
    /// from a glance, but not from a guess.
    public var hash: SessionHash {
        SessionHash(firstOctetsOf: Blake2b.hash(Array("potluck/1 session \(name)".utf8), length: 16))
    }
}

/// Why a key could not be derived.
public enum CryptoError: Error, Equatable, CustomStringConvertible {
    case noMemory(megabytes: Int)

    public var description: String {
        switch self {
        case .noMemory(let megabytes):
            "not enough memory for the session's keys; free \(megabytes) MiB and try again"
        }
    }
}

/// The secret that all nodes of a session share. Every key of the session is a subkey of it.
public struct SessionRoot: Sendable, CustomStringConvertible {
    /// Three passes over 64 MiB: a guess takes 70 to 150 ms on a laptop, and enough memory to slow down large GPUs.
    static let passes: UInt64 = 3
    static let memory = 64 << 20
    /// The number of each subkey. Never reuse a number.
    private static let linkKey: UInt64 = 1
    private static let beaconKey: UInt64 = 2
    /// Eight bytes, as `crypto_kdf` requires.
    private static let context = Array("potluck1".utf8.map { CChar($0) })

    private let octets: [UInt8]

    /// Derives the secret from a join code by Argon2id, salted with the session ID, so that each guess costs one
    /// derivation. It takes about a tenth of a second. Call it once per process, and not on the cooperative pool.
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
        Log("crypto").info("derived the session's key from its code")
    }

    /// The secret of a session without a code. It protects nothing, because anyone can compute it,
    /// but both kinds of session then use the same code path.
    public init(openTo session: SessionID) {
        octets = Blake2b.hash(Array("potluck/1 open \(session.name)".utf8), length: 32)
    }

    /// The key for links.
    public var link: LinkKey { LinkKey(octets: subkey(Self.linkKey)) }

    /// The key for the tags of beacons.
    public var beacon: BeaconKey { BeaconKey(octets: subkey(Self.beaconKey)) }

    private func subkey(_ number: UInt64) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        crypto_kdf_derive_from_key(&out, out.count, number, Self.context, octets)
        return out
    }

    /// Contains nothing of the secret, because it may appear in a log.
    public var description: String { "SessionRoot" }
}

/// The key that makes and verifies the tags of a session's beacons.
public struct BeaconKey: Sendable, CustomStringConvertible {
    static let tagLength = 16

    private let octets: [UInt8]

    init(octets: [UInt8]) { self.octets = octets }

    /// Returns the BLAKE2b-128 of the message under this key.
    public func tag(of message: some Collection<UInt8>) -> [UInt8] {
        Blake2b.hash(message, length: Self.tagLength, key: octets)
    }

    /// Returns whether the tag is right. The time it takes does not depend on where the tags differ.
    public func isTag(_ tag: some Collection<UInt8>, of message: some Collection<UInt8>) -> Bool {
        guard tag.count == Self.tagLength else { return false }
        return sodium_memcmp(Array(tag), self.tag(of: message), Self.tagLength) == 0
    }

    /// Returns whether a datagram ends with the tag of the bytes before it. It reads the datagram in place and copies
    /// nothing, because a flood calls it for each datagram.
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
