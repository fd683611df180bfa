import Glibc
import PotluckCore
import PotluckKit

/// Reads input files: one table row per line, with numbers separated by blanks or commas. Empty lines are ignored, and
/// so is a first line of names.
package enum TableFile {
    /// The largest file in bytes. It has room for `TableRows.mostNumbers` numbers of more than twenty digits each.
    private static let largest = TableRows.mostNumbers * 24

    package static func read(_ path: String) throws(Failure) -> Table {
        let label = Spelling.path(path)
        guard let octets = try octets(of: path, atMost: largest) else { throw tooLarge(label) }
        return try table(octets, label: label)
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

    private static func tooLarge(_ label: String) -> Failure {
        Failure(
            message:
                "\(label) is too large: a table has at most \(TableRows.mostNumbers) numbers, such as 8192 rows of as many; "
                + "split it")
    }

    /// Parses a table. `label` is the file's name in error messages.
    static func table(_ file: [UInt8], label: String) throws(Failure) -> Table {
        if CitiesFile.isOne(file) { return try CitiesFile.table(file, label: label) }
        return try file.withUnsafeBufferPointer { (octets) throws(Failure) in
            var rows = TableRows(octets, label: label)
            // Spreadsheets mark their files as UTF-8.
            if file.starts(with: [0xef, 0xbb, 0xbf]) { rows.skip(3) }
            while try rows.readLine() {
                if rows.numbers.count > TableRows.mostNumbers { throw tooLarge(label) }
            }
            return try rows.table
        }
    }
}
