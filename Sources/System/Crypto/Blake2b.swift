import CSodium

/// BLAKE2b, plain or keyed: libsodium's `crypto_generichash`.
enum Blake2b {
    /// Returns a hash of `length` bytes, from 16 to 64. A key, if there is one, has 16 to 64 bytes.
    static func hash(_ message: some Collection<UInt8>, length: Int, key: [UInt8] = []) -> [UInt8] {
        Sodium.ready
        var out = [UInt8](repeating: 0, count: length)
        let status =
            message.withContiguousStorageIfAvailable {
                crypto_generichash(&out, length, $0.baseAddress, UInt64($0.count), key.isEmpty ? nil : key, key.count)
            }
            ?? crypto_generichash(
                &out, length, Array(message), UInt64(message.count), key.isEmpty ? nil : key, key.count)
        // It fails only for lengths outside these ranges, and all lengths are constants.
        precondition(status == 0, "libsodium refuses a BLAKE2b of \(length) octets with a key of \(key.count)")
        return out
    }
}
