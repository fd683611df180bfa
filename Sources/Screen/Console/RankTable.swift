import PotluckCore
import PotluckRanks

/// A row for each rank of a program, with the columns that fit.
struct RankTable {
    enum Column: Sendable {
        case rank, laptop, sent, sentBytes, received, receivedBytes, waited, mostlyFor, now, briefly
    }

    /// All columns while the program runs, and then fewer and fewer, without the least important ones.
    static let live: [[Column]] = [
        [.rank, .laptop, .sent, .sentBytes, .received, .receivedBytes, .waited, .mostlyFor, .now],
        [.rank, .laptop, .sent, .sentBytes, .received, .receivedBytes, .waited, .mostlyFor, .briefly],
        [.rank, .laptop, .sent, .received, .waited, .mostlyFor, .briefly],
        [.rank, .laptop, .waited, .briefly],
        [.rank, .briefly],
    ]

    /// The same when it has ended.
    static let ended: [[Column]] = [
        [.rank, .laptop, .sent, .sentBytes, .received, .receivedBytes, .waited, .mostlyFor],
        [.rank, .laptop, .sent, .received, .waited, .mostlyFor],
        [.rank, .laptop, .waited, .mostlyFor],
        [.rank, .waited, .mostlyFor],
    ]

    private let picture: RankPicture
    private let columns: [Column]
    private let canvas: Canvas

    /// The columns of a name. A longer one would push what ranks do off the screen.
    private static let mostName = 20
    /// The columns for what a rank does now. Waits come and go, and the columns must not come and go with them.
    private static let (roomOfNow, roomBriefly) = (52, 26)

    init(_ picture: RankPicture, _ choices: [[Column]], on canvas: Canvas) {
        (self.picture, self.canvas) = (picture, canvas)
        // A program on one machine does not name it.
        let choices = choices.map { $0.filter { $0 != .laptop || !picture.laptops.isEmpty } }
        columns = Table.fitting(choices, on: canvas) {
            Self.column($0, picture, canvas).width(picture.ranks.indices, on: canvas)
        }
    }

    func lines(_ ranks: [Int]) -> [StyledLine] {
        Table.lines(columns.map { Self.column($0, picture, canvas) }, ranks, on: canvas) {
            picture.ranks[$0].activity == .ended ? .faint : .plain
        }
    }

    private static func column(_ column: Column, _ picture: RankPicture, _ canvas: Canvas) -> TableColumn<Int> {
        func row(_ rank: Int) -> RankPicture.Rank { picture.ranks[rank] }
        return switch column {
        case .rank: TableColumn("rank", isNumber: true) { "\($0)" }
        case .laptop: TableColumn("laptop") { canvas.cut(name: picture.laptops[$0], to: mostName) }
        case .sent: TableColumn("sent", isNumber: true) { Figures.grouped(UInt64(row($0).traffic.messagesSent)) }
        case .sentBytes: TableColumn("bytes", isNumber: true) { Figures.size(row($0).traffic.octetsSent) }
        case .received:
            TableColumn("received", isNumber: true) { Figures.grouped(UInt64(row($0).traffic.messagesReceived)) }
        case .receivedBytes: TableColumn("bytes", isNumber: true) { Figures.size(row($0).traffic.octetsReceived) }
        case .waited: TableColumn("waited", isNumber: true) { Figures.time(row($0).waits.whole) }
        case .mostlyFor: TableColumn("mostly for") { row($0).waits.longest.map { "rank \($0.rank)" } ?? "" }
        case .now: TableColumn("now", room: roomOfNow) { activity(row($0).activity, picture.now) { "\($0)" } }
        case .briefly: TableColumn("now", room: roomBriefly) { activity(row($0).activity, picture.now) { $0.brief } }
        }
    }

    private static func activity(
        _ activity: RankActivity, _ now: Instant, _ words: (RankActivity.Cause) -> String
    ) -> String {
        switch activity {
        case .computing: "computes"
        case .waiting(let cause, let since): "\(words(cause)), \(Figures.time(now - since))"
        case .ended: "has ended"
        }
    }
}
