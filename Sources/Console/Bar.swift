/// How far something has come.
struct Bar {
    let canvas: Canvas

    /// `part` is 0 to 1. Whole only where it is done: 99.99 % are shown as 99.
    func line(_ part: Double, isDone: Bool) -> Line {
        let percent = isDone ? 100 : max(0, min(99, Int(part * 100)))
        let label = "\(percent) %"
        let indent = canvas.columns < 30 ? 1 : 2
        var line = Line(String(repeating: " ", count: indent))
        let width = min(Self.widest, canvas.columns - 2 * indent - 7)
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
