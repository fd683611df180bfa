import PotluckCore
import Testing

@Suite struct DisplayNamesTests {
    private func node(_ octets: UInt8...) throws -> NodeID {
        try #require(NodeID(octets + [UInt8](repeating: 0, count: 16 - octets.count)))
    }

    @Test func aNameThatIsUniqueStays() throws {
        let shown = DisplayNames.distinct([(try node(1), "ana"), (try node(2), "Bo")])
        #expect(shown == [try node(1): "ana", try node(2): "Bo"])
    }

    @Test func namesThatLookAlikeAreToldApart() throws {
        let names = [(try node(1), "ana"), (try node(2), "Ana "), (try node(3), "ana")]
        let shown = DisplayNames.distinct(names)
        #expect(shown[try node(1)] == "ana (01000000)")
        #expect(Set(shown.values).count == 3)
    }

    /// A node has the name under which another node is shown, and an ID that starts the same.
    @Test func nobodyPassesForAnother() throws {
        let ana = try node(1, 2, 3, 4, 5)
        let names = [
            (ana, "ana"), (try node(1, 2, 3, 4, 6), "ana"), (try node(9), "ana (01020304)"),
            (try node(8), "ana (\(ana))"), (try node(7), "ANA (01020304)"),
        ]
        let shown = DisplayNames.distinct(names)
        #expect(Set(shown.values.map { $0.lowercased() }).count == names.count)
        #expect(shown[ana]?.contains(ana.description) == true)
    }
}
