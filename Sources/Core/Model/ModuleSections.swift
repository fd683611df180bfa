/// The sections of a WebAssembly module, in their order, up to the first damaged one.
///
/// A module is eight bytes and sections. A section is a number, its length and its contents. Lengths are in groups of seven
/// bits, least significant first.
public struct ModuleSections: Sequence, IteratorProtocol {
    private static let header = 8
    private var rest: ArraySlice<UInt8>

    public init(_ module: [UInt8]) { rest = module.dropFirst(Self.header) }

    /// The number of a section, and its contents with their places in the module.
    public mutating func next() -> (kind: UInt8, contents: ArraySlice<UInt8>)? {
        guard let kind = rest.popFirst(), let length = Self.number(&rest), length <= rest.count else {
            rest = []
            return nil
        }
        let contents = rest.prefix(length)
        rest = rest.dropFirst(length)
        return (kind, contents)
    }

    /// Takes a number of up to 32 bits; nil if there is none.
    static func number(_ octets: inout ArraySlice<UInt8>) -> Int? {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, through: 28, by: 7) {
            guard let octet = octets.popFirst() else { return nil }
            value |= UInt64(octet & 0x7f) << shift
            if octet < 0x80 { return Int(exactly: value) }
        }
        return nil
    }
}
