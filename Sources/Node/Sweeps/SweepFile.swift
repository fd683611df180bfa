import PotluckCore
import PotluckKit

/// The points of `--sweep FILE`: comma-separated values, with the names of parameters in the first line.
package enum SweepFile {
    /// More is not a file of at most `SweepPoint.most` points.
    private static let largest = 16 << 20

    /// A point, and the number of its line.
    package typealias Numbered = (number: Int, given: [(name: String, value: String)])

    package static func points(_ path: String) throws -> (varied: [String], points: [Numbered]) {
        let label = Spelling.path(path)
        guard let octets = try TableFile.octets(of: path, atMost: largest) else {
            throw Failure(message: "\(label) is too large; a sweep has at most \(SweepPoint.most) points")
        }
        // Spreadsheets mark their files as UTF-8.
        let content = octets.starts(with: [0xef, 0xbb, 0xbf]) ? octets[3...] : octets[...]
        guard let text = String(validating: content, as: UTF8.self) else {
            throw Failure(message: "\(label) is not a text file")
        }
        let rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map {
            (number: $0 + 1, cells: $1.split(separator: ",", omittingEmptySubsequences: false).map(cell))
        }.filter { $0.cells != [""] }
        guard let names = rows.first?.cells, rows.count > 1 else {
            throw Failure(
                message: "\(label) has no points; its first line has names of parameters, and each other line values")
        }
        if names.contains(where: { $0.contains(";") }) {
            throw Failure(message: "\(label) has semicolons; put commas between the values")
        }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw Failure(message: "\(label) has two columns \(Spelling.quoted(twice))")
        }
        guard rows.count - 1 <= SweepPoint.most else {
            throw Failure(message: "\(label) has more than \(SweepPoint.most) points; use fewer")
        }
        for row in rows where row.cells.count != names.count {
            throw Failure(
                message:
                    "\(label), line \(row.number): \(row.cells.count) values, but \(names.count) names in the first")
        }
        return (
            names,
            rows.dropFirst().map { row in (row.number, zip(names, row.cells).map { (name: $0, value: $1) }) }
        )
    }

    /// Some programs put quotation marks around every text.
    private static func cell(_ text: Substring) -> String {
        let text = text.trimmed
        let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
        return isQuoted ? String(text.dropFirst().dropLast()) : text
    }
}
