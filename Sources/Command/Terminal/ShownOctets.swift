import PotluckModel

/// Text that comes in pieces, as a terminal may be shown it: its lines and tabs stay, and whatever else could command the
/// terminal is escaped.
struct ShownOctets {
    /// The beginning of a character whose rest comes with the next piece.
    private var rest: [UInt8] = []

    mutating func take(_ piece: [UInt8]) -> String {
        let octets = rest + piece
        let end = octets.count - Self.unfinished(octets)
        rest = Array(octets[end...])
        return String(decoding: octets[..<end], as: UTF8.self).escapedForScreen(keeping: ["\n", "\t"])
    }

    /// How many octets at the end begin a character of UTF-8 and do not finish it.
    private static func unfinished(_ octets: [UInt8]) -> Int {
        for count in 1...3 where count <= octets.count {
            let octet = octets[octets.count - count]
            // What goes on with a character is not where it begins.
            if octet & 0b1100_0000 == 0b1000_0000 { continue }
            let length = octet >= 0b1111_0000 ? 4 : octet >= 0b1110_0000 ? 3 : octet >= 0b1100_0000 ? 2 : 1
            return length > count ? count : 0
        }
        return 0
    }
}
