/// The SHA-256 of octets: what `sha256sum` says of a file.
public struct BlobHash: Hashable, Sendable, CustomStringConvertible {
    public static let length = 32

    public let octets: [UInt8]

    /// Nil unless there are exactly thirty-two.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        self.octets = Array(octets)
    }

    // In one go instead of octet by octet: tables of blobs are looked up all the time.
    public func hash(into hasher: inout Hasher) { octets.withUnsafeBytes { hasher.combine(bytes: $0) } }

    /// All 64 hexadecimal digits: what people copy.
    public var description: String { octets.hexadecimal }

    /// Of 64 hexadecimal digits.
    public init?(digits: String) {
        guard let octets = [UInt8](hexadecimal: digits) else { return nil }
        self.init(octets)
    }
}

/// Names a *blob*: octets that travel apart from what is said about them, a part at a time. A job's module and its tables, what
/// a chunk wrote, and what all of a job wrote.
public struct BlobReference: Hashable, Sendable {
    /// A simulation of thirty lines has 20 KiB, one with texts and dictionaries 100.
    public static let largestModule = 512 << 10
    /// Tables: two matrices of 2048 rows and columns take half of it, and a Wi-Fi of a hundred megabit ten seconds for all.
    public static let largestPayload = 128 << 20
    /// Of a chunk, which ends where it has written a mebibyte: the block that it ends with may write as much as a module's answer
    /// has.
    public static let largestOutput = 80 << 20
    /// A tebibyte: more than a laptop has room for.
    public static let largest = 1 << 40

    public let hash: BlobHash
    /// Octets.
    public let size: Int

    /// Nil where nothing has that size.
    public init?(hash: BlobHash, size: Int, atMost largest: Int = Self.largest) {
        guard (1...largest).contains(size) else { return nil }
        self.hash = hash
        self.size = size
    }
}
