import PotluckKit

/// Reads a table whose rows have names: one column of texts, at any place among columns of numbers.
package struct NamedRows {
    /// The file's name in error messages.
    let label: String

    package init(label: String) { self.label = label }

    /// The longest name in bytes; a longer one is a slip, such as a missing quotation mark.
    private static let longest = 120

    /// Returns nil for a file whose rows have no names.
    package func table(_ octets: UnsafeBufferPointer<UInt8>, from start: Int) throws(Failure) -> Table? {
        let begin = octets[start...].firstIndex { $0 > UInt8(ascii: " ") } ?? octets.count
        let end = octets[begin...].firstIndex(of: CellReader.newline) ?? octets.count
        let separator = CellReader.separator(of: UnsafeBufferPointer(rebasing: octets[begin..<end]))
        var reader = CellReader(octets, from: start, line: 1, separator: separator)
        guard reader.readRow() else { return nil }
        // A line without any number names the columns.
        if texts(reader).count == reader.cells.count, !reader.readRow() { return nil }
        let texts = texts(reader)
        guard let place = texts.first, texts.count < reader.cells.count else { return nil }
        guard texts.count == 1 else {
            let words = NameList.text(texts.map { Spelling.quoted(reader.text(reader.cells[$0])) })
            throw Failure(message: "\(label), line \(reader.line): \(words) are no numbers; a row has one name")
        }
        return try rows(&reader, place)
    }

    /// Returns a table whose rows have no names. Throws if a number would be taken for a part of one.
    package func unnamed(_ table: Table) throws(Failure) -> Table {
        guard table.numbers.allSatisfy({ $0.magnitude < Table.leastName }) else {
            throw Failure(message: "\(label) has a number beyond \(Self.largest)")
        }
        return table
    }

    /// `Table.leastName` in words.
    private static let largest = "8.9e307"

    /// The places of the cells that are no numbers.
    private func texts(_ reader: CellReader) -> [Int] {
        reader.cells.indices.filter { reader.number(reader.cells[$0]) == nil }
    }

    /// Reads the rows from the latest on. The names are at `place`.
    private func rows(_ reader: inout CellReader, _ place: Int) throws(Failure) -> Table {
        let (count, first) = (reader.cells.count, reader.line)
        var (numbers, names): ([Double], [[UInt8]]) = ([], [])
        repeat {
            try reader.expect(count, as: first, label)
            for (index, cell) in reader.cells.enumerated() {
                let text = reader.text(cell)
                if index == place {
                    names.append(try name(text, reader))
                } else {
                    numbers.append(try number(reader.number(cell), text, reader.line))
                }
            }
            if numbers.count > TableRows.mostNumbers { throw TableRows.tooLarge(label) }
        } while reader.readRow()
        let table = Table(rows: names.count, columns: count - 1, numbers: numbers)
        return Table(table, rowNames: names)
    }

    private func name(_ text: String, _ reader: CellReader) throws(Failure) -> [UInt8] {
        let what =
            text.isEmpty
            ? "the name is missing"
            : TableRows.number(text) != nil
                ? "\(Spelling.quoted(text)) is a number in the place of a name"
                : text.utf8.count > Self.longest
                    ? "the name is longer than \(Self.longest) bytes"
                    : text.isFitForScreen ? nil : "\(Spelling.quoted(text)) is not plain text"
        if let what { throw Failure(message: "\(label), line \(reader.line): \(what)") }
        return Array(text.utf8)
    }

    private func number(_ number: Double?, _ text: String, _ line: Int) throws(Failure) -> Double {
        guard let number, number.magnitude < Table.leastName else {
            let what = text.isEmpty ? "an empty cell" : Spelling.quoted(text)
            throw Failure(message: "\(label), line \(line): \(what) is not a number")
        }
        return number
    }
}
