import PotluckCrypto
import PotluckModel

extension JobResult {
    /// What two groups compare who ran the same job: 64 hexadecimal digits, the SHA-256 of `digestInput`.
    public var digest: String { SHA256.hash(digestInput).hexadecimal }
}
