import PotluckCore

/// A kept run of this machine: what there is to resume, or why it cannot be resumed now.
public struct KeptRunRow: Sendable {
    public struct Left: Sendable {
        public let simulation: String
        public let trials: UInt64
        public let goal: Goal
        public let unit: WorkUnit
        public let elapsed: Duration
        /// Milliseconds since 1970.
        public let startedAt: Int64

        /// The work that is done, in trials or units or, for a search, as a part of the tree.
        func done(namesUnit: Bool) -> String {
            unit == .point
                ? Figures.percent(ofSpace: trials) : Figures.grouped(trials) + (namesUnit ? " \(unit.plural)" : "")
        }

        var wanted: String { unit == .point ? "the tree" : goal.trials.map(Figures.grouped) ?? "" }
    }

    public enum State: Sendable {
        case left(Left)
        case trouble(String)
    }

    public let id: JobID
    public let state: State

    public var canGoOn: Bool { if case .left = state { true } else { false } }

    public init(
        id: JobID, simulation: String, trials: UInt64, goal: Goal, unit: WorkUnit, elapsed: Duration, startedAt: Int64
    ) {
        self.id = id
        state = .left(
            Left(
                simulation: simulation, trials: trials, goal: goal, unit: unit, elapsed: elapsed,
                startedAt: startedAt))
    }

    public init(id: JobID, trouble: String) {
        self.id = id
        state = .trouble(trouble)
    }
}

/// A table of the runs that can be resumed.
public enum KeptRunsView {
    /// `date` formats milliseconds since 1970 in local time.
    public static func lines(_ rows: [KeptRunRow], date: (Int64) -> String, on canvas: Canvas) -> [StyledLine] {
        var lines: [StyledLine] = []
        let units = Set(
            rows.compactMap { row -> WorkUnit? in
                if case .left(let left) = row.state { left.unit } else { nil }
            })
        let one = units.count == 1 ? units.first.flatMap { $0 == .point ? nil : $0 } : nil
        let left = rows.compactMap { row -> Table.Row? in
            guard case .left(let left) = row.state else { return nil }
            let cells = [
                "\(row.id)", Cells.clean(left.simulation, unicode: canvas.unicode), left.done(namesUnit: one == nil),
                left.wanted,
                Figures.time(left.elapsed), date(left.startedAt),
            ]
            return Table.Row(cells: cells, ink: .plain)
        }
        if !left.isEmpty {
            let heads = ["run", "simulation", one?.plural ?? "done", "of", "time", "started"].enumerated().map {
                place, head in
                Table.Column(head: head, isNumber: (2...4).contains(place))
            }
            lines += Table.lines(heads, rows: left, on: canvas)
        }
        for row in rows {
            if case .trouble(let why) = row.state { lines += canvas.wrapped("\(row.id) \(why)", .faint) }
        }
        if !left.isEmpty { lines.append(StyledLine("Resume one with: potluck resume RUN", .faint)) }
        return lines
    }
}
