/// A grid of names with switches, as a terminal shows it: which are on, and where the cursor is.
package struct NamePicker: Sendable {
    /// What the names are, such as `airports`.
    private let title: String
    private let names: [String]
    /// Which names are on, with a bit for each.
    package private(set) var slot: UInt64
    private var cursor = 0
    /// The letters that were typed to find a name.
    private var typed = ""
    /// How many names a line has; known once the grid was drawn.
    private var perLine = 1
    /// Why the names that are on cannot be used; nil if that is not known.
    package var problem: String?

    private static let help =
        "Arrow keys move, Space switches, letters find a name, * switches all. Enter runs, Ctrl-C cancels."

    /// Creates a grid of at most 64 names, of which those in `slot` are on.
    package init(_ title: String, _ names: [String], on slot: UInt64) {
        (self.title, self.names, self.slot) = (title, names, slot)
    }

    /// Does what a key asks for. Returns whether the names are chosen.
    package mutating func press(_ key: ViewKey) -> Bool {
        if key == .enter { return true }
        problem = nil
        if case .character(let letter) = key, letter != " ", letter != "*" {
            find(letter)
            return false
        }
        typed = ""
        switch key {
        case .character(" "): slot ^= 1 << UInt64(cursor)
        case .character("*"):
            let all = names.indices.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
            slot = slot == all ? 0 : all
        case .left: move(to: cursor - 1)
        case .right: move(to: cursor + 1)
        case .up: move(to: cursor - perLine)
        case .down: move(to: cursor + perLine)
        case .home: cursor = 0
        case .end: cursor = names.count - 1
        default: break
        }
        return false
    }

    private mutating func move(to place: Int) { if names.indices.contains(place) { cursor = place } }

    /// Goes to the first name that begins with the letters typed so far, or else with this one.
    private mutating func find(_ letter: Character) {
        for text in [typed + String(letter), String(letter)] {
            guard let place = names.firstIndex(where: { $0.lowercased().hasPrefix(text.lowercased()) }) else {
                continue
            }
            (typed, cursor) = (text, place)
            return
        }
        typed = ""
    }

    /// The grid, with as many of its lines as fit around the cursor.
    package mutating func lines(on canvas: Canvas) -> [StyledLine] {
        let width = names.map(canvas.width).max() ?? 0
        // A cell is `>[x] LHR` with two columns before the next one.
        let cell = width + 7
        perLine = max(1, (canvas.columns + 2) / cell)
        var foot = canvas.wrapped(problem ?? Self.help, problem == nil ? .faint : .warning)
        let count = slot.nonzeroBitCount
        let head = StyledLine("\(title): \(count) of \(names.count)", .strong)
        // The last row stays free, so that the terminal does not scroll.
        let room = canvas.rows.map { max(1, $0 - 2 - foot.count) } ?? .max
        let all = (names.count + perLine - 1) / perLine
        let first = max(0, min(cursor / perLine - room / 2, all - room))
        let grid = (first..<min(all, first + room)).map { line in
            self.line(Array(names.indices.dropFirst(line * perLine).prefix(perLine)), width, canvas)
        }
        if let rows = canvas.rows { foot = Array(foot.prefix(max(0, rows - 2 - grid.count))) }
        return [head] + grid + foot
    }

    private func line(_ places: [Int], _ width: Int, _ canvas: Canvas) -> StyledLine {
        var line = StyledLine()
        for place in places {
            let isOn = slot >> UInt64(place) & 1 == 1
            let gap = place == places.first ? "" : "  "
            line.append(gap + (place == cursor ? ">" : " "), .strong)
            line.append("[\(isOn ? "x" : " ")] ", isOn ? .good : .plain)
            let name = names[place] + String(repeating: " ", count: width - canvas.width(of: names[place]))
            line.append(name, place == cursor ? .strong : .plain)
        }
        return line
    }
}
