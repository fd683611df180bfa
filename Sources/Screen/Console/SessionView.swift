import PotluckCore

/// Draws the parts of the screen that show the session.
public enum SessionView {
    static func invitation(_ invitation: SessionPicture.Invitation, on canvas: Canvas) -> [StyledLine] {
        switch invitation {
        case .words(let command, let code):
            canvas.wrapped("To join, run \(command) and type these words:") + [StyledLine("")]
                + canvas.flow(words(code), gap: 3, indent: 4) + [StyledLine("")]
        case .open(let command): canvas.wrapped("To join, run \(command)") + canvas.wrapped(openWarning, .warning)
        }
    }

    /// The invitation in short, for when a job is shown.
    static func brief(_ invitation: SessionPicture.Invitation, on canvas: Canvas) -> [StyledLine] {
        switch invitation {
        case .words(let command, let code):
            canvas.flow([StyledLine.Piece(text: "\(command):", ink: .plain)] + words(code), gap: 1, indent: 0)
        case .open(let command): canvas.wrapped("\(command)   OPEN: no join code", .warning)
        }
    }

    /// The page for browsers with its viewers, in one line if it fits.
    static func page(_ page: SessionPicture.Page, on canvas: Canvas) -> [StyledLine] {
        var pieces = [StyledLine.Piece(text: "Page: \(page.address)", ink: .plain)]
        if let first = page.viewers.first {
            let count = page.viewers.count
            let names = page.viewers.prefix(mostViewers).joined(separator: ", ") + (count > mostViewers ? ", …" : "")
            pieces.append(
                StyledLine.Piece(text: count == 1 ? "1 viewer: \(first)" : "\(count) viewers: \(names)", ink: .faint))
        }
        return canvas.flow(pieces, gap: 3, indent: 0)
    }

    /// The names of viewers that a line has room for.
    private static let mostViewers = 4

    private static func words(_ code: String) -> [StyledLine.Piece] {
        code.split(separator: "-").map { StyledLine.Piece(text: String($0), ink: .good) }
    }

    /// Shown in place of the invitation while newcomers are not admitted.
    static let closed = "Closed: nobody new can join, and those who are here stay. Press d to open it again."

    /// Shown as long as an open session lasts.
    public static let openWarning =
        "OPEN: no join code. Anyone on this network can join, and an attacker can read all messages."

    /// The members that fit, with those that need attention first.
    static func members(
        _ members: [SessionPicture.Member], now: Instant, room: Int, on canvas: Canvas
    ) -> [StyledLine] {
        guard !members.isEmpty, room > 0 else { return [] }
        let sorted = members.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
        let connected = members.count { $0.state == .connected }
        let count = StyledLine(connected == 1 ? "1 node connected" : "\(connected) nodes connected", .strong)
        guard room >= 3 else { return [count] }
        // One line is the count, one the table's head, and one says how many are left out, if any.
        let fits = sorted.count + 2 <= room
        let shown = sorted.prefix(fits ? sorted.count : room - 3)
        let more =
            fits ? [] : [StyledLine("and \(sorted.count - shown.count) more; enlarge the window to show all", .faint)]
        guard !shown.isEmpty else { return [count] + more }
        return [count] + table(Array(shown), now: now, on: canvas) + more
    }

    private static func table(_ members: [SessionPicture.Member], now: Instant, on canvas: Canvas) -> [StyledLine] {
        let columns: [TableColumn<SessionPicture.Member>] = [
            TableColumn("name") { $0.name }, TableColumn("state") { PeerWords.words($0.state) },
            TableColumn("mode") { "\($0.mode)" },
            TableColumn("round trip") { $0.roundTrip.map(Figures.milliseconds) ?? "" },
            TableColumn("for") { Figures.rough(now - $0.since) },
        ]
        // The most important columns first: the last ones are left out if there is no room.
        for count in stride(from: columns.count, through: 1, by: -1) {
            let shown = columns.prefix(count).filter { $0.hasText(members) }
            let lines = Table.lines(shown, members, on: canvas) { PeerWords.ink($0.state) }
            if count == 1 || lines.allSatisfy({ $0.width(on: canvas) <= canvas.columns }) { return lines }
        }
        return []
    }
}

extension SessionPicture.Member {
    /// The sort order: members that need attention first, then those that are connected.
    fileprivate var rank: Int {
        switch state {
        case .connecting(.ourUser): 0
        case .suspect: 1
        case .connected: 2
        case .connecting: 3
        case .available, .gone: 4
        }
    }
}
