import PotluckCore
import PotluckKit

/// Draws a trial's picture in the cells of a terminal.
struct SketchChart {
    let canvas: Canvas

    /// The most lines; a higher picture shows no more.
    private static let highest = 16
    private static let indent = 4

    func lines(_ picture: TrialLog.Frame) -> [StyledLine] {
        let columns = canvas.columns - Self.indent
        // Leave room for the trial's own lines.
        let rows = max(1, min(Self.highest, (canvas.rows ?? .max) - 6))
        guard columns > 0 else { return [] }
        // A dot is about as high as it is wide, so both directions have one scale.
        let scale = min(Double(2 * columns - 1) / Double(picture.width), Double(4 * rows - 1) / Double(picture.height))
        let (width, height) = (Double(picture.width) * scale, Double(picture.height) * scale)
        var drawing = DotDrawing(columns: Int(width / 2) + 1, rows: Int(height / 4) + 1)
        let pen = Pen(scale: scale, height: height, unicode: canvas.unicode)
        for shape in picture.shapes { pen.draw(shape, in: &drawing) }
        return drawing.lines(indent: Self.indent, unicode: canvas.unicode)
    }
}

/// Draws shapes, whose places are thousandths of the larger side, from the lower left corner.
private struct Pen {
    let scale: Double
    let height: Double
    let unicode: Bool

    func draw(_ shape: TrialLog.Shape, in drawing: inout DotDrawing) {
        let (from, ink) = (dot(shape.at), colour(shape.ink))
        switch shape.form {
        case .line(let to): drawing.line(from, dot(to), ink)
        case .box(let to, let isFilled): box(from, dot(to), isFilled, ink, &drawing)
        case .circle(let radius, let isFilled): circle(from, Double(radius) * scale, isFilled, ink, &drawing)
        case .text(let text):
            let signs = Cells.clean(text, unicode: unicode).map { Cells.width(of: $0) == 1 ? $0 : "?" }
            drawing.text(String(signs), from, ink)
        }
    }

    private func dot(_ point: TrialLog.Point) -> DotDrawing.Dot {
        DotDrawing.Dot(
            Int((Double(point.x) * scale).rounded(.down)), Int((height - Double(point.y) * scale).rounded(.down)))
    }

    private func box(
        _ from: DotDrawing.Dot, _ to: DotDrawing.Dot, _ isFilled: Bool, _ ink: Ink, _ drawing: inout DotDrawing
    ) {
        let (left, right) = (min(from.x, to.x), max(from.x, to.x))
        let (top, bottom) = (min(from.y, to.y), max(from.y, to.y))
        guard isFilled else {
            for y in [top, bottom] { drawing.line(DotDrawing.Dot(left, y), DotDrawing.Dot(right, y), ink) }
            for x in [left, right] { drawing.line(DotDrawing.Dot(x, top), DotDrawing.Dot(x, bottom), ink) }
            return
        }
        // A gap between filled boxes that touch lets a reader count them, where there is room for it.
        let (endX, endY) = (right - (right - left > 2 ? 1 : 0), bottom - (bottom - top > 2 ? 1 : 0))
        for y in max(0, top)..<max(0, top, min(drawing.height, endY + 1)) {
            // What is faint must differ without colours, too.
            for x in max(0, left)..<max(0, left, min(drawing.width, endX + 1)) where ink != .faint || (x + y) % 2 == 0 {
                drawing.dot(x, y, ink)
            }
        }
    }

    private func circle(
        _ middle: DotDrawing.Dot, _ radius: Double, _ isFilled: Bool, _ ink: Ink, _ drawing: inout DotDrawing
    ) {
        for y in 0..<drawing.height {
            for x in 0..<drawing.width {
                let (across, down) = (Double(x - middle.x), Double(y - middle.y))
                let distance = (across * across + down * down).squareRoot() - radius
                if isFilled ? distance <= 0.5 : abs(distance) <= 0.5 { drawing.dot(x, y, ink) }
            }
        }
    }

    private func colour(_ ink: Sketch.Ink) -> Ink {
        switch ink {
        case .plain: .plain
        case .faint: .faint
        case .good: .good
        case .bad: .bad
        case .marked: .strong
        }
    }
}
