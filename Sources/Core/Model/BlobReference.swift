/// The SHA-256 of some bytes, as `sha256sum` prints it for a file.
public struct BlobHash: Hashable, Sendable, CustomStringConvertible {
    public static let length = 32

    public let octets: [UInt8]

    /// Returns nil unless there are exactly 32 bytes.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        self.octets = Array(octets)
    }

    // Hashes all bytes at once: tables of blobs are looked up all the time.
    public func hash(into hasher: inout Hasher) { octets.withUnsafeBytes { hasher.combine(bytes: $0) } }

    /// All 64 hexadecimal digits, which users copy.
    public var description: String { octets.hexadecimal }

    /// Parses 64 hexadecimal digits; returns nil for anything else.
    public init?(digits: String) {
        guard let octets = [UInt8](hexadecimal: digits) else { return nil }
        self.init(octets)
    }
}

/// Names a *blob*: bytes that are transferred separately, in parts. Blobs are a job's module,
/// its tables, the output of a chunk, and the output of a job.
public struct BlobReference: Hashable, Sendable {
    /// The largest module in bytes. A simulation of thirty lines has 20 KiB, one with texts and dictionaries 100 KiB.
    public static let largestModule = 512 << 10
    /// The largest payload (tables) in bytes. Two matrices of 2048 rows and columns take half of it, and sending
    /// all of it over Wi-Fi of 100 Mbit/s takes ten seconds.
    public static let largestPayload = 128 << 20
    /// The largest output of a chunk in bytes. A chunk ends with the block that brings its output to a mebibyte, and
    /// this block may write as much as a module's answer may hold.
    public static let largestOutput = 80 << 20
    /// The largest blob in bytes: a tebibyte, which is more than a laptop has room for.
    public static let largest = 1 << 40

    public let hash: BlobHash
    /// The number of bytes.
    public let size: Int

    /// Returns nil if `size` is not in 1...largest.
    public init?(hash: BlobHash, size: Int, atMost largest: Int = Self.largest) {
        guard (1...largest).contains(size) else { return nil }
        self.hash = hash
        self.size = size
    }
}
