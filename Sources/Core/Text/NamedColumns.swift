import PotluckKit

/// Takes the columns that an input names from a table. Other columns of a file may have any text.
package struct NamedColumns {
    /// The names that the input declares, at least one.
    let names: [String]
    /// The file's name in error messages.
    let label: String

    package init(_ names: [String], label: String) { (self.names, self.label) = (names, label) }

    /// Returns a table without a line of names if it has as many columns as the input.
    package func table(_ table: Table) throws(Failure) -> Table {
        guard table.columns == names.count else {
            throw Failure(
                message:
                    "\(label) has no line of names, and its rows have \(table.columns) numbers instead of \(names.count): "
                    + list(names))
        }
        return table
    }

    /// Reads a file from its line of names on; nil if its first line has numbers.
    package func table(_ octets: UnsafeBufferPointer<UInt8>, from start: Int) throws(Failure) -> Table? {
        var (start, line) = (start, 1)
        while start < octets.count, octets[start] <= UInt8(ascii: " ") {
            if octets[start] == CellReader.newline { line += 1 }
            start += 1
        }
        // Tools for tables of numbers put this before names.
        while start < octets.count, [UInt8(ascii: "#"), UInt8(ascii: " ")].contains(octets[start]) { start += 1 }
        let end = octets[start...].firstIndex(of: CellReader.newline) ?? octets.count
        let head = UnsafeBufferPointer(rebasing: octets[start..<end])
        // A line that is one name may have blanks.
        let isOne = names == [String(decoding: head, as: UTF8.self).trimmed]
        let separator = isOne ? UInt8(ascii: ",") : CellReader.separator(of: head)
        var reader = CellReader(octets, from: start, line: line, separator: separator)
        guard reader.readRow() else { throw Failure(message: "\(label) has no numbers") }
        let found = reader.cells.map { reader.text($0) }
        if !found.contains(where: names.contains), reader.cells.allSatisfy({ reader.number($0) != nil }) { return nil }
        return try rows(&reader, places: try places(found, line: reader.line), cells: found.count)
    }

    /// Returns where the names are in the first line.
    private func places(_ found: [String], line: Int) throws(Failure) -> [Int] {
        try names.map { (name) throws(Failure) in
            let places = found.indices.filter { found[$0] == name }
            if let place = places.first, places.count == 1 { return place }
            if !places.isEmpty {
                throw Failure(message: "\(label), line \(line): two columns are called \(Spelling.quoted(name))")
            }
            // A hint is shown as it is, so only plain names are hints.
            let hint = Spelling.hint(for: name, among: found.filter { Spelling.quoted($0) == "'\($0)'" })
            throw Failure(
                message: "\(label) has no column \(Spelling.quoted(name))"
                    + (hint.isEmpty ? "; its columns are \(list(found))" : hint))
        }
    }

    private func rows(
        _ reader: inout CellReader, places: [Int], cells: Int
    ) throws(Failure) -> Table {
        let head = reader.line
        var numbers: [Double] = []
        while reader.readRow() {
            try reader.expect(cells, as: head, label)
            for (place, name) in zip(places, names) {
                let cell = reader.cells[place]
                guard let number = reader.number(cell) else {
                    let text = Spelling.quoted(reader.text(cell))
                    let what = cell.isEmpty ? "is empty" : "is \(text), which is no number"
                    throw Failure(
                        message: "\(label), line \(reader.line): \(Spelling.quoted(name)) \(what); leave out the line")
                }
                numbers.append(number)
            }
            if numbers.count > TableRows.mostNumbers { throw TableRows.tooLarge(label) }
        }
        guard !numbers.isEmpty else { throw Failure(message: "\(label) has no numbers") }
        return Table(rows: numbers.count / names.count, columns: names.count, numbers: numbers)
    }

    private func list(_ names: [String]) -> String { NameList.text(names.map { Spelling.quoted($0) }) }
}
