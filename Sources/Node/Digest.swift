import PotluckCore
import PotluckSystem

extension JobResult {
    /// The result's digest: the SHA-256 of `digestInput`, in 64 hexadecimal digits. Two sessions that computed the same
    /// job get the same.
    public var digest: String { SHA256.hash(digestInput).hexadecimal }
}

extension PooledRuns {
    /// The digest of the pooled result, in 64 hexadecimal digits.
    public var digest: String { SHA256.hash(digestInput).hexadecimal }
}

extension ComparedTallies {
    /// The digest of a comparison, in 64 hexadecimal digits.
    public var digest: String { SHA256.hash(digestInput).hexadecimal }
}
