import PotluckCore

/// A table of a job's nodes. If not all fit, shows some and says how many are above and below.
struct NodeTable {
    private let rows: [NodeRow]
    private let canvas: Canvas
    private let takesKeys: Bool
    /// This node; nil if it is not marked.
    private let own: NodeID?
    /// The word for the state of all nodes while contact with the coordinator is lost; nil if it is not.
    private let loss: String?
    private var isLost: Bool { loss != nil }

    init(
        rows: [NodeRow], order: NodeOrder, canvas: Canvas, takesKeys: Bool, own: NodeID? = nil, loss: String? = nil
    ) {
        // Parse the number in each name only once.
        let names = Dictionary(rows.map { ($0.name, NumberedName($0.name)) }) { first, _ in first }
        self.rows = rows.sorted { a, b in
            switch order {
            case .name: break
            case .rate where a.rate ?? 0 != b.rate ?? 0: return a.rate ?? 0 > b.rate ?? 0
            case .share where a.trials != b.trials: return a.trials > b.trials
            case .state where a.work.rank != b.work.rank: return a.work.rank < b.work.rank
            default: break
            }
            guard a.name != b.name, let first = names[a.name], let second = names[b.name] else {
                return a.node < b.node
            }
            return first < second
        }
        self.canvas = canvas
        self.takesKeys = takesKeys
        self.own = own
        self.loss = loss
    }

    /// Returns which nodes `height` lines show, from `offset` on. Empty if there is only room for a summary.
    func window(_ height: Int, from offset: Int) -> Range<Int> { Table.window(rows.count, height, from: offset) }

    func lines(_ height: Int, from offset: Int) -> [StyledLine] {
        let window = window(height, from: offset)
        guard !window.isEmpty else { return [summary] }
        var lines = table(window)
        if window.count < rows.count { lines.append(Table.hidden(window, of: rows.count, takesKeys: takesKeys)) }
        return lines
    }

    private var summary: StyledLine {
        let nodes = rows.filter { !$0.isEarlier }
        let count = nodes.count == 1 ? "1 node" : "\(nodes.count) nodes"
        let cores = nodes.reduce(0) { $0 &+ $1.cores }
        let all = count + (cores == 0 ? "" : cores == 1 ? ", 1 core" : ", \(cores) cores")
        if let loss {
            var line = StyledLine(all, .strong)
            line.append(": \(loss)", .warning)
            return line
        }
        var counts: [(word: String, rank: Int, count: Int)] = []
        for row in nodes {
            if let index = counts.firstIndex(where: { $0.rank == row.work.rank }) {
                counts[index].count += 1
            } else {
                counts.append((row.work.word, row.work.rank, 1))
            }
        }
        let words = counts.sorted { $0.rank < $1.rank }.map { "\($0.count) \($0.word)" }
        let rest = ": " + words.joined(separator: ", ")
        // What the nodes do matters more than how many cores they have.
        var line = StyledLine(canvas.width(of: all + rest) <= canvas.columns ? all : count, .strong)
        line.append(rest)
        return line
    }

    // MARK: - Columns

    private struct Column {
        let table: Table.Column
        /// The columns with the lowest weight are kept longest.
        let weight: Int
        let text: (NodeRow) -> String
    }

    /// The least width of names that are cut to make room for other columns.
    private static let shortName = 12
    /// The blanks between two columns.
    private static let gap = 2

