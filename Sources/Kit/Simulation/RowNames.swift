/// Names of a table's rows. They travel with the table, in columns behind its numbers: six bytes of UTF-8 in each number,
/// all of which are beyond what a file with such names may have.
extension Table {
    /// Creates the table as it travels. `names` has one for each row, without zero bytes.
    public init(_ table: Table, rowNames names: [[UInt8]]) {
        let wide = names.reduce(0) { max($0, ($1.count + Self.bytes - 1) / Self.bytes) }
        var numbers: [Double] = []
        numbers.reserveCapacity(table.rows * (table.columns + wide))
        for (row, name) in names.enumerated() {
            numbers += table.numbers[row * table.columns..<(row + 1) * table.columns]
            for part in 0..<wide { numbers.append(Self.packed(name, from: part * Self.bytes)) }
        }
        self.init(rows: table.rows, columns: table.columns + wide, numbers: numbers)
    }

    /// The least number that stands for a part of a name.
    public static var leastName: Double { 0x1p1023 }

    /// The bytes of a part, and the highest bits of a number that is one.
    private static var bytes: Int { 6 }
    private static var mark: UInt64 { 0x7fe0 }

    private static func packed(_ name: [UInt8], from start: Int) -> Double {
        var bits = mark
        for place in start..<start + bytes { bits = bits << 8 | (place < name.count ? UInt64(name[place]) : 0) }
        return Double(bitPattern: bits)
    }

    /// Returns the table of its numbers alone, with the names of its rows.
    func withNamesApart() -> Table {
        var own = columns
        while own > 0, rows > 0, numbers[own - 1].bitPattern >> 48 == Self.mark { own -= 1 }
        guard own < columns else { return self }
        var (kept, names): ([Double], [[UInt8]]) = ([], [])
        for row in 0..<rows {
            kept += numbers[row * columns..<row * columns + own]
            var name: [UInt8] = []
            for place in row * columns + own..<(row + 1) * columns {
                let bits = numbers[place].bitPattern
                for byte in 0..<Self.bytes {
                    let octet = UInt8(truncatingIfNeeded: bits >> UInt64(8 * (Self.bytes - 1 - byte)))
                    if octet != 0 { name.append(octet) }
                }
            }
            names.append(name)
        }
        var table = Table(rows: rows, columns: own, numbers: kept)
        table.rowNames = names
        return table
    }
}
