import COpenSSL

/// The hash that users can check with `sha256sum`. It uses OpenSSL, which uses the CPU's instructions for it if there
/// are any, because the output of gatherings is hashed in several places.
public enum SHA256 {
    public static let length = 32

    /// OpenSSL's description of the algorithm. It never changes, so every thread may use it.
    private nonisolated(unsafe) static let digest: OpaquePointer = {
        // Prevents OpenSSL from freeing its globals at exit while other threads still run.
        guard OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1,
            let digest = EVP_MD_fetch(nil, "SHA2-256", nil)
        else { preconditionFailure("this OpenSSL has no SHA-256") }
        return digest
    }()

    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { hash, count in
            let result = EVP_Digest(bytes, bytes.count, hash.baseAddress, nil, digest, nil)
            precondition(result == 1, "OpenSSL has no memory")
            count = length
        }
    }

    /// The hash of bytes that arrive in pieces.
    public final class Sum {
        private let context: OpaquePointer

        public init() {
            guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex2(context, digest, nil) == 1 else {
                preconditionFailure("OpenSSL has no memory")
            }
            self.context = context
        }

        deinit { EVP_MD_CTX_free(context) }

        public func add(_ bytes: [UInt8]) {
            precondition(EVP_DigestUpdate(context, bytes, bytes.count) == 1, "OpenSSL has no memory")
        }

        /// Returns the hash of everything added. Nothing may be added afterwards.
        public func hash() -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: length) { hash, count in
                precondition(EVP_DigestFinal_ex(context, hash.baseAddress, nil) == 1, "OpenSSL has no memory")
                count = length
            }
        }
    }
}
