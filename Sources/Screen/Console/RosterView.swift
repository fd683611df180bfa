import PotluckCore

/// All devices of a session, sorted by name, with their cores and their shares of the job in view. It has the whole screen.
struct RosterView {
    private struct Row {
        let name: String
        var cores: Int
        var state: String
        var isAway = false
        var trials: UInt64 = 0
    }

    private let rows: [Row]
    private let canvas: Canvas

    init(_ picture: ClusterPicture, _ focus: ClusterPicture.Focus, on canvas: Canvas) {
        var rows: [String: Row] = [:]
        for device in picture.session?.roster ?? [] {
            rows[device.name] = Row(
                name: device.name, cores: device.cores, state: device.isHere ? "here" : "no contact",
                isAway: !device.isHere)
        }
        // A viewer knows only those that compute. Those that left keep their share.
        for node in focus.nodes where !node.isEarlier {
            rows[node.name, default: Row(name: node.name, cores: node.cores, state: node.work.words)].trials =
                node.trials
        }
        let names = rows.keys.map { ($0, NumberedName($0)) }.sorted { $0.1 < $1.1 }
        self.rows = names.compactMap { rows[$0.0] }
        self.canvas = canvas
    }

    private var title: String {
        let cores = rows.reduce(0) { $0 + ($1.isAway ? 0 : $1.cores) }
        return (rows.count == 1 ? "1 device" : "\(rows.count) devices") + (cores == 1 ? ", 1 core" : ", \(cores) cores")
    }

    /// Returns which rows `height` lines show, from `offset` on.
    private func window(_ height: Int, from offset: Int) -> Range<Int> {
        Table.window(rows.count, height - 1, from: offset)
    }

    func lines(_ height: Int, from offset: Int) -> [StyledLine] {
        let window = window(height, from: offset)
        guard !window.isEmpty else { return [StyledLine(title, .strong)] }
        var lines = [StyledLine(canvas.cut(title, to: canvas.columns), .strong)]
        lines += Table.lines(columns, Array(rows[window]), on: canvas) { $0.isAway ? .warning : .plain }
        if window.count < rows.count { lines.append(Table.hidden(window, of: rows.count, takesKeys: true)) }
        return lines
    }

    /// The columns that fit, the most important first.
    private var columns: [TableColumn<Row>] {
        let total = rows.reduce(0) { $0 + Double($1.trials) }
        var room = canvas.columns
        var kept: [TableColumn<Row>] = []
        let others: [TableColumn<Row>] = [
            TableColumn("cores", isNumber: true) { $0.cores > 0 ? "\($0.cores)" : "" },
            TableColumn("share", isNumber: true) { $0.trials > 0 ? Figures.percent($0.trials, of: total) : "" },
            TableColumn("state") { canvas.cut($0.state, to: Self.longestState) },
        ]
        for column in others {
            // Widths depend on all rows, so that columns do not move while scrolling.
            let width = column.width(rows, on: canvas) + Self.gap
            guard column.hasText(rows), room - width >= Self.shortName else { continue }
            kept.append(
                TableColumn(
                    column.layout.head, isNumber: column.layout.isNumber, least: width - Self.gap, text: column.text))
            room -= width
        }
        let longest = rows.reduce(4) { max($0, canvas.width(of: $1.name)) }
        let name = min(longest, room)
        return [TableColumn("name", least: name) { canvas.cut(name: $0.name, to: name) }] + kept
    }

    /// The least width of names that are cut to make room for other columns, and the most of a state.
    private static let shortName = 8
    private static let longestState = 24
    private static let gap = 2

    func scrolled(_ height: Int, from offset: Int, by key: ViewKey) -> Int {
        let wanted = key.scrolled(window(height, from: offset), of: rows.count)
        return window(height, from: wanted).lowerBound
    }
}

extension Table {
    /// Returns which of `count` rows `height` lines show, from `offset` on. Empty if there is no room for any.
    static func window(_ count: Int, _ height: Int, from offset: Int) -> Range<Int> {
        if height > count { return 0..<count }
        // Two lines are for the table's head and for the number of rows that are not shown.
        let shown = height - 2
        guard shown > 0 else { return 0..<0 }
        let first = max(0, min(offset, count - shown))
        return first..<(first + shown)
    }

    /// Says how many rows are not shown.
    static func hidden(_ window: Range<Int>, of count: Int, takesKeys: Bool) -> StyledLine {
        let hidden = [(window.lowerBound, "above"), (count - window.upperBound, "below")]
        let rest = hidden.filter { $0.0 > 0 }.map { "\($0.0) more \($0.1)" }.joined(separator: ", ")
        return StyledLine(takesKeys ? "\(rest); scroll with the arrow keys" : rest, .faint)
    }
}

extension ViewKey {
    /// The first row that this key asks for, where a window of `count` rows is shown.
    func scrolled(_ window: Range<Int>, of count: Int) -> Int {
        let wanted =
            switch self {
            case .up: window.lowerBound - 1
            case .down: window.lowerBound + 1
            case .pageUp: window.lowerBound - max(1, window.count)
            case .pageDown: window.lowerBound + max(1, window.count)
            case .home: 0
            default: count
            }
        return max(0, wanted)
    }
}
