/// Prepares text that arrives in pieces for a terminal: keeps line ends and tabs, and escapes other control characters.
package struct ShownOctets {
    /// The beginning of a character whose other bytes are in the next piece.
    private var rest: [UInt8] = []

    package init() {}

    package mutating func show(_ piece: [UInt8]) -> String {
        let octets = rest + piece
        let end = octets.count - Self.unfinished(octets)
        rest = Array(octets[end...])
        return String(decoding: octets[..<end], as: UTF8.self).escapedForScreen(keeping: ["\n", "\t"])
    }

    /// The number of bytes at the end that begin a UTF-8 character without finishing it.
    private static func unfinished(_ octets: [UInt8]) -> Int {
        for count in 1...3 where count <= octets.count {
            let octet = octets[octets.count - count]
            // A continuation byte is not the beginning of a character.
            if octet & 0b1100_0000 == 0b1000_0000 { continue }
            let length = octet >= 0b1111_0000 ? 4 : octet >= 0b1110_0000 ? 3 : octet >= 0b1100_0000 ? 2 : 1
            return length > count ? count : 0
        }
        return 0
    }
}
