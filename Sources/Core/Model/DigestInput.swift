/// The bytes that a digest hashes. Numbers are little-endian, and every item of variable length is preceded by its length,
/// so no two contents have the same bytes.
struct DigestInput {
    private(set) var bytes: [UInt8]

    /// `heading` names what is hashed, and the version of its form.
    init(_ heading: String) { bytes = Array("\(heading)\n".utf8) }

    mutating func put(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }

    mutating func put(_ text: String) {
        put(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func put(_ numbers: [UInt64]) {
        put(UInt64(numbers.count))
        for number in numbers { put(number) }
    }

    mutating func put(_ simulation: SimulationIdentity) {
        put(simulation.name)
        put(simulation.source)
        put(UInt64(simulation.streams))
    }
}
