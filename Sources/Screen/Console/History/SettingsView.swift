/// A table of the settings, with their sources.
public enum SettingsView {
    public static func lines(
        _ rows: [(name: String, value: String, source: String, help: String)], _ path: String, on canvas: Canvas
    ) -> [StyledLine] {
        Table.lines(
            heads: ["setting", "value", "from", ""],
            rows: rows.map { Table.Row(cells: [$0.name, $0.value, $0.source, $0.help], ink: .plain) }, on: canvas)
            + [StyledLine()] + canvas.wrapped("Settings file: \(path)", .faint)
    }
}
