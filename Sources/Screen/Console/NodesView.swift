import PotluckCore

/// A table of the nodes nearby, drawn repeatedly in the same place.
public struct NodesView: Sendable {
    /// The lines while no node is found: the steps of the search, and its obstacles.
    public var waiting: [String]
    /// Whether all sessions are shown, and not only one.
    var showsSessions: Bool

    public init(waiting: [String], showsSessions: Bool) {
        self.waiting = waiting
        self.showsSessions = showsSessions
    }

    public func lines(_ entries: [NodeEntry], now: Instant, on canvas: Canvas) -> [StyledLine] {
        // One line fewer than the screen has, because the cursor stands below the block.
        let room = canvas.rows.map { max(2, $0 - 1) } ?? .max
        let notes = waiting.flatMap { canvas.wrapped($0, .faint) }
        guard !entries.isEmpty else {
            return Array((canvas.wrapped("No nodes found yet.") + notes).prefix(room))
        }
        // A hidden node does not announce its session's name, but another node of the session may.
        let names = Dictionary(
            entries.compactMap { entry in entry.announcement.session.map { (entry.announcement.sessionHash, $0.name) } }
        ) { first, _ in first }
        let rows = entries.map { Row($0, sessions: names, now: now) }.sorted {
            $0.order.lexicographicallyPrecedes($1.order)
        }
        var lines = [StyledLine(head(entries), .strong)] + table(rows, on: canvas)
        if lines.count + notes.count <= room { return lines + notes }
        if lines.count > room {
            // Say that nodes are left out in the stacked layout as well.
            lines = Array(lines.prefix(room - 1)) + [StyledLine("and more; enlarge the window to show all", .faint)]
        }
        return lines
    }

    private func head(_ entries: [NodeEntry]) -> String {
        let sessions = Set(entries.map(\.announcement.sessionHash)).count
        let nodes = entries.count == 1 ? "1 node" : "\(entries.count) nodes"
        return showsSessions ? "\(nodes) in \(sessions == 1 ? "1 session" : "\(sessions) sessions")" : nodes
    }

    // MARK: - Rows

    /// The texts of one node.
    struct Row {
        let session: String
        let name: String
        let mode: String
        let host: String
        let address: String
        let moreAddresses: Int
        let seenBy: String
        let since: String
        let state: String
        let ink: Ink
        /// The sort key: session, name, ID.
        let order: [String]

        init(_ entry: NodeEntry, sessions: [SessionHash: String], now: Instant) {
            let said = entry.announcement
            session = sessions[said.sessionHash] ?? "hidden \(said.sessionHash.description.prefix(8))"
            name = said.name ?? said.node.short
            mode = said.mode.description
            host = entry.sameMachine ? "this machine" : entry.host ?? ""
            // A node that accepts no connections has port 0.
            let best = entry.endpoints.first
            address = best.map { said.port == 0 ? $0.host : $0.description } ?? ""
            moreAddresses = max(0, entry.endpoints.count - 1)
            seenBy = entry.sources.map { $0 == .beacon ? "beacon" : "mDNS" }.joined(separator: ", ")
            since = Figures.rough(now - entry.since)
            switch entry.standing {
            case .present: (state, ink) = ("", .plain)
            case .suspect: (state, ink) = ("silent, checking", .warning)
            case .unconfirmed: (state, ink) = ("unconfirmed", .faint)
            }
            order = [session, name, said.node.description]
        }

        func addresses(_ isLong: Bool) -> String {
            moreAddresses > 0 && isLong ? "\(address) and \(moreAddresses) more" : address
        }
    }

    /// Uses the widest layout that fits, or stacks the texts of each node if none does.
    private func table(_ rows: [Row], on canvas: Canvas) -> [StyledLine] {
        for columns in layouts {
            let table = Table.lines(columns.filter { $0.hasText(rows) }, rows, on: canvas, ink: \.ink)
            if table.allSatisfy({ $0.width(on: canvas) <= canvas.columns }) { return table }
        }
        return rows.flatMap { stacked($0, on: canvas) }
    }

    private var layouts: [[TableColumn<Row>]] {
        let session = showsSessions ? [TableColumn<Row>("session") { $0.session }] : []
        let name = TableColumn<Row>("name") { $0.name }
        let mode = TableColumn<Row>("mode") { $0.mode }
        let host = TableColumn<Row>("host") { $0.host }
        let addresses = TableColumn<Row>("address") { $0.addresses(true) }
        let address = TableColumn<Row>("address") { $0.addresses(false) }
        let seenBy = TableColumn<Row>("seen by") { $0.seenBy }
        let since = TableColumn<Row>("for") { $0.since }
        let state = TableColumn<Row>("") { $0.state }
        return [
            session + [name, mode, host, addresses, seenBy, since, state],
            session + [name, mode, host, address, seenBy, since, state],
            session + [name, mode, address, seenBy, since, state],
            session + [name, mode, address, since, state],
            session + [name, address, state],
        ]
    }

    private func stacked(_ row: Row, on canvas: Canvas) -> [StyledLine] {
        let rest = (showsSessions ? [row.session] : []) + [row.mode, row.address, row.seenBy, row.since, row.state]
        return [StyledLine(row.name, row.ink == .plain ? .strong : row.ink)]
            + canvas.flow(rest.filter { !$0.isEmpty }.map { StyledLine.Piece(text: $0, ink: row.ink) })
    }
}
