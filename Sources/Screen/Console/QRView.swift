/// The squares of a QR code, row by row.
public struct QRMatrix: Sendable, Equatable {
    public let size: Int
    private let isDark: [Bool]

    public init(size: Int, isDark: [Bool]) {
        precondition(isDark.count == size * size, "a QR code is a square")
        (self.size, self.isDark) = (size, isDark)
    }

    /// The squares around the code are light.
    func isDark(_ row: Int, _ column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && isDark[row * size + column]
    }
}

/// Draws a QR code in half blocks, two squares in a character.
public enum QRView {
    /// The light squares around a code. Standard are four; phones and scanners read it with two.
    private static let margin = 2
    /// The largest side of a square in columns. Larger ones do not help a phone.
    private static let largest = 4

    /// Returns the code as large as it fits. Empty if it does not fit, or if the canvas lacks Unicode or colours.
    /// Without both colours a code may have its dark and light exchanged, which scanners do not read.
    public static func lines(_ matrix: QRMatrix, on canvas: Canvas, rows: Int? = nil) -> [StyledLine] {
        guard canvas.unicode, canvas.colour else { return [] }
        let side = matrix.size + 2 * margin
        let room = rows ?? canvas.rows ?? .max
        let scale = (1...largest).last { side * $0 <= canvas.columns && (side * $0 + 1) / 2 <= room }
        guard let scale else { return [] }
        func isLight(_ y: Int, _ x: Int) -> Bool {
            y < side * scale && !matrix.isDark(y / scale - margin, x / scale - margin)
        }
        return stride(from: 0, to: side * scale, by: 2).map { y in
            StyledLine(String((0..<side * scale).map { x in character(isLight(y, x), isLight(y + 1, x)) }), .code)
        }
    }

    /// The foreground paints the light squares.
    private static func character(_ upper: Bool, _ lower: Bool) -> Character {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }

    /// The whole view of a page's address: the code as large as possible, and the address to type.
    static func lines(_ page: SessionPicture.Page, room: Int, on canvas: Canvas) -> [StyledLine] {
        let address = canvas.wrapped("Open this in a browser: \(page.address)", .strong)
        let code = page.code.map { lines($0, on: canvas, rows: room - address.count - 1) } ?? []
        guard !code.isEmpty else {
            return address
                + canvas.wrapped("This window is too small for the QR code, or shows no colours.", .faint)
        }
        return address + [StyledLine()] + code
    }
}
