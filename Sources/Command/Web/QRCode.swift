import CQRCode
import PotluckScreen

/// Makes the QR code of an address, which phones read from a screen.
enum QRCode {
    /// Returns nil if the text is too long for a code.
    static func matrix(of text: String) -> QRMatrix? {
        // The lowest level of correction, which gives the fewest and largest squares: a screen has no dirt.
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        let size = Int(code.pointee.width)
        guard let squares = code.pointee.data else { return nil }
        return QRMatrix(size: size, isDark: (0..<size * size).map { squares[$0] & 1 == 1 })
    }
}
