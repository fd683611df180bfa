/// A progress bar.
struct Bar {
    let canvas: Canvas

    /// `part` is from 0 to 1. Shows at most 99 %, because a bar at 100 % would look finished. The words stand beside
    /// the bar if it stays long enough, else above it.
    func lines(_ part: Double, _ words: StyledLine.Piece) -> [StyledLine] {
        let beside = 3 + canvas.width(of: words.text)
        var line = line(part, columns: canvas.columns - beside)
        if line.width(on: canvas) >= Self.least, line.width(on: canvas) + beside <= canvas.columns {
            line.append("   ")
            line.append(words.text, words.ink)
            return [line]
        }
        // Words first: if there is room for one line only, the state matters more than the bar.
        return canvas.wrapped(words.text, words.ink, indent: 2) + [self.line(part, columns: canvas.columns)]
    }

    private func line(_ part: Double, columns: Int) -> StyledLine {
        let percent = max(0, min(99, Int(part * 100)))
        let label = "\(percent) %"
        let indent = canvas.columns < 30 ? 1 : 2
        var line = StyledLine(String(repeating: " ", count: indent))
        let width = min(Self.widest, columns - indent - 2 - "99 %".utf8.count)
        if width >= 4 {
            let (full, empty) = canvas.unicode ? blocks(part, width) : signs(part, width)
            line.append(full, .good)
            line.append(empty, .faint)
            line.append("  ")
        }
        line.append(label)
        return line
    }

    private static let widest = 50
    /// The least columns for the bar and its percentage.
    private static let least = 16

    /// The bar of a part of all, with at least the smallest mark for one that is not 0, so that rare does not look like never.
    func part(_ part: Double, width: Int) -> String {
        guard part > 0 else { return "" }
        return canvas.unicode
            ? blocks(max(part, 1 / Double(8 * width)), width).0
            : String(repeating: "#", count: max(1, Int((min(1, part) * Double(width)).rounded(.up))))
    }

    private func blocks(_ part: Double, _ width: Int) -> (String, String) {
        let eighths = Int(max(0, min(1, part)) * Double(width * 8))
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        let used = eighths / 8 + (partial.isEmpty ? 0 : 1)
        return (
            String(repeating: "█", count: eighths / 8) + partial, String(repeating: "░", count: width - used)
        )
    }

    private func signs(_ part: Double, _ width: Int) -> (String, String) {
        let full = Int(max(0, min(1, part)) * Double(width - 2))
        return ("[" + String(repeating: "#", count: full), String(repeating: ".", count: width - 2 - full) + "]")
    }
}
