extension String {
    /// Whether people's terminals may be shown it when a stranger sends it: nothing in it commands a terminal or turns
    /// text around. The two joiners hold emoji and Indic letters together.
    public var isFitForScreen: Bool { unicodeScalars.allSatisfy(\.isFitForScreen) }

    /// The same text, with an escape like `\u{1b}` in place of each character that is not fit for a screen.
    public var escapedForScreen: String { escapedForScreen(keeping: []) }

    /// The same, where these characters may stay.
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
    fileprivate var isFitForScreen: Bool {
        // Every row of every tally is looked at, and looking a character up takes long.
        if isASCII { return value >= 0x20 && value != 0x7F }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        case .format: self == "\u{200c}" || self == "\u{200d}"
        default: true
        }
    }
}
