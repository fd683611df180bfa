import PotluckCore

extension RankItem: WireUnion {
    package static let cases = WireCases<RankItem>(
        [
            .order(.blank), .begin, .pass, .end, .ready, .fault(RankEnding(why: "")), .report(.blank),
            .state(rank: 0, []), .line(rank: 0, []), .rows([]), .output([]), .trace(rank: 0, [], dropped: 0),
            .lost(node: 0), .show(.blank),
        ] + RankLetter.blanks.map { .letter($0) })

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .order(var order):
            try v.kind(1)
            try order.visit(&v)
            self = .order(order)
        case .begin: try v.kind(2)
        case .pass: try v.kind(3)
        case .end: try v.kind(4)
        case .ready: try v.kind(5)
        case .fault(var ending):
            try v.kind(6)
            try ending.visit(&v)
            self = .fault(ending)
        case .report(var report):
            try v.kind(7)
            try report.visit(&v)
            self = .report(report)
        case .state(var rank, var state):
            try v.kind(8)
            try v.rank(1, &rank)
            try v.octets(2, &state, atMost: RankLimits.checkpoint)
            self = .state(rank: rank, state)
        case .line(var rank, var line, var isError):
            try v.kind(9)
            try v.rank(1, &rank)
            try v.octets(2, &line, atMost: RankLimits.line)
            try v.strictFlag(3, &isError)
            self = .line(rank: rank, line, isError: isError)
        case .rows(var rows):
            try v.kind(10)
            try v.packed(1, &rows, blank: .blank, atMost: RankLimits.ranks) {
                (b: inout V.Bytes, row: inout RankRow) throws(WireError) in
                try row.visit(&b, mostWaits: RankWaits.most)
            }
            self = .rows(rows)
        case .output(var output):
            try v.kind(11)
            try v.octets(2, &output, atMost: RankLimits.output)
            self = .output(output)
        case .trace(var rank, var events, var dropped):
            try v.kind(12)
            try v.rank(1, &rank)
            try v.number(2, &dropped, atMost: RankLimits.count)
            try v.packed(3, &events, blank: RankTrace.Event.blanks[0], atMost: RankTrace.mostSent) {
                (b: inout V.Bytes, event: inout RankTrace.Event) throws(WireError) in try event.visit(&b)
            }
            self = .trace(rank: rank, events, dropped: dropped)
        case .lost(var node):
            try v.kind(13)
            try v.rank(1, &node)
            self = .lost(node: node)
        case .letter(var letter):
            try letter.visitCase(&v)
            self = .letter(letter)
        case .show(var show):
            try v.kind(20)
            try show.visit(&v)
            self = .show(show)
        }
    }

    public func encoded() -> [UInt8] { encodedCase() }

    /// Decodes an item. Throws for one of a later version, too: a stream must not lose an item, and all nodes of a
    /// program must do the same.
    public init(_ octets: [UInt8]) throws(WireError) { try self.init(octets[...]) }

    public init(_ octets: ArraySlice<UInt8>) throws(WireError) {
        guard let item = try Self.read(octets, isStrict: true) else { throw .malformed("an item of an unknown kind") }
        self = item
    }
}

extension RankEnding {
    /// Bytes of the longest reason. A deadlock that names eight ranks takes half of it.
    static let longestReason = 2000
    /// The most places. The sandbox reports sixteen.
    static let mostPlaces = 64

    fileprivate mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var (rank, places, code) = ((rank ?? -1) + 1, Array(places.prefix(Self.mostPlaces)), code ?? 0)
        try v.line(1, &why, atMost: Self.longestReason)
        try v.number(2, &rank, atMost: RankLimits.ranks)
        try v.numbers(3, &places, most: Self.mostPlaces, each: Int(UInt32.max))
        try v.number(4, &code, atMost: RankError.codes.upperBound)
        self = RankEnding(why: why, rank: rank == 0 ? nil : rank - 1, places: places, code: code == 0 ? nil : code)
    }
}

// MARK: values of items

extension FieldVisitor {
    mutating func rank(_ tag: UInt64, _ rank: inout Int) throws(WireError) {
        try number(tag, &rank, atMost: RankLimits.ranks - 1)
    }

    /// Visits a flag, of which 1 is the only number.
    mutating func strictFlag(_ tag: UInt64, _ value: inout Bool) throws(WireError) {
        var number: UInt64 = value ? 1 : 0
        try self.number(tag, &number, atMost: 1)
        value = number == 1
    }

    mutating func numbers(_ tag: UInt64, _ numbers: inout [Int], most: Int, each limit: Int) throws(WireError) {
        try packed(tag, &numbers, blank: 0, atMost: most) { (b: inout Bytes, number: inout Int) throws(WireError) in
            try b.number(&number, atMost: limit)
        }
    }
}

extension ByteVisitor {
    /// Visits 0 for nil, and one more than any other number.
    mutating func optional(_ value: inout Int?, atMost limit: Int) throws(WireError) {
        var number = value.map { $0 + 1 } ?? 0
        try self.number(&number, atMost: limit + 1)
        value = number == 0 ? nil : number - 1
    }

    mutating func rank(_ rank: inout Int) throws(WireError) { try number(&rank, atMost: RankLimits.ranks - 1) }

    mutating func count(_ count: inout Int) throws(WireError) { try number(&count, atMost: RankLimits.count) }

    mutating func duration(_ value: inout Duration) throws(WireError) {
        var number = Int(value.onWire)
        try self.number(&number, atMost: Int(Duration.longestOnWire.nanoseconds))
        value = .nanoseconds(Int64(number))
    }

    /// Visits a moment of a program, as the time since it began.
    mutating func moment(_ value: inout Instant) throws(WireError) {
        var time = value - .start
        try duration(&time)
        value = .start + time
    }
}
