import CSodium
import PotluckModel

/// Who this node is: an Ed25519 pair made at start, so that nobody else can claim its ID.
public struct Identity: Sendable, CustomStringConvertible {
    public let publicKey: [UInt8]
    public let node: NodeID

    public init() {
        Sodium.ready
        var publicKey = [UInt8](repeating: 0, count: 32)
        var secretKey = [UInt8](repeating: 0, count: 64)
        crypto_sign_keypair(&publicKey, &secretKey)
        self.publicKey = publicKey
        node = Self.node(of: publicKey)
    }

    /// BLAKE2b-128 of the public half.
    public static func node(of publicKey: [UInt8]) -> NodeID {
        NodeID(firstOctetsOf: Blake2b.hash(publicKey, length: NodeID.length))
    }

    public var description: String { "Identity(\(node))" }
}
