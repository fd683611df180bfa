import CSodium
import PotluckCore

/// The identity of this node: an Ed25519 key pair made at start, so that no other node can claim its ID.
public struct Identity: Sendable, CustomStringConvertible {
    static let publicKeyLength = 32
    static let signatureLength = 64

    public let publicKey: [UInt8]
    public let node: NodeID
    private let secretKey: Secret<[UInt8]>

    public init() {
        Sodium.ready
        var publicKey = [UInt8](repeating: 0, count: 32)
        var secretKey = [UInt8](repeating: 0, count: 64)
        crypto_sign_keypair(&publicKey, &secretKey)
        self.publicKey = publicKey
        self.secretKey = Secret(secretKey)
        node = Self.node(of: publicKey)
    }

    /// Returns the ID of the node with this public key: its BLAKE2b-128.
    public static func node(of publicKey: [UInt8]) -> NodeID {
        NodeID(firstOctetsOf: Blake2b.hash(publicKey, length: NodeID.length))
    }

    /// Returns a signature of 64 bytes, which only this node can make and every node can verify.
    public func signature(of message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Self.signatureLength)
        crypto_sign_detached(&signature, nil, message, UInt64(message.count), secretKey.exposed)
        return signature
    }

    /// Returns whether the owner of the public key signed the message. Returns false if a length is wrong.
    public static func isSignature(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
        guard signature.count == signatureLength, publicKey.count == publicKeyLength else { return false }
        Sodium.ready
        return crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }

    public var description: String { "Identity(\(node))" }
}
