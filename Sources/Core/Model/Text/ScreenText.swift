extension String {
    /// Whether text from an untrusted node may be shown on a terminal: it contains no control characters and none that
    /// reverse the direction of text. The two joiners are permitted because emoji and Indic scripts need them.
    public var isFitForScreen: Bool { unicodeScalars.allSatisfy(\.isFitForScreen) }

    /// The text with an escape like `\u{1b}` for each character that is not fit for a screen.
    public var escapedForScreen: String { escapedForScreen(keeping: []) }

    /// The same, but keeps these characters.
    public func escapedForScreen(keeping kept: [Unicode.Scalar]) -> String {
        if isFitForScreen { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isFitForScreen || kept.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it may be shown on a terminal when it comes from an untrusted node.
    public var isFitForScreen: Bool {
        // A fast path for ASCII: every row of every tally is checked, and looking up a character's category is slow.
        if isASCII { return value >= 0x20 && value != 0x7F }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        case .format: self == "\u{200c}" || self == "\u{200d}"
        default: true
        }
    }
}
