import PotluckKit

/// A reading in words, for reports, formatted as in the table of readings.
package struct ReadingWords {
    package let name: String
    package let value: String
    /// As `0.3320 … 0.3340`; empty if there is none.
    package let interval: String
    package let exact: String
    /// The distance from the exact answer in standard errors; empty if it is unknown.
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
