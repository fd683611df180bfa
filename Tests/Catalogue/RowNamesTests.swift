import Foundation
import PotluckCore
import Testing

@testable import PotluckKit

/// Names of rows travel in a table's numbers.
@Suite struct RowNamesTests {
    private let input = Input("cities", "", hasRowNames: true)

    /// Tables with any names and numbers come back, and their numbers stay finite, as those of all tables that travel.
    @Test func tablesComeBackWithTheirNames() {
        var chance = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let (rows, columns) = (1 + Int(chance.next(below: 5)), 1 + Int(chance.next(below: 4)))
            let numbers = (0..<rows * columns).map { _ in (chance.fraction() - 0.5) * 0x1p1000 }
            let table = Table(rows: rows, columns: columns, numbers: numbers)
            let names = (0..<rows).map { _ in
                (0..<1 + chance.next(below: 20)).map { _ in UInt8(1 + chance.next(below: 255)) }
            }
            let packed = Table(table, rowNames: names)
            let back = packed.given(to: input)
            #expect(back == table && back.rowNames == names)
            #expect(packed.numbers.allSatisfy(\.isFinite) && packed.given(to: Input("a", "")).rowNames.isEmpty)
            #expect(table.given(to: input) == table && table.given(to: input).rowNames.isEmpty)
        }
    }

    /// The command in Python writes the same bits (test_data.py).
    @Test func theFormIsFixed() {
        let table = Table(Table(rows: 1, columns: 1, numbers: [1]), rowNames: [Array("Köln".utf8)])
        #expect(table.numbers[1].bitPattern == 0x7fe0_4bc3_b66c_6e00)
    }
}
