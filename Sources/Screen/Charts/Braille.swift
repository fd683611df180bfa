/// Braille characters as cells of two columns and four rows of dots.
enum Braille {
    /// The bit of a dot. Dots are numbered down the left column, then down the right one, except for the last row.
    static func bit(_ column: Int, _ row: Int) -> UInt8 {
        row == 3 ? (column == 0 ? 0x40 : 0x80) : 1 << UInt8(column * 3 + row)
    }

    /// The character with these dots; a blank without dots.
    static func sign(_ dots: UInt8) -> Character {
        dots == 0 ? " " : Unicode.Scalar(0x2800 + UInt32(dots)).map(Character.init) ?? " "
    }
}
