import CSodium

/// The hash that anybody can check with `sha256sum`.
public enum SHA256 {
    public static let length = 32

    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        Sodium.ready
        var hash = [UInt8](repeating: 0, count: length)
        crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
        return hash
    }

    /// The same of octets that come a piece after the other.
    public struct Sum {
        private var state = crypto_hash_sha256_state()

        public init() {
            Sodium.ready
            crypto_hash_sha256_init(&state)
        }

        public mutating func add(_ bytes: [UInt8]) { crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count)) }

        /// Of all that was added; nothing is added after it.
        public consuming func hash() -> [UInt8] {
            var hash = [UInt8](repeating: 0, count: length)
            crypto_hash_sha256_final(&state, &hash)
            return hash
        }
    }
}
