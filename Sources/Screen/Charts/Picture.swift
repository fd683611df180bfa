import PotluckCore
import PotluckKit

/// A drawing of a reading that is no number, or of all categories: a figure of a page, or a part of a file.
struct Picture {
    let title: String
    let size: Plot.Size
    let parts: [String]
    /// Whether the parts have the title, as those of a plot do.
    var hasTitle = false

    /// An SVG without a style, for a page, which has one.
    var svg: String { Plot.document(parts, title: title, size, isStyled: false) }

    /// The pictures of a run: bars of categories, histograms, maps of cells and curves.
    static func all(_ readings: [Reading]) -> [Picture] {
        [Drawings.categories(readings)].compactMap { $0 }
            + readings.compactMap { reading in
                switch reading.kind {
                case .histogram: Drawings.histogram(reading)
                case .series: Drawings.series(reading)
                case .histogram2D: Drawings.cells(reading)
                default: nil
                }
            }
    }

    /// The room for a title above a picture in a file.
    private static let titleHeight = 28.0

    /// The height in a file that is as wide as plots are.
    var heightInFile: Double { size.height * scale + (hasTitle ? 0 : Self.titleHeight) }

    private var scale: Double { Plot.Size.file.width / size.width }

    /// The picture in a file, from `y` on.
    func inFile(at y: Double) -> String {
        let top = hasTitle ? y : y + Self.titleHeight
        let heading =
            hasTitle
            ? "" : "<text class=\"t\" x=\"20\" y=\"\(Markup.number(top - 8))\">\(Markup.escaped(title))</text>\n"
        return heading + "<g transform=\"translate(0 \(Markup.number(top))) scale(\(Markup.number(scale)))\">\n"
            + parts.joined(separator: "\n") + "\n</g>"
    }
}
