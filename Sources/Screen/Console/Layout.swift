/// A part of the screen, which shares the lines with other parts.
struct Part {
    /// With fewer lines the part is left out.
    let least: Int
    /// The lines that each part gets before any part gets more.
    let enough: Int
    /// The most lines that the part can use.
    let most: Int
    /// The heaviest parts get lines first. If there are too few lines, the lightest are left out.
    let weight: Int
    /// Whether an empty line precedes it if there is room.
    let isApart: Bool
    /// Draws the part in at most `height` lines.
    let draw: (_ height: Int) -> [StyledLine]

    init(
        weight: Int, least: Int, enough: Int? = nil, most: Int, isApart: Bool = false,
        draw: @escaping (_ height: Int) -> [StyledLine]
    ) {
        self.weight = weight
        self.least = min(least, most)
        self.enough = max(self.least, min(enough ?? most, most))
        self.most = most
        self.isApart = isApart
        self.draw = draw
    }

    /// A part of fixed lines, the most important first. `least` nil means all of them or none.
    init(weight: Int, least: Int? = nil, isApart: Bool = false, _ lines: [StyledLine]) {
        self.init(weight: weight, least: least ?? lines.count, most: lines.count, isApart: isApart) {
            Array(lines.prefix($0))
        }
    }

    /// Lays out the parts in at most `room` lines.
    static func lines(_ parts: [Part], into room: Int) -> [StyledLine] {
        var kept = parts.filter { $0.most > 0 }
        while kept.count > 1, kept.reduce(0, { $0 + $1.least }) > room {
            let lightest = kept.map(\.weight).min()
            guard let last = kept.lastIndex(where: { $0.weight == lightest }) else { break }
            kept.remove(at: last)
        }
        var heights = kept.map { min($0.least, room) }
        var left = room - heights.reduce(0, +)
        let order = kept.indices.sorted { (kept[$1].weight, $0) < (kept[$0].weight, $1) }
        func give(_ wanted: (Part) -> Int) {
            for index in order {
                let more = max(0, min(left, wanted(kept[index]) - heights[index]))
                heights[index] += more
                left -= more
            }
        }
        give(\.enough)
        let gaps = kept.dropFirst().count { $0.isApart }
        let isSpaced = gaps <= left
        if isSpaced { left -= gaps }
        give(\.most)
        var lines: [StyledLine] = []
        for (index, part) in kept.enumerated() {
            if isSpaced, part.isApart, index > 0 { lines.append(StyledLine()) }
            lines += part.draw(heights[index]).prefix(heights[index])
        }
        return lines
    }
}
