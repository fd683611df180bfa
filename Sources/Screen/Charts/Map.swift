extension Drawings {
    /// Returns an SVG of a solution's picture: its points joined in order. It has the same scale in both directions, and
    /// the largest y at the top. Returns nil if the solution has no picture.
    public static func map(_ solution: Solution, title: String, isStyled: Bool = true) -> String? {
        let (xs, ys) = (solution.points.map(\.x), solution.points.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let low = ys.min(), let high = ys.max() else { return nil }
        let side = isStyled ? 640.0 : Plot.Size.page.width
        let margin = 12.0
        let scale = (side - 2 * margin) / max(right - left, high - low)
        guard scale.isFinite, scale > 0 else { return nil }
        // A narrow map is in the middle, because a page shows every drawing in the same width.
        let size = Plot.Size(width: side, height: (high - low) * scale + 2 * margin)
        let indent = (side - (right - left) * scale) / 2
        let places = solution.points.map {
            (x: Markup.number(indent + ($0.x - left) * scale), y: Markup.number(margin + (high - $0.y) * scale))
        }
        // The trip ends where it begins, which is one dot.
        let isClosed = solution.points.first == solution.points.last
        let line = places.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        let dots = (isClosed ? places.dropLast() : places[...]).enumerated().map { place, dot in
            "<circle class=\"d\" cx=\"\(dot.x)\" cy=\"\(dot.y)\" r=\"\(place == 0 ? 5 : 3)\"/>"
        }
        return Plot.document(
            ["<polyline class=\"l\" points=\"\(line)\"/>"] + dots, title: title, size, isStyled: isStyled)
    }
}
