import PotluckCore
import PotluckKit

/// Lists the simulations, or explains one.
public enum SimulationsView {
    public static func list(_ simulations: [AnySimulation], on canvas: Canvas) -> [StyledLine] {
        entries(simulations.map { ($0.name, $0.summary) }, on: canvas, indent: 0)
            + [StyledLine()]
            + canvas.wrapped("Explain one: potluck simulations NAME. Run one: potluck run NAME.")
    }

    /// `typed` is what the user wrote for the simulation; nil if that is its name. `travels` means that it has a
    /// module.
    public static func explain(
        _ simulation: AnySimulation, typed: String? = nil, travels: Bool = true, on canvas: Canvas
    ) -> [StyledLine] {
        var lines = canvas.wrapped("\(simulation.name): \(simulation.summary)", .strong)
        if !simulation.parameters.isEmpty {
            lines += [StyledLine(), StyledLine("parameters", .faint)]
            lines += entries(
                simulation.parameters.map { parameter in
                    (
                        parameter.label,
                        "\(parameter.help): \(parameter.range) (default: \(parameter.text(of: parameter.standard)))"
                    )
                }, on: canvas, indent: 2)
        }
        if !simulation.inputs.isEmpty {
            lines += [StyledLine(), StyledLine("inputs", .faint)]
            lines += entries(
                simulation.inputs.map { ($0.name, "\($0.help) (--input \($0.name)=FILE)") }, on: canvas, indent: 2)
        }
        let prepared = try? simulation.prepared(simulation.standardParameters)
        let exact = prepared?.read(simulation.layout.empty, 0).map { $0.exact != nil } ?? []
        lines += [StyledLine(), StyledLine("readings", .faint)]
        lines += entries(
            simulation.readings.enumerated().map { index, reading in
                let isKnown = exact.indices.contains(index) && exact[index]
                return (reading.name, reading.kind.words + (isKnown ? ", compared with the exact answer" : ""))
            }, on: canvas, indent: 2)
        lines.append(StyledLine())
        if simulation.shape == .space {
            lines += canvas.wrapped("A search: it ends when the best solution is proven.")
        } else if let prepared {
            lines += canvas.wrapped("Block size: \(prepared.blockSize) \(simulation.unit.plural).")
        }
        if simulation.shape == .collect {
            lines += canvas.wrapped("Save its output with --output FILE, or print it with --output -.")
        }
        if !travels {
            lines += canvas.wrapped(
                "Its WebAssembly module is missing here, so only nodes with this simulation built in can compute it.")
        }
        let example =
            simulation.parameters.map { "-p \($0.label)=\($0.text(of: $0.standard))" }
            + simulation.inputs.map { "--input \($0.name)=FILE" }
        lines += canvas.wrapped(
            (["Run it: potluck run \(ShellWord.shown(typed ?? simulation.name))"] + example).joined(separator: " "))
        return lines
    }

    /// Names in the margin with the text beside them, or below if there is no room.
    private static func entries(_ rows: [(String, String)], on canvas: Canvas, indent: Int) -> [StyledLine] {
        let margin = indent + 3 + rows.reduce(0) { max($0, canvas.width(of: $1.0)) }
        guard canvas.columns >= margin + 30 else {
            return rows.flatMap { [StyledLine($0.0, .strong)] + canvas.wrapped($0.1, indent: 2) }
        }
        let beside = Canvas(columns: canvas.columns - margin, unicode: canvas.unicode, colour: canvas.colour)
        return rows.flatMap { row in
            beside.wrapped(row.1).enumerated().map { index, text in
                var line = StyledLine(String(repeating: " ", count: indent))
                let head = index == 0 ? row.0 : ""
                line.append(head, .strong)
                line.append(String(repeating: " ", count: margin - indent - canvas.width(of: head)))
                for piece in text.pieces { line.append(piece.text, piece.ink) }
                return line
            }
        }
    }
}

extension ReadingKind {
    var words: String {
        switch self {
        case .proportion: "a proportion of all trials"
        case .mean: "a mean"
        case .variance: "a variance"
        case .derived: "a number computed from the tally"
        case .histogram: "a histogram"
        case .category: "a category's part of all"
        case .series: "a curve"
        case .histogram2D: "a histogram in two dimensions"
        }
    }
}
