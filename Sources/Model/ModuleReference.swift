/// The SHA-256 of a module's octets: what `sha256sum` says of the file.
public struct ModuleHash: Hashable, Sendable, CustomStringConvertible {
    public static let length = 32

    public let octets: [UInt8]

    /// Nil unless there are exactly thirty-two.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        self.octets = Array(octets)
    }

    /// All 64 hexadecimal digits: what people copy.
    public var description: String { octets.hexadecimal }

    /// Of 64 hexadecimal digits.
    public init?(digits: String) {
        guard let octets = [UInt8](hexadecimal: digits) else { return nil }
        self.init(octets)
    }
}

/// Which module computes a job's simulation, to the octet: for nodes in which it is not built in.
public struct ModuleReference: Hashable, Sendable {
    /// Octets. A simulation of thirty lines has 20 KiB, one with texts and dictionaries 100.
    public static let largest = 512 << 10

    public let hash: ModuleHash
    /// Octets.
    public let size: Int

    /// Nil where no module has that size.
    public init?(hash: ModuleHash, size: Int) {
        guard (1...Self.largest).contains(size) else { return nil }
        self.hash = hash
        self.size = size
    }
}
