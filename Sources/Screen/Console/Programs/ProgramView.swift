import PotluckCore

/// Shows a program with ranks, as a part of the screen: what it does in a sentence, and a row for each laptop.
struct ProgramView {
    let canvas: Canvas

    /// The rows that a program gets before other parts get more lines.
    private static let enoughRows = 4
    /// The lines of a reason. A deadlock names eight ranks.
    private static let mostSentence = 6

    func part(_ picture: ProgramPicture, isApart: Bool = true) -> Part {
        let head = head(picture)
        let table = picture.state == .running ? ProgramTable(picture, on: canvas) : nil
        let rows = table?.most ?? 0
        return Part(
            weight: 9, least: 1, enough: head.count + min(rows, Self.enoughRows + 1), most: head.count + rows,
            isApart: isApart
        ) { height in
            guard height >= head.count else {
                return [StyledLine(picture.sentence.joined(separator: " "), picture.state.ink)]
            }
            return head + (table?.lines(height - head.count) ?? [])
        }
    }

    private func head(_ picture: ProgramPicture) -> [StyledLine] {
        let ink = picture.state.ink
        let lines = canvas.flow(picture.sentence.map { StyledLine.Piece(text: $0, ink: ink) }, gap: 1, indent: 0)
        guard lines.count > Self.mostSentence else { return lines }
        let last = lines[Self.mostSentence - 1].pieces.map(\.text).joined()
        let cut = Cells.prefix(of: canvas.clean(last), width: canvas.columns - 1) + canvas.ellipsis
        return lines.prefix(Self.mostSentence - 1) + [StyledLine(cut, ink)]
    }
}

/// A row for each laptop of a program: its ranks and what they do.
private struct ProgramTable {
    private let laptops: [ProgramPicture.Laptop]
    /// The columns that fit, in their order.
    private let columns: [Column]
    /// The longest wait, if its column does not fit.
    private let wait: [StyledLine]
    private let canvas: Canvas

    private enum Column: Sendable {
        case name, numbers, computes, waits, ended, sent, wait

        /// All columns, and then fewer and fewer, without the least important ones.
        static let choices: [[Column]] = [
            [.name, .numbers, .computes, .waits, .ended, .sent, .wait],
            [.name, .computes, .waits, .ended, .sent, .wait],
            [.name, .numbers, .computes, .waits, .ended, .sent],
            [.name, .computes, .waits, .ended, .sent],
            [.name, .computes, .waits, .ended],
            [.name, .computes, .waits],
        ]

        func column(on canvas: Canvas) -> TableColumn<ProgramPicture.Laptop> {
            switch self {
            case .name:
                TableColumn("laptop") { canvas.cut(name: $0.name, to: min(ProgramTable.mostName, canvas.columns / 3)) }
            case .numbers:
                TableColumn("ranks") {
                    $0.numbers.count <= ProgramTable.mostNumbers
                        ? $0.numbers : ProgramPicture.count($0.ranks.count, "rank")
                }
            case .computes: TableColumn("compute", isNumber: true) { "\($0.count(.computes))" }
            case .waits: TableColumn("wait", isNumber: true) { "\($0.count(.waits))" }
            case .ended: TableColumn("ended", isNumber: true) { "\($0.count(.ended))" }
            // As wide as any size, so that the columns after it do not move.
            case .sent: TableColumn("sent", isNumber: true, least: 6) { Figures.size($0.octets) }
            case .wait: TableColumn("longest wait", room: ProgramTable.roomOfWait) { $0.wait?.words ?? "" }
            }
        }
    }

    /// The columns of a name, and of numbers of ranks. Longer ones would push what ranks do off the screen.
    private static let (mostName, mostNumbers) = (20, 12)
    /// The columns for the longest wait. Waits come and go, and the columns must not come and go with them.
    private static let roomOfWait = 32

    init(_ picture: ProgramPicture, on canvas: Canvas) {
        (laptops, self.canvas) = (picture.laptops, canvas)
        columns = Table.fitting(Column.choices, on: canvas) {
            $0.column(on: canvas).width(picture.laptops, on: canvas)
        }
        wait =
            columns.contains(.wait) ? [] : picture.wait.map { canvas.wrapped($0.words, .warning, indent: 2) } ?? []
    }

    /// The lines of the whole table.
    var most: Int { laptops.isEmpty ? 0 : wait.count + 1 + laptops.count }

    /// The lines that fit. Of too many laptops, those are shown whose ranks wait longest.
    func lines(_ height: Int) -> [StyledLine] {
        let room = height - wait.count
        guard room > 0, !laptops.isEmpty else { return Array(wait.prefix(height)) }
        guard laptops.count + 1 > room else { return wait + Self.table(columns, laptops, on: canvas) }
        let urgent = laptops.indices.sorted { a, b in
            (laptops[b].wait?.time ?? .zero, a) < (laptops[a].wait?.time ?? .zero, b)
        }
        // One line is the head, and one says how many are left out.
        let shown = urgent.prefix(max(0, room - 2)).sorted().map { laptops[$0] }
        let rest = StyledLine("and \(ProgramPicture.count(laptops.count - shown.count, "more laptop"))", .faint)
        return wait + (shown.isEmpty ? [] : Self.table(columns, shown, on: canvas)) + [rest]
    }

    private static func table(_ columns: [Column], _ laptops: [ProgramPicture.Laptop], on canvas: Canvas)
        -> [StyledLine]
    {
        Table.lines(columns.map { $0.column(on: canvas) }, laptops, on: canvas) {
            $0.count(.ended) == $0.ranks.count ? .faint : .plain
        }
    }
}

extension ProgramPicture.State {
    fileprivate var ink: Ink {
        switch self {
        case .running: .strong
        case .silent: .warning
        case .ended: .good
        case .failed: .bad
        }
    }
}
