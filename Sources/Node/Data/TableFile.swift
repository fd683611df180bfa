import Glibc
import PotluckCore
import PotluckKit

/// Reads input files: one table row per line, with numbers separated by blanks or commas. Empty lines are ignored, and
/// so is a first line of names, unless the input takes columns by their names. A file of NumPy is read, too.
package enum TableFile {
    /// The largest file in bytes. It has room for `TableRows.mostNumbers` numbers of more than twenty digits each.
    private static let largest = TableRows.mostNumbers * 24

    /// Reads a file for an input.
    package static func read(_ path: String, for input: Input) throws(Failure) -> Table {
        try read(path, columns: input.columns, hasRowNames: input.hasRowNames)
    }

    /// Reads a file for an input that takes these columns; without names, all columns.
    package static func read(_ path: String, columns: [String], hasRowNames: Bool = false) throws(Failure) -> Table {
        let label = Spelling.path(path)
        guard let octets = try octets(of: path, atMost: largest) else { throw TableRows.tooLarge(label) }
        if let problem = foreign(octets) { throw Failure(message: "\(label) is \(problem)") }
        return try table(octets, label: label, columns: columns, hasRowNames: hasRowNames)
    }

    /// Says what a file is that has numbers in a form that is not read, by its first bytes. Returns nil for other files.
    private static func foreign(_ file: [UInt8]) -> String? {
        if file.starts(with: [UInt8]("PK\u{3}\u{4}".utf8)) {
            return "an archive, as .npz and .xlsx are; save one array with numpy.save, or the sheet as .csv"
        }
        return file.starts(with: [0x1f, 0x8b]) ? "compressed; unpack it first, with gunzip" : nil
    }

    /// Returns the contents of a file; nil if there are more than `most` bytes.
    package static func octets(of path: String, atMost most: Int) throws(Failure) -> [UInt8]? {
        let label = Spelling.path(path)
        guard let file = fopen(path, "re") else { throw Failure(cannot: "read \(label)") }
        defer { fclose(file) }
        var octets: [UInt8] = []
        var status = stat()
        if fstat(fileno(file), &status) == 0, status.st_size <= most { octets.reserveCapacity(Int(status.st_size)) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            buffer.withUnsafeBufferPointer { octets.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<count])) }
            guard octets.count <= most else { return nil }
            if count < buffer.count { break }
        }
        guard ferror(file) == 0 else { throw Failure(cannot: "read \(label)") }
        return octets
    }

    /// Parses a table. `label` is the file's name in error messages.
    static func table(
        _ file: [UInt8], label: String, columns: [String] = [], hasRowNames: Bool = false
    ) throws(Failure) -> Table {
        guard hasRowNames else { return try plain(file, label: label, columns: columns) }
        let rows = NamedRows(label: label)
        if !CitiesFile.isOne(file), !NumPyFile.isOne(file) {
            let start = start(of: file)
            let named = try file.withUnsafeBufferPointer { (octets) throws(Failure) in
                try rows.table(octets, from: start)
            }
            if let named { return named }
        }
        return try rows.unnamed(try plain(file, label: label, columns: []))
    }

    /// Spreadsheets mark their files as UTF-8.
    private static func start(of file: [UInt8]) -> Int { file.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0 }

    private static func plain(_ file: [UInt8], label: String, columns: [String]) throws(Failure) -> Table {
        if columns.isEmpty, CitiesFile.isOne(file) { return try CitiesFile.table(file, label: label) }
        let named = columns.isEmpty ? nil : NamedColumns(columns, label: label)
        if NumPyFile.isOne(file) {
            let table = try NumPyFile.table(file, label: label)
            return try named?.table(table) ?? table
        }
        return try file.withUnsafeBufferPointer { (octets) throws(Failure) in
            let start = start(of: file)
            if let table = try named?.table(octets, from: start) { return table }
            var rows = TableRows(octets, label: label)
            rows.skip(start)
            while try rows.readLine() {
                if rows.numbers.count > TableRows.mostNumbers { throw TableRows.tooLarge(label) }
            }
            let table = try rows.table
            return try named?.table(table) ?? table
        }
    }
}
