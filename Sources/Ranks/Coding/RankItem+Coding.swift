import PotluckWire

extension RankItem {
    /// The numbers of the items. Append-only: never reuse a number.
    enum Kind: UInt64 {
        case order = 1
        case begin = 2
        case pass = 3
        case end = 4
        case ready = 5
        case fault = 6
        case report = 7
        case state = 8
        case line = 9
        case rows = 10
        case output = 11
        case trace = 12
        case lost = 13
        case message = 14
        case offer = 15
        case ask = 16
        case octets = 17
        case taken = 18
        case received = 19
        case show = 20
    }

    /// At least as many bytes as everything takes besides the bytes of a rank.
    static let around = 80

    public func encoded() -> [UInt8] {
        switch self {
        case .order(let order): order.encoded()
        case .begin: FieldWriter(.begin).bytes
        case .pass: FieldWriter(.pass).bytes
        case .end: FieldWriter(.end).bytes
        case .ready: FieldWriter(.ready).bytes
        case .fault(let ending): ending.encoded()
        case .report(let report): report.encoded()
        case .state(let rank, let state): Self.encoded(.state, rank, state)
        case .line(let rank, let line, let isError): Self.encoded(.line, rank, line, isError: isError)
        case .rows(let rows): Self.encoded(rows)
        case .output(let output): Self.encoded(.output, 0, output)
        case .trace(let rank, let events, let dropped): Self.encoded(rank, events, dropped)
        case .lost(let node): Self.encoded(.lost, node, [])
        case .letter(let letter): letter.encoded()
        case .show(let show): show.encoded()
        }
    }

    private static func encoded(_ kind: Kind, _ number: Int, _ octets: [UInt8], isError: Bool = false) -> [UInt8] {
        var writer = FieldWriter(kind, reserving: around + octets.count)
        writer.number(1, number)
        writer.octets(2, octets)
        writer.number(3, isError ? 1 : 0)
        return writer.bytes
    }

    private static func encoded(_ rows: [RankRow]) -> [UInt8] {
        var writer = FieldWriter(.rows)
        writer.packed(1, rows) { $1.write(to: &$0) }
        return writer.bytes
    }

    private static func encoded(_ rank: Int, _ events: [RankTrace.Event], _ dropped: Int) -> [UInt8] {
        var writer = FieldWriter(.trace)
        writer.number(1, rank)
        writer.number(2, dropped)
        writer.packed(3, events) { $1.write(to: &$0) }
        return writer.bytes
    }

    /// Decodes an item. Throws for one of a later version, too, because a stream must not lose an item.
    public init(_ octets: [UInt8]) throws(WireError) { try self.init(octets[...]) }

    public init(_ octets: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(octets)
        guard let kind = Kind(rawValue: try reader.varint()) else { throw .malformed("an item of an unknown kind") }
        var fields = try RankFieldReader(reader)
        self = try Self.item(kind, &fields)
        try fields.end()
    }

    private static func item(_ kind: Kind, _ fields: inout RankFieldReader) throws(WireError) -> RankItem {
        switch kind {
        case .order: .order(try RankOrder(&fields))
        case .begin: .begin
        case .pass: .pass
        case .end: .end
        case .ready: .ready
        case .fault: .fault(try RankEnding(&fields))
        case .report: .report(try RankReport(&fields))
        case .state: .state(rank: try fields.rank(1), try fields.octets(2, limit: RankLimits.checkpoint))
        case .line:
            .line(
                rank: try fields.rank(1), try fields.octets(2, limit: RankLimits.line), isError: try fields.flag(3))
        case .rows:
            .rows(
                try fields.packed(1, limit: RankLimits.ranks) { (reader) throws(WireError) in
                    try RankRow(&reader, mostWaits: RankWaits.most)
                })
        case .output: .output(try fields.octets(2, limit: RankLimits.output))
        case .trace: try trace(&fields)
        case .lost: .lost(node: try fields.rank(1))
        case .message, .offer, .ask, .octets, .taken, .received: .letter(try RankLetter(kind, &fields))
        case .show: .show(try RankShow(&fields))
        }
    }

    private static func trace(_ fields: inout RankFieldReader) throws(WireError) -> RankItem {
        let rank = try fields.rank(1)
        let dropped = try fields.number(2, atMost: RankLimits.count)
        let events = try fields.packed(3, limit: RankTrace.mostSent) { (reader) throws(WireError) in
            try RankTrace.Event(&reader)
        }
        return .trace(rank: rank, events, dropped: dropped)
    }
}

extension RankEnding {
    /// Bytes of the longest reason. A deadlock that names eight ranks takes half of it.
    static let longestReason = 2000
    /// The most places. The sandbox reports sixteen.
    static let mostPlaces = 64

    func encoded() -> [UInt8] {
        var writer = FieldWriter(.fault)
        writer.line(1, why, limit: Self.longestReason)
        writer.number(2, rank.map { $0 + 1 } ?? 0)
        writer.packed(3, Array(places.prefix(Self.mostPlaces))) { $0.number($1) }
        writer.number(4, code ?? 0)
        return writer.bytes
    }

    init(_ fields: inout RankFieldReader) throws(WireError) {
        let why = try fields.line(1, limit: Self.longestReason)
        let rank = try fields.number(2, atMost: RankLimits.ranks)
        let places = try fields.packed(3, limit: Self.mostPlaces) { (reader) throws(WireError) in
            try reader.number(atMost: Int(UInt32.max))
        }
        let code = try fields.number(4, atMost: RankFault.codes.upperBound)
        self.init(why: why, rank: rank == 0 ? nil : rank - 1, places: places, code: code == 0 ? nil : code)
    }
}
