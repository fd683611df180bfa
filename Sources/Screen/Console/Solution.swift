import PotluckKit

/// The best solution of a search, as its author shows it: lines of text, and the points of a picture. A line of two
/// numbers is a point, which is joined with the point before it.
public struct Solution: Sendable, Equatable {
    public struct Point: Sendable, Hashable {
        public let x: Double
        public let y: Double
    }

    let texts: [String]
    public let points: [Point]

    /// The most lines of text that are shown.
    private static let mostTexts = 20
    /// The lines of a picture: the most, and the fewest that show anything.
    private static let (height, least) = (15, 3)

    public init(_ octets: [UInt8]) {
        var (texts, points): ([String], [Point]) = ([], [])
        for line in String(decoding: octets, as: UTF8.self).split(separator: "\n") {
            let numbers = line.split(separator: " ", omittingEmptySubsequences: false).map { Double($0) }
            if numbers.count == 2, let x = numbers[0], let y = numbers[1], x.isFinite, y.isFinite {
                points.append(Point(x: x, y: y))
            } else {
                texts.append(Cells.clean(String(line), unicode: true))
            }
        }
        // Two points make no picture; two numbers may be all of a solution.
        if points.count < 3 {
            texts += points.map { "\($0.x) \($0.y)" }
            points = []
        }
        (self.texts, self.points) = (texts, points)
    }

    /// As a part of the screen: the picture in the height that is left by the text.
    func part(on canvas: Canvas) -> Part {
        let most = lines(on: canvas).count
        return Part(weight: 4, least: 1, enough: 8, most: most, isApart: true) { height in
            let text = text(on: canvas)
            let left = height - text.count
            if left < Self.least { return text }
            let gap = left > 2 * Self.least ? [StyledLine()] : []
            return text + gap + picture(height: min(left - gap.count, Self.height), on: canvas)
        }
    }

    func lines(on canvas: Canvas) -> [StyledLine] {
        let picture = picture(height: Self.height, on: canvas)
        return text(on: canvas) + (picture.isEmpty ? [] : [StyledLine()] + picture)
    }

    private func text(on canvas: Canvas) -> [StyledLine] {
        shownTexts.flatMap { canvas.wrapped($0, indent: 2) }
            + (rest.map { canvas.wrapped($0, .faint, indent: 2) } ?? [])
    }

    /// The lines of text that are shown; `rest` says how many there are besides.
    package var shownTexts: [String] { Array(texts.prefix(Self.mostTexts)) }
    package var rest: String? {
        texts.count > Self.mostTexts ? "… and \(texts.count - Self.mostTexts) more lines" : nil
    }

    private func picture(height: Int, on canvas: Canvas) -> [StyledLine] {
        guard canvas.unicode, !points.isEmpty, canvas.columns >= 20 else { return [] }
        var drawing = DotDrawing(columns: min(canvas.columns - 4, 4 * height), rows: height)
        join(points, in: &drawing)
        var lines = drawing.lines(indent: 2, unicode: true)
        while lines.last == StyledLine("  ") { lines.removeLast() }
        return lines
    }

    /// Joins points by straight lines. The drawing has the same scale in both directions, and the largest y at the top.
    private func join(_ points: [Point], in drawing: inout DotDrawing) {
        let (xs, ys) = (points.map(\.x), points.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let low = ys.min(), let high = ys.max() else { return }
        let scale = max((right - left) / Double(drawing.width - 1), (high - low) / Double(drawing.height - 1))
        guard scale > 0, scale.isFinite else { return }
        let dots = points.map {
            DotDrawing.Dot(Int((($0.x - left) / scale).rounded()), Int(((high - $0.y) / scale).rounded()))
        }
        for (from, to) in zip(dots, dots.dropFirst()) { drawing.line(from, to, .plain) }
    }
}
