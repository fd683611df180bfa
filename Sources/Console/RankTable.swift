import PotluckModel
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
        columns = Table.fitting(choices, on: canvas) { Self.width($0, picture, canvas) }
    }

    func lines(_ ranks: [Int]) -> [Line] {
        Table.lines(
            columns.map(Self.layout),
            rows: ranks.map { rank in
                Table.Row(
                    cells: columns.map { Self.cell($0, rank, picture, canvas) },
                    ink: picture.ranks[rank].activity == .ended ? .faint : .plain)
            }, on: canvas)
    }

    private static func width(_ column: Column, _ picture: RankPicture, _ canvas: Canvas) -> Int {
        switch column {
        case .now: roomOfNow
        case .briefly: roomBriefly
        default:
            picture.ranks.indices.reduce(canvas.width(of: layout(column).head)) {
                max($0, canvas.width(of: cell(column, $1, picture, canvas)))
            }
        }
    }

    private static func layout(_ column: Column) -> Table.Column {
        switch column {
        case .rank: .init(head: "rank", isNumber: true)
        case .laptop: .init(head: "laptop")
        case .sent: .init(head: "sent", isNumber: true)
        case .sentBytes, .receivedBytes: .init(head: "bytes", isNumber: true)
        case .received: .init(head: "received", isNumber: true)
        case .waited: .init(head: "waited", isNumber: true)
        case .mostlyFor: .init(head: "mostly for")
        case .now, .briefly: .init(head: "now")
        }
    }

    private static func cell(_ column: Column, _ rank: Int, _ picture: RankPicture, _ canvas: Canvas) -> String {
        let row = picture.ranks[rank]
        return switch column {
        case .rank: "\(rank)"
        case .laptop: canvas.cut(name: picture.laptops[rank], to: mostName)
        case .sent: Figures.grouped(UInt64(row.traffic.messagesSent))
        case .sentBytes: Figures.size(row.traffic.octetsSent)
        case .received: Figures.grouped(UInt64(row.traffic.messagesReceived))
        case .receivedBytes: Figures.size(row.traffic.octetsReceived)
        case .waited: Figures.time(row.waits.whole)
        case .mostlyFor: row.waits.longest.map { "rank \($0.rank)" } ?? ""
        case .now: activity(row.activity, picture.now) { "\($0)" }
        case .briefly: activity(row.activity, picture.now) { $0.brief }
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
