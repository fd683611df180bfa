import PotluckKit

/// Draws a reading that is no number: a histogram as vertical bars, in two dimensions as a map, a series as a curve.
struct Chart {
    let canvas: Canvas

    /// The lines of a picture without its title, axis and remarks; more would show no more.
    static func height(_ reading: Reading) -> Int { reading.kind == .histogram2D ? 16 : 6 }

    func lines(_ reading: Reading) -> [StyledLine] { lines(reading, height: Self.height(reading)) }

    func lines(_ reading: Reading, height: Int) -> [StyledLine] {
        if reading.kind == .histogram2D { return CellMap(canvas: canvas).lines(reading, height: height) }
        if reading.kind == .series { return CourseChart(canvas: canvas).lines(curve: reading, height: height + 2) }
        var lines = [StyledLine(reading.name, .strong)]
        let bins = Array(reading.bins.dropFirst().dropLast())
        guard let range = reading.range, let most = bins.max(), most > 0 else {
            lines.append(contentsOf: canvas.wrapped("nothing counted yet", indent: 2))
            return lines
        }
        let indent = canvas.columns < 30 ? 1 : 2
        let heights = columns(bins, in: max(1, canvas.columns - 2 * indent))
        let tallest = heights.max() ?? 1
        for row in (0..<height).reversed() {
            let text = heights.map { share in
                // A bin that is not empty shows at least the smallest mark, so that rare does not look like never.
                let level = share * Double(height * glyphs.last) / tallest
                let steps = Int(level.rounded()) - row * glyphs.last
                return glyphs[share > 0 && row == 0 ? max(1, steps) : steps]
            }
            let seen = text.lastIndex { $0 != " " }.map { text[...$0].joined() } ?? ""
            lines.append(StyledLine(String(repeating: " ", count: indent) + seen, .good))
        }
        let low = Figures.short(range.lowerBound)
        let high = Figures.short(range.upperBound)
        let gap = heights.count - canvas.width(of: low) - canvas.width(of: high)
        let axis = gap > 0 ? low + String(repeating: " ", count: gap) + high : "\(low) … \(high)"
        lines.append(StyledLine(String(repeating: " ", count: indent) + axis, .faint))
        let outside = [("below \(low)", reading.bins[0]), ("above \(high)", reading.bins[reading.bins.count - 1])]
        lines += canvas.flow(
            outside.filter { $0.1 > 0 }.map { StyledLine.Piece(text: "\(Figures.grouped($0.1)) \($0.0)", ink: .faint) })
        return lines
    }

    /// Scales the bins to the width: joins neighbours if they are too many, and repeats each if they are few.
    private func columns(_ bins: [UInt64], in width: Int) -> [Double] {
        if bins.count > width {
            let together = (bins.count + width - 1) / width
            return stride(from: 0, to: bins.count, by: together).map { first in
                // The mean, because the last column may join fewer bins.
                let part = bins[first..<min(bins.count, first + together)]
                return part.reduce(0) { $0 + Double($1) } / Double(part.count)
            }
        }
        let wide = max(1, min(width, Self.widest) / bins.count)
        return bins.flatMap { [Double](repeating: Double($0), count: wide) }
    }

    /// The most columns; a wider chart shows no more.
    private static let widest = 60

    private var glyphs: Glyphs {
        Glyphs(steps: canvas.unicode ? [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] : [" ", ".", ":", "#"])
    }

    private struct Glyphs {
        let steps: [String]
        var last: Int { steps.count - 1 }
        subscript(_ step: Int) -> String { steps[max(0, min(last, step))] }
    }
}
