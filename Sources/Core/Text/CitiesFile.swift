import PotluckKit

/// Reads a file of TSPLIB: cities as places with a rule for their distances, or all distances. Returns the distances as a
/// table with a line for each city. Where places are known, its x and y on a map follow.
package enum CitiesFile {
    /// The most cities. The table of more would be larger than any other.
    private static let most = 4095

    /// How many octets may come before the first section.
    private static let head = 1 << 16

    /// Whether a file is one of TSPLIB. Tables of numbers have no such words.
    package static func isOne(_ file: [UInt8]) -> Bool {
        file.prefix(head).withUnsafeBufferPointer { octets in
            ["EDGE_WEIGHT_TYPE", "NODE_COORD_SECTION"].contains {
                let word = Array($0.utf8)
                return octets.indices.contains { octets[$0] == word[0] && octets[$0...].starts(with: word) }
            }
        }
    }

    package static func table(_ file: [UInt8], label: String) throws(Failure) -> Table {
        let (words, places, weights) = try sections(file, label)
        guard let count = words["DIMENSION"].flatMap({ Int($0) }), (2...most).contains(count) else {
            throw Failure(message: "\(label): DIMENSION must be the number of cities, from 2 to \(most)")
        }
        let type = words["EDGE_WEIGHT_TYPE"] ?? ""
        if type == "EXPLICIT" {
            let numbers = try matrix(weights, words["EDGE_WEIGHT_FORMAT"] ?? "", count, label)
            // Two columns alone would be two places.
            if count == 2 {
                return Table(rows: 2, columns: 4, numbers: numbers[..<2] + [0, 0] + numbers[2...] + [numbers[1], 0])
            }
            return Table(rows: count, columns: count, numbers: numbers)
        }
        guard let rule = rules[type] else {
            throw Failure(
                message:
                    "\(label): EDGE_WEIGHT_TYPE \(Spelling.quoted(type)) is unknown; use EUC_2D, CEIL_2D, GEO, "
                    + "ATT or EXPLICIT")
        }
        guard places.count == 3 * count else {
            throw Failure(message: "\(label): NODE_COORD_SECTION must have three numbers for each of \(count) cities")
        }
        let cities = (0..<count).map { Place(places[3 * $0 + 1], places[3 * $0 + 2]) }
        var numbers: [Double] = []
        for (a, city) in cities.enumerated() {
            for (b, other) in cities.enumerated() {
                numbers.append(a == b ? 0 : a > b ? rule(city, other) : rule(other, city))
            }
            // On the earth the latitude comes first, and the north is at the top of a map.
            numbers += type == "GEO" ? [degrees(city.1), degrees(city.0)] : [city.0, city.1]
        }
        return Table(rows: count, columns: count + 2, numbers: numbers)
    }

    /// Returns the words of the head, the numbers of the places, and those of the distances.
    private static func sections(
        _ file: [UInt8], _ label: String
    ) throws(Failure) -> (words: [String: String], places: [Double], weights: [Double]) {
        var (words, places, weights): ([String: String], [Double], [Double]) = ([:], [], [])
        var section = ""
        for (index, line) in file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let text = String(decoding: line, as: UTF8.self).trimmed
            if text.isEmpty { continue }
            if text == "EOF" { break }
            if text.first?.isLetter == true {
                let parts = text.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
                section = parts.count == 1 ? parts[0] : ""
                if parts.count == 2 { words[parts[0]] = parts[1] }
                continue
            }
            guard section == "NODE_COORD_SECTION" || section == "EDGE_WEIGHT_SECTION" else { continue }
            for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
                guard let number = Double(word), number.isFinite else {
                    throw Failure(
                        message: "\(label), line \(index + 1): \(Spelling.quoted(String(word))) is not a number")
                }
                if section == "NODE_COORD_SECTION" { places.append(number) } else { weights.append(number) }
            }
        }
        return (words, places, weights)
    }

    /// Lays out distances as a full table.
    private static func matrix(
        _ weights: [Double], _ format: String, _ count: Int, _ label: String
    ) throws(Failure) -> [Double] {
        var columns: (Int) -> Range<Int>
        switch format {
        case "FULL_MATRIX": columns = { _ in 0..<count }
        case "LOWER_DIAG_ROW": columns = { 0..<$0 + 1 }
        case "LOWER_ROW": columns = { 0..<$0 }
        case "UPPER_DIAG_ROW": columns = { $0..<count }
        case "UPPER_ROW": columns = { $0 + 1..<count }
        default:
            throw Failure(
                message:
                    "\(label): EDGE_WEIGHT_FORMAT \(Spelling.quoted(format)) is unknown; use FULL_MATRIX, UPPER_ROW, "
                    + "LOWER_ROW, UPPER_DIAG_ROW or LOWER_DIAG_ROW")
        }
        let wanted = (0..<count).reduce(0) { $0 + columns($1).count }
        guard weights.count == wanted else {
            throw Failure(message: "\(label): EDGE_WEIGHT_SECTION has \(weights.count) numbers instead of \(wanted)")
        }
        var numbers = [Double](repeating: 0, count: count * count)
        var next = 0
        for a in 0..<count {
            for b in columns(a) {
                numbers[a * count + b] = weights[next]
                if format != "FULL_MATRIX" { numbers[b * count + a] = weights[next] }
                next += 1
            }
        }
        return numbers
    }

    private typealias Place = (Double, Double)

    /// The distances as TSPLIB defines them. They are whole numbers.
    private static let rules: [String: @Sendable (Place, Place) -> Double] = [
        "EUC_2D": { round(straight($0, $1)) },
        "CEIL_2D": { straight($0, $1).rounded(.up) },
        "ATT": { a, b in
            let far = straight(a, b) / 10.0.squareRoot()
            return far.rounded(.up)
        },
        "GEO": { a, b in
            let (first, second) = (angles(a), angles(b))
            let q1 = cos(first.1 - second.1)
            let (q2, q3) = (cos(first.0 - second.0), cos(first.0 + second.0))
            return (6378.388 * acos(0.5 * ((1 + q1) * q2 - (1 - q1) * q3)) + 1).rounded(.down)
        },
    ]

    /// Half is rounded up, as TSPLIB does.
    private static func round(_ number: Double) -> Double { (number + 0.5).rounded(.down) }

    private static func straight(_ a: Place, _ b: Place) -> Double {
        ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).squareRoot()
    }

    /// Degrees and minutes, as in 16.47 for 16° 47′, as angles. TSPLIB's π has seven digits.
    private static func angles(_ place: Place) -> Place {
        (3.141592 * degrees(place.0) / 180, 3.141592 * degrees(place.1) / 180)
    }

    private static func degrees(_ number: Double) -> Double {
        let whole = number.rounded(.towardZero)
        return whole + 5 * (number - whole) / 3
    }
}