    private var columns: [Column] {
        let total = rows.reduce(0) { $0 + Double($1.trials) }
        return [
            Column(table: .init(head: "cores", isNumber: true), weight: 4) { $0.cores > 0 ? "\($0.cores)" : "" },
            Column(table: .init(head: "rate", isNumber: true, least: 14), weight: 1) {
                isLost ? "" : $0.rate.map(Figures.rate) ?? ""
            },
            Column(table: .init(head: "share", isNumber: true, least: 6), weight: 3) {
                total > 0 ? Figures.percent($0.trials, of: total) : ""
            },
            Column(table: .init(head: "state", least: 9), weight: 2) { state($0) },
            Column(table: .init(head: "expanded", isNumber: true), weight: 7) {
                $0.effort == .none ? "" : Figures.grouped($0.effort.expanded, width: 12)
            },
            Column(table: .init(head: "in vain", isNumber: true), weight: 8) { $0.effort.percentInVain ?? "" },
            Column(table: .init(head: "recomputed", isNumber: true), weight: 9) {
                row in row.recomputed.map { BrowserShare.percent($0, of: row.trials) } ?? ""
            },
            Column(table: .init(head: "round trip", isNumber: true), weight: 6) {
                $0.roundTrip.map(Figures.milliseconds) ?? ""
            },
            Column(table: .init(head: "for", isNumber: true, least: 6), weight: 5) {
                $0.isEarlier ? "" : Figures.age($0.since)
            },
        ]
    }

    private func state(_ row: NodeRow) -> String {
        if row.isEarlier { return "kept" }
        guard let loss else {
            // A result has the nodes as they were at its end. This node has returned since, because it has the result.
            return row.node == own && [.gone, .silent].contains(row.work) ? NodeWork.idle.words : row.work.words
        }
        return row.node == own ? "waiting" : loss
    }

    private func name(_ row: NodeRow) -> String { row.node == own ? "\(row.name) (you)" : row.name }

    /// The table's head and the nodes of the window. Widths depend on all nodes, so that columns do not move while
    /// scrolling.
    private func table(_ window: Range<Int>) -> [StyledLine] {
        let longest = rows.reduce(4) { max($0, canvas.width(of: self.name($1))) }
        var wanted: [(column: Column, texts: [String], width: Int)] = []
        for column in columns {
            let texts = rows.map(column.text)
            guard texts.contains(where: { !$0.isEmpty }) else { continue }
            let least = max(column.table.least, canvas.width(of: column.table.head))
            // The state may have a long reason, so limit its width.
            wanted.append((column, texts, texts.reduce(least) { max($0, min(Self.longest, canvas.width(of: $1))) }))
        }
        var left = canvas.columns - min(longest, Self.shortName)
        var shown: Set<Int> = []
        for index in wanted.indices.sorted(by: { wanted[$0].column.weight < wanted[$1].column.weight }) {
            guard wanted[index].width + Self.gap <= left else { break }
            left -= wanted[index].width + Self.gap
            shown.insert(index)
        }
        let name = min(longest, min(longest, Self.shortName) + left)
        let kept = wanted.indices.filter(shown.contains)
        return Table.lines(
            [Table.Column(head: "name", least: name)]
                + kept.map { index in
                    let column = wanted[index].column.table
                    return Table.Column(head: column.head, isNumber: column.isNumber, least: wanted[index].width)
                },
            rows: window.map { row in
                Table.Row(
                    cells: [canvas.cut(name: self.name(rows[row]), to: name)]
                        + kept.map { canvas.cut(wanted[$0].texts[row], to: wanted[$0].width) },
                    ink: isLost ? .faint : rows[row].work.ink)
            }, on: canvas)
    }

    /// The most columns that a text may widen its column to.
    private static let longest = 24
}

/// Sorts names by the number at their end: `laptop 2` before `laptop 10`.
struct NumberedName: Comparable {
    private let text: Substring
    private let number: Int
    private let name: String

    init(_ name: String) {
        self.name = name
        // At most the last nine digits are read as a number; nobody counts further.
        let digits = name.reversed().prefix(9).prefix { $0.isASCII && $0.isNumber }.count
        text = name.dropLast(digits)
        number = Int(name.suffix(digits)) ?? -1
    }

    static func < (a: NumberedName, b: NumberedName) -> Bool {
        (a.text, a.number, a.name) < (b.text, b.number, b.name)
    }
}
