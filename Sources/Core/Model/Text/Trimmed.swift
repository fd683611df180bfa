extension StringProtocol {
    /// The text without whitespace at its ends.
    public var trimmed: String {
        var text = self[...].drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
