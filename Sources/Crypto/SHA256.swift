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
}
