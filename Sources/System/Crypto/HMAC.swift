import CSodium

/// HMAC-SHA-256 under one key. The key is hashed once, so that each tag costs only its message.
public struct HMAC: Sendable {
    public static let length = 32

    private let keyed: crypto_auth_hmacsha256_state

    public init(key: [UInt8]) {
        Sodium.ready
        var state = crypto_auth_hmacsha256_state()
        crypto_auth_hmacsha256_init(&state, key, key.count)
        keyed = state
    }

    /// Returns the tag of the parts, joined.
    public func tag(of parts: [UInt8]...) -> [UInt8] {
        var state = keyed
        for part in parts { crypto_auth_hmacsha256_update(&state, part, UInt64(part.count)) }
        var tag = [UInt8](repeating: 0, count: Self.length)
        crypto_auth_hmacsha256_final(&state, &tag)
        return tag
    }
}

extension Sequence<UInt8> where Self: Collection {
    /// Compares secrets in a time that does not depend on where they differ.
    public func isSecretlyEqual(to other: some Collection<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return sodium_memcmp(Array(self), Array(other), count) == 0
    }
}
