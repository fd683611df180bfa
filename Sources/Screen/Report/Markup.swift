/// Escapes text for HTML and SVG. Names and notes come from other people and must never act as markup.
enum Markup {
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n": escaped += "\n"
            default:
                switch scalar.properties.generalCategory {
                // Characters that XML forbids, or that change the direction of text.
                case .control, .surrogate, .unassigned, .privateUse, .format, .lineSeparator, .paragraphSeparator:
                    let isJoiner = scalar == "\u{200c}" || scalar == "\u{200d}"
                    if isJoiner { escaped.unicodeScalars.append(scalar) } else { escaped += "\u{fffd}" }
                default: escaped.unicodeScalars.append(scalar)
                }
            }
        }
        return escaped
    }

    /// A coordinate with two decimals, which is finer than any screen.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let hundredths = (max(-1e9, min(1e9, value)) * 100).rounded() / 100
        let text = hundredths.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
