import PotluckCore

extension RankShow {
    static let blank = RankShow(
        name: "", launcher: "", state: .running, elapsed: .zero, checkpoints: 0, rows: [], laptops: [])

    /// Of the times that a rank waited for others only the longest travels, so that 512 ranks fit into one frame.
    mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.line(1, &name, atMost: JobMessage.maximumName)
        try v.line(2, &launcher, atMost: JobMessage.maximumDisplayName)
        var (number, why) =
            switch state {
            case .running: (0, "")
            case .ended: (1, "")
            case .failed(let why): (2, why)
            }
        try v.number(3, &number, atMost: 2)
        if number == 2 { try v.line(4, &why, atMost: RankEnding.longestReason) }
        state = number == 0 ? .running : number == 1 ? .ended : .failed(why)
        try v.duration(5, &elapsed)
        try v.number(6, &checkpoints, atMost: RankLimits.count)
        try v.packed(7, &rows, blank: .blank, atMost: RankLimits.ranks) {
            (b: inout V.Bytes, row: inout RankRow) throws(WireError) in
            if !b.isReading { row = row.brief }
            try row.visit(&b, mostWaits: 1)
            let read = row
            try b.check(read == read.brief, "a wait for any of several ranks")
        }
        try visitLaptops(&v)
        try v.check(laptops.isEmpty || laptops.count == rows.count, "a rank without a node")
    }

    /// Visits the names of the ranks' nodes. Each is written once, in the order in which ranks have them.
    private mutating func visitLaptops<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var names: [String] = []
        var numbers: [Int] = []
        var known: [String: Int] = [:]
        for name in laptops.map({ $0.line(limit: JobMessage.maximumDisplayName) }) {
            if known[name] == nil {
                known[name] = names.count
                names.append(name)
            }
            numbers.append(known[name] ?? 0)
        }
        try v.lines(8, &names, atMost: RankLimits.ranks, each: JobMessage.maximumDisplayName)
        try v.numbers(9, &numbers, most: RankLimits.ranks, each: RankLimits.ranks - 1)
        var used = 0
        for number in numbers {
            try v.check(number <= used && number < names.count, "names in another order")
            used = max(used, number + 1)
        }
        try v.check(
            used == names.count && Set(names).count == names.count, "a name that is unused or repeated")
        laptops = numbers.map { names[$0] }
    }
}
