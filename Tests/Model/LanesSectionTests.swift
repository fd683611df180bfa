import PotluckCore
import Testing

/// The section of a module that holds a second module.
@Suite struct LanesSectionTests {
    private static let beginning: [UInt8] = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
    /// A module with a section of types, one of code and a custom one of another name.
    private static let module = beginning + [1, 2, 7, 7, 10, 1, 0, 0, 5, 4] + Array("name".utf8)

    /// Bytes that look random, behind the beginning of a module.
    private static func inner(_ count: Int) -> [UInt8] {
        beginning + (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
    }

    /// Lengths whose encodings have one, two and three bytes.
    @Test(arguments: [0, 1, 90, 105, 106, 107, 127, 128, 16_000, 16_384, 300_000])
    func aJoinedSectionIsFound(count: Int) {
        let inner = Self.inner(count)
        let joined = LanesSection.joined(Self.module, lanes: inner)
        #expect(joined.starts(with: Self.module))
        #expect(LanesSection.lanes(in: joined) == inner)
        // The first one counts, and one within it does not.
        #expect(LanesSection.lanes(in: LanesSection.joined(joined, lanes: Self.beginning)) == inner)
        let nested = LanesSection.joined(Self.module, lanes: joined)
        #expect(LanesSection.lanes(in: nested) == joined)
    }

    @Test func otherModulesHaveNone() {
        #expect(LanesSection.lanes(in: Self.module) == nil)
        #expect(LanesSection.lanes(in: []) == nil)
        #expect(LanesSection.lanes(in: Self.beginning) == nil)
        #expect(
            LanesSection.lanes(in: Array(LanesSection.joined(Self.module, lanes: Self.inner(3)).dropFirst())) == nil)
        // What does not begin like a module is none.
        #expect(LanesSection.lanes(in: LanesSection.joined(Self.module, lanes: [1, 2, 3])) == nil)
        #expect(LanesSection.lanes(in: LanesSection.joined(Self.module, lanes: [])) == nil)
    }

    /// A section that is cut short, or whose length is nonsense, is none.
    @Test func damagedSectionsAreNone() {
        let joined = LanesSection.joined(Self.module, lanes: Self.inner(200))
        for count in joined.indices { #expect(LanesSection.lanes(in: Array(joined.prefix(count))) == nil) }
        for length: [UInt8] in [[0xff, 0xff, 0xff, 0xff, 0x0f], [0xff, 0xff, 0xff, 0xff, 0xff, 0], [0x80], [0xff]] {
            #expect(LanesSection.lanes(in: Self.module + [0] + length) == nil)
            #expect(LanesSection.lanes(in: Self.module + [0] + length + joined) == nil)
            #expect(LanesSection.lanes(in: Self.module + [0, 6] + length + [1]) == nil)
        }
    }
}
