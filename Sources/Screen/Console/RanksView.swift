import PotluckCore
import PotluckRanks

/// The lines about the ranks of a program: while it runs, and when it has ended.
public enum RanksView {
    /// The most ranks of which the screen has a row while the program runs. More would push the program's own lines away.
    private static let mostRows = 12

    /// What the ranks do now.
    public static func live(_ picture: RankPicture, on canvas: Canvas) -> [StyledLine] {
        let computing = picture.ranks.count { $0.activity == .computing }
        let ended = picture.ranks.count { $0.activity == .ended }
        var counts = ["\(computing) compute"]
        let waiting = picture.ranks.count - computing - ended
        if waiting > 0 { counts.append("\(waiting) wait") }
        if ended > 0 { counts.append("\(ended) have ended") }
        var parts = [counts.joined(separator: ", "), traffic(picture)]
        if picture.checkpoints > 0 { parts.append("\(picture.checkpoints) checkpoints") }
        parts.append(Figures.time(picture.elapsed))
        let head = "\(ranks(picture.ranks.count)): " + parts.joined(separator: canvas.unicode ? " · " : " - ")
        let room = canvas.rows.map { max(0, $0 / 2 - 3) } ?? mostRows
        // Those that wait longest are the ones to look at.
        let order = picture.ranks.indices.sorted { a, b in
            (since(picture, a), a) < (since(picture, b), b)
        }
        let shown = order.prefix(min(mostRows, room)).sorted()
        var lines = canvas.wrapped(head, .strong)
        lines += RankTable(picture, RankTable.live, on: canvas).lines(Array(shown))
        let rest = picture.ranks.count - shown.count
        if rest > 0, !shown.isEmpty { lines.append(StyledLine("and \(rest) more", .faint)) }
        return lines
    }

    private static func since(_ picture: RankPicture, _ rank: Int) -> Instant {
        if case .waiting(_, let since) = picture.ranks[rank].activity { since } else { .distantFuture }
    }

    /// One line about a program that has ended.
    public static func summary(_ picture: RankPicture) -> String {
        var text = "\(ranks(picture.ranks.count)), \(traffic(picture)), \(Figures.time(picture.elapsed))"
        let longest = picture.ranks.indices.max { picture.ranks[$0].waits.whole < picture.ranks[$1].waits.whole }
        if let longest, picture.ranks[longest].waits.whole >= leastWait {
            let waits = picture.ranks[longest].waits
            text += "; rank \(longest) waited longest: \(Figures.time(waits.whole))"
            if let most = waits.longest, most.time > waits.whole / 2 { text += ", mostly for rank \(most.rank)" }
        }
        return text
    }

    /// A shorter wait is not worth a word.
    private static let leastWait = Duration.milliseconds(100)

    /// What each rank did, when the program has ended.
    public static func table(_ picture: RankPicture, on canvas: Canvas) -> [StyledLine] {
        RankTable(picture, RankTable.ended, on: canvas).lines(Array(picture.ranks.indices))
    }

    private static func ranks(_ count: Int) -> String { count == 1 ? "1 rank" : "\(count) ranks" }

    private static func traffic(_ picture: RankPicture) -> String {
        let messages = picture.messages
        return
            "\(Figures.grouped(UInt64(messages))) message\(messages == 1 ? "" : "s"), \(Figures.size(picture.octets))"
    }
}
