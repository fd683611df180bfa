import Testing

@testable import PotluckSimulation

/// The largest table in a value is found at any depth, so that the invariants can bound the memory of every node.
@Suite struct TablesTests {
    private struct Shelf {
        var books: [String] = []
        var rooms: [Int: [Box]] = [:]
    }

    private enum Box {
        case closed
        case open(things: Set<Int>)
    }

    @Test func theLargestTableIsNamed() {
        let shelf = Shelf(books: ["a", "b", "c"], rooms: [1: [.closed], 2: [.open(things: [1, 2, 3, 4, 5])]])
        let tables = Tables(of: shelf)
        #expect(tables.largest == 5 && tables.name.contains("things"))
        #expect(Tables(of: Shelf(books: ["a", "b"])).name == ".books")
        #expect(Tables(of: Shelf()).largest == 0)
    }

    /// Tallies and bytes don't count: the simulation and the wire format bound them.
    @Test func talliesAndOctetsAreNoTables() {
        #expect(
            Tables(of: (tally: [UInt64](repeating: 0, count: 9), octets: [UInt8](repeating: 0, count: 9))).largest == 0)
    }
}
