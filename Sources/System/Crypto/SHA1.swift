import COpenSSL

/// The hash that a WebSocket's handshake needs. It protects nothing there, and is used for nothing else.
public enum SHA1 {
    private static let length = 20

    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { hash, count in
            let result = EVP_Digest(bytes, bytes.count, hash.baseAddress, nil, EVP_sha1(), nil)
            precondition(result == 1, "this OpenSSL has no SHA-1")
            count = length
        }
    }
}
