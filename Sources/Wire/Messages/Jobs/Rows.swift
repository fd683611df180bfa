import PotluckModel

/// The encoding of the nodes' parts in a job.
extension NodeRow {
    func write(to writer: inout FieldWriter) {
        writer.octets(1, node.octets)
        writer.line(2, name, limit: JobMessage.maximumDisplayName)
        writer.number(3, UInt64(min(max(cores, 0), Introduction.maximumCores)))
        writer.number(4, trials)
        writer.real(5, rate.flatMap { $0.isRate ? $0 : nil })
        writer.number(6, work.onWire)
        if case .unable(let why) = work { writer.line(7, why, limit: JobMessage.maximumLine) }
        writer.optionalDuration(8, roundTrip)
        writer.duration(9, since)
        writer.number(10, effort.expanded)
        writer.number(11, effort.inVain)
        writer.number(12, recomputed == nil ? 0 : 1)
        writer.number(13, recomputed ?? 0)
    }

    /// Returns nil for a node whose work only a later version knows.
    init?(_ octets: ArraySlice<UInt8>) throws(WireError) {
        var node: NodeID?, name = "", cores = 0, trials: UInt64 = 0, rate: Double?
        var number: UInt64?, why = "", roundTrip: Duration?, since = Duration.zero
        var expanded: UInt64 = 0, inVain: UInt64 = 0
        var isBrowser = false, recomputed: UInt64 = 0
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: node = NodeID(try field.bytes(exactly: NodeID.length))
            case 2: name = try field.line(limit: JobMessage.maximumDisplayName)
            case 3: cores = Int(try field.number(atMost: UInt64(Introduction.maximumCores)))
            case 4: trials = try field.number()
            case 5: rate = try field.rate()
            case 6: number = try field.number()
            case 7: why = try field.line(limit: JobMessage.maximumLine)
            case 8: roundTrip = try field.optionalDuration()
            case 9: since = try field.duration()
            case 10: expanded = try field.number()
            case 11: inVain = try field.number()
            case 12: isBrowser = try field.number() != 0
            case 13: recomputed = try field.number()
            default: break
            }
        }
        let id = try JobMessage.there(node)
        guard let work = NodeWork(onWire: try JobMessage.there(number), why: why) else { return nil }
        self.init(
            node: id, name: name, cores: cores, trials: trials, rate: rate, work: work, roundTrip: roundTrip,
            since: since, effort: SearchEffort(expanded: expanded, inVain: inVain),
            recomputed: isBrowser ? recomputed : nil)
    }

    static func items(_ rows: [NodeRow]) -> [[UInt8]] {
        rows.prefix(JobMessage.mostRows).map { row in FieldWriter.record { row.write(to: &$0) } }
    }

    static func list(_ field: Field) throws(WireError) -> [NodeRow] {
        var rows: [NodeRow] = []
        for item in try field.list(limit: JobMessage.mostRows, itemLimit: .max) {
            if let row = try NodeRow(item) { rows.append(row) }
        }
        return rows
    }
}

extension NodeWork {
    fileprivate var onWire: UInt64 {
        switch self {
        case .computing: 1
        case .idle: 2
        case .preparing: 3
        case .resting: 4
        case .silent: 5
        case .setAside: 6
        case .unable: 7
        case .gone: 8
        case .shutOut: 9
        }
    }

    fileprivate init?(onWire number: UInt64, why: String) {
        switch number {
        case 1: self = .computing
        case 2: self = .idle
        case 3: self = .preparing
        case 4: self = .resting
        case 5: self = .silent
        case 6: self = .setAside
        case 7: self = .unable(why)
        case 8: self = .gone
        case 9: self = .shutOut
        default: return nil
        }
    }
}

extension Double {
    /// Whether this can be a number of trials per second.
    var isRate: Bool { isFinite && self >= 0 }
}

extension Field {
    func rate() throws(WireError) -> Double {
        let rate = try real()
        guard rate.isRate else { throw .malformed("an invalid rate") }
        return rate
    }
}
