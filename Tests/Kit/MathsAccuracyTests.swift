import PotluckKit
import Testing

@Suite struct MathsAccuracyTests {
    static let table = Result { try MathsTable() }

    @Test(arguments: Elementary.allCases) func staysWithinItsBound(_ function: Elementary) throws {
        let rows = try Self.table.get().rows.filter { $0.function == function }
        #expect(rows.count > 150, "the table holds too little of \(function)")
        let errors = rows.map { ($0.error(of: function($0.x, $0.y)), $0) }
        let worst = try #require(errors.max { $0.0 < $1.0 })
        #expect(worst.0 <= function.bound, "\(function)(\(worst.1.x), \(worst.1.y))")
        // If no result came near the bound, the promise should be tightened.
        #expect(worst.0 > function.bound - 0.07)
    }

    /// Results that can be exact are exact: powers of integers, roots of squares.
    @Test func exactPowersAreExact() throws {
        let rows = try Self.table.get().rows.filter { $0.function == .pow && $0.distance == 0 && $0.result.isFinite }
        #expect(rows.count > 150)
        for row in rows { #expect(Maths.pow(row.x, row.y) == row.result, "\(row.x) to the power \(row.y)") }
    }

    /// The bits are part of a seed's meaning. Every platform and every optimisation level gives the same. A change of a
    /// method that changes them needs a new version of the streams.
    @Test(
        arguments: [
            (Elementary.allCases[..<5], 0xe534_6423_68dc_b8ae), (Elementary.allCases[5...], 0x1035_9d42_5249_3e35),
        ] as [(ArraySlice<Elementary>, UInt64)])
    func bitsAreTheSameEverywhere(functions: ArraySlice<Elementary>, expected: UInt64) throws {
        var digest: UInt64 = 0
        for row in try Self.table.get().rows where functions.contains(row.function) {
            digest = (digest ^ row.function(row.x, row.y).bitPattern) &* 0x100_0000_01b3
            digest ^= digest >> 29
        }
        #expect(digest == expected)
    }

    /// The measure works: an error of one ulp is measured as one ulp.
    @Test func theMeasureSeesAnError() throws {
        for row in try Self.table.get().rows where row.result.isFinite && row.result.magnitude > 0x1p-1000 {
            #expect(row.error(of: row.result) <= 0.5)
            #expect(row.error(of: row.result.nextUp) >= 0.25)
            #expect(row.error(of: row.result.nextUp.nextUp) >= 0.75)
        }
    }
}
