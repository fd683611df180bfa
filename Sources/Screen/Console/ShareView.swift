import PotluckCore

/// The lines about a node's part in a job that stay in the terminal.
public enum ShareView {
    /// Returns `ana computed 12.0 % of the trials` or, for a search, `ana searched 12.0 % of the tree`; nil if the node
    /// computed nothing that counts.
    public static func words(_ rows: [NodeRow], own: NodeID, _ unit: WorkUnit) -> String? {
        let total = rows.reduce(0) { $0 + Double($1.trials) }
        guard let row = rows.first(where: { $0.node == own }), row.trials > 0, total > 0 else { return nil }
        if unit == .point { return "\(row.name) searched \(Figures.percent(ofSpace: row.trials)) of the tree" }
        return "\(row.name) computed \(Figures.percent(row.trials, of: total)) of the \(unit.plural)"
    }

    /// Returns the last tally of a job that is not over, for a node that leaves.
    public static func lines(_ snapshot: JobSnapshot, own: NodeID, on canvas: Canvas) -> [StyledLine] {
        let done = Figures.done(snapshot.trials, snapshot.spec.unit)
        var lines = canvas.wrapped(
            "\(snapshot.spec.name): \(done) in \(Figures.time(snapshot.elapsed)), not finished", .strong)
        let table = ReadingTable(canvas: canvas).lines(snapshot.readings)
        if !table.isEmpty { lines += [StyledLine()] + table + [StyledLine()] }
        if let words = words(snapshot.nodes, own: own, snapshot.spec.unit) {
            lines += canvas.wrapped(words)
        }
        return lines
    }
}
