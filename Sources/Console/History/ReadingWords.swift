import PotluckKit

/// A reading in words, for pages: what the table of readings says, with as many digits as its interval deserves.
package struct ReadingWords {
    package let name: String
    package let value: String
    /// `0.3320 … 0.3340`; empty where there is none.
    package let interval: String
    package let exact: String
    /// How far it is from the exact answer; empty where that cannot be said.
    package let distance: String

    package init(_ reading: Reading) {
        let row = ReadingTable.Row(reading)
        name = row.name
        value = row.value
        interval = row.low.isEmpty ? "" : "\(row.low) … \(row.high)"
        exact = row.exact
        distance = row.off("standard errors")
    }
}
