import PotluckKit
import PotluckModel

/// The points of `--sweep FILE`: comma-separated values, with the names of parameters in the first line.
enum SweepFile {
    /// More is not a file of at most `Sweep.most` points.
    private static let largest = 16 << 20

    static func points(_ path: String) throws -> (varied: [String], points: [[(name: String, value: String)]]) {
        let label = Spelling.path(path)
        guard let octets = try TableFile.octets(of: path, atMost: largest) else {
            throw Failure(message: "\(label) is too large; a sweep has at most \(Sweep.most) points")
        }
        // Spreadsheets mark their files as UTF-8.
        let content = octets.starts(with: [0xef, 0xbb, 0xbf]) ? octets[3...] : octets[...]
        guard let text = String(validating: content, as: UTF8.self) else {
            throw Failure(message: "\(label) is not a text file")
        }
        let rows = text.split(whereSeparator: \.isNewline).map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed) }
        }.filter { $0 != [""] }
        guard let names = rows.first, rows.count > 1 else {
            throw Failure(
                message: "\(label) has no points; its first line has names of parameters, and each other line values")
        }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw Failure(message: "\(label) has two columns \(Spelling.quoted(twice))")
        }
        guard rows.count - 1 <= Sweep.most else {
            throw Failure(message: "\(label) has more than \(Sweep.most) points; use fewer")
        }
        for (number, row) in rows.enumerated() where row.count != names.count {
            throw Failure(
                message: "\(label) has \(row.count) values in row \(number + 1), but \(names.count) names in the first")
        }
        return (names, rows.dropFirst().map { row in zip(names, row).map { (name: $0, value: $1) } })
    }
}
