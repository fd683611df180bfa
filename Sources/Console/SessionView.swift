import PotluckModel

/// A session, drawn over and over in the same place.
public enum SessionView {
    /// What always stays of the news, where there are any.
    private static let leastNews = 3
    /// More than one looks at.
    private static let mostNews = 12

    public static func lines(_ picture: SessionPicture, now: Instant, on canvas: Canvas) -> [Line] {
        // The cursor stands on the line below.
        let room = canvas.rows.map { max(1, $0 - 1) } ?? .max
        // What must be seen, whatever the room: who we are, how others get in, what is asked and waited for.
        let head = canvas.wrapped(picture.title, .strong) + invitation(picture.invitation, on: canvas)
        let foot =
            picture.waiting.flatMap { canvas.wrapped($0, .faint) }
            + picture.questions.flatMap { canvas.wrapped($0, .warning) }
        let left = room - head.count - foot.count
        guard left > 0 else { return Array((head + foot).suffix(room)) }
        let news = picture.news.suffix(mostNews).flatMap { canvas.wrapped($0.text, $0.ink) }
        let members = members(picture.members, now: now, room: left - min(leastNews, news.count), on: canvas)
        return head + members + Array(news.suffix(left - members.count)) + foot
    }

    private static func invitation(_ invitation: SessionPicture.Invitation?, on canvas: Canvas) -> [Line] {
        switch invitation {
        case nil: []
        case .words(let command, let code):
            canvas.wrapped("Others join with \(command) and these words:") + [Line("")]
                + canvas.flow(
                    code.split(separator: "-").map { Line.Piece(text: String($0), ink: .good) }, gap: 3, indent: 4)
                + [Line("")]
        case .open(let command):
            canvas.wrapped("Others join with \(command)")
                + canvas.wrapped(
                    "OPEN: there is no join code. Anybody on this network can come in, and an attacker can read along.",
                    .warning)
        }
    }

    /// As many as fit; those that need a look first.
    private static func members(
        _ members: [SessionPicture.Member], now: Instant, room: Int, on canvas: Canvas
    ) -> [Line] {
        guard !members.isEmpty, room > 0 else { return [] }
        let sorted = members.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
        let connected = members.count { $0.state == .connected }
        let count = Line(connected == 1 ? "1 node is connected" : "\(connected) nodes are connected", .strong)
        guard room >= 3 else { return [count] }
        // Besides the count there is the table's head, and where not all fit a line that says so.
        let fits = sorted.count + 2 <= room
        let shown = sorted.prefix(fits ? sorted.count : room - 3)
        let more = fits ? [] : [Line("and \(sorted.count - shown.count) more; a larger window shows all", .faint)]
        guard !shown.isEmpty else { return [count] + more }
        return [count] + table(Array(shown), now: now, on: canvas) + more
    }

    private static func table(_ members: [SessionPicture.Member], now: Instant, on canvas: Canvas) -> [Line] {
        let columns: [(head: String, text: (SessionPicture.Member) -> String)] = [
            ("name", { $0.name }), ("state", { PeerWords.words($0.state) }), ("mode", { "\($0.mode)" }),
            ("round trip", { $0.roundTrip.map(milliseconds) ?? "" }), ("for", { Figures.rough(now - $0.since) }),
        ]
        // The first columns say most: the last ones go where there is no room.
        for count in stride(from: columns.count, through: 1, by: -1) {
            let shown = columns.prefix(count).filter { column in members.contains { !column.text($0).isEmpty } }
            let lines = Table.lines(
                heads: shown.map(\.head),
                rows: members.map { member in
                    Table.Row(cells: shown.map { $0.text(member) }, ink: PeerWords.ink(member.state))
                }, on: canvas)
            if count == 1 || lines.allSatisfy({ $0.width(on: canvas) <= canvas.columns }) { return lines }
        }
        return []
    }

    private static func milliseconds(_ time: Duration) -> String {
        let tenths = (time.nanoseconds + 50_000) / 100_000
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) ms" : "\(tenths / 10) ms"
    }
}

extension SessionPicture.Member {
    /// Those one must do something about come first, then those who are there.
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
