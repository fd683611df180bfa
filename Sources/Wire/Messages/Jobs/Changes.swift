import PotluckModel

/// The encoding of `replica`. Each change is a record whose first field is its kind.
extension JournalChange {
    fileprivate enum Kind: UInt64 {
        case accepted = 1
        case done = 2
        case settled = 3
        case passed = 4
        case rewritten = 5
        case judged = 6
        case ran = 7
        case stands = 8
        case forgotten = 9
        case credited = 10
    }

    /// The most bytes of a job's record: an order with all the names that it may have.
    private static let longestRecord = 64 << 10

    static func encoded(_ job: JobID, _ changes: [JournalChange]) -> [UInt8] {
        JobMessage.encoded(.replica, job) { $0.list(2, changes.map(\.octets)) }
    }

    private var octets: [UInt8] {
        FieldWriter.record { writer in
            switch self {
            case .accepted(let record):
                writer.number(1, Kind.accepted.rawValue)
                writer.octets(7, record.spec)
                writer.line(8, record.simulation, limit: JobMessage.maximumName)
                writer.line(9, record.submitter, limit: JobMessage.maximumDisplayName)
                writer.number(10, UInt64(clamping: record.acceptedAt))
                writer.number(11, record.epoch)
            case .done(_, let piece):
                writer.number(1, Kind.done.rawValue)
                writer.number(2, piece.blocks.lowerBound)
                writer.number(3, piece.blocks.upperBound)
                writer.octets(4, piece.node.octets)
                writer.slots(5, piece.tally)
            case .settled(_, let tally): tally.write(.settled, to: &writer)
            case .passed(_, let tally): tally.write(.passed, to: &writer)
            case .rewritten(_, let tally): tally.write(.rewritten, to: &writer)
            case .judged(_, let end):
                writer.number(1, Kind.judged.rawValue)
                writer.number(3, end)
            case .ran(_, let duration):
                writer.number(1, Kind.ran.rawValue)
                writer.duration(6, duration)
            case .stands(_, let standing):
                writer.number(1, Kind.stands.rawValue)
                writer.number(2, UInt64(standing.rawValue))
            case .forgotten: writer.number(1, Kind.forgotten.rawValue)
            case .credited(_, let credits):
                writer.number(1, Kind.credited.rawValue)
                writer.list(12, Credit.items(credits))
            }
        }
    }

    /// Returns nil for a kind that only a later version knows.
    init?(_ job: JobID, _ octets: ArraySlice<UInt8>) throws(WireError) {
        var kind: UInt64?, first: UInt64 = 0, end: UInt64 = 0, node: NodeID?, tally: [UInt64] = []
        var duration = Duration.zero, spec: [UInt8] = [], simulation = "", submitter = ""
        var acceptedAt: Int64 = 0, epoch: UInt64 = 0, credits: [Credit] = []
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: kind = try field.number()
            case 2: first = try field.number(atMost: JobMessage.mostBlocks)
            case 3: end = try field.number(atMost: JobMessage.mostBlocks)
            case 4: node = NodeID(try field.bytes(exactly: NodeID.length))
            case 5: tally = try field.slots(limit: JobMessage.mostSlots)
            case 6: duration = try field.duration()
            case 7: spec = try field.bytes(limit: Self.longestRecord)
            case 8: simulation = try field.line(limit: JobMessage.maximumName)
            case 9: submitter = try field.line(limit: JobMessage.maximumDisplayName)
            case 10: acceptedAt = Int64(try field.number(atMost: UInt64(Int64.max)))
            case 11: epoch = try field.number(atMost: JobRecord.lastEpoch)
            case 12: credits = try Credit.list(field)
            default: break
            }
        }
        let settled = SettledTally(blocks: end, tally: tally)
        switch Kind(rawValue: try JobMessage.there(kind)) {
        case .accepted:
            self = .accepted(
                JobRecord(
                    id: job, spec: spec, simulation: simulation, submitter: submitter, acceptedAt: acceptedAt,
                    epoch: epoch))
        case .done:
            guard first < end else { throw .malformed("a piece without blocks") }
            self = .done(job, BlockTally(blocks: first..<end, node: try JobMessage.there(node), tally: tally))
        case .settled: self = .settled(job, settled)
        case .passed: self = .passed(job, settled)
        case .rewritten: self = .rewritten(job, settled)
        case .judged: self = .judged(job, end: end)
        case .ran: self = .ran(job, duration)
        case .stands:
            guard let standing = UInt8(exactly: first).flatMap(JobStanding.init) else { return nil }
            self = .stands(job, standing)
        case .forgotten: self = .forgotten(job)
        case .credited: self = .credited(job, credits)
        case nil: return nil
        }
    }

    /// An upper bound for the length of its encoding.
    var longest: Int {
        switch self {
        case .accepted(let record): 128 + record.spec.count + record.simulation.utf8.count + record.submitter.utf8.count
        case .done(_, let piece): 80 + 8 * piece.tally.count
        case .settled(_, let tally), .passed(_, let tally), .rewritten(_, let tally): 48 + 8 * tally.tally.count
        case .judged, .ran, .stands, .forgotten: 48
        case .credited(_, let credits): 16 + credits.count * (JobMessage.maximumDisplayName + 64)
        }
    }
}

extension SettledTally {
    fileprivate func write(_ kind: JournalChange.Kind, to writer: inout FieldWriter) {
        writer.number(1, kind.rawValue)
        writer.number(3, blocks)
        writer.slots(5, tally)
    }
}

extension JobMessage {
    static func replica(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var id: JobID?, items: [ArraySlice<UInt8>] = []
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 2: items = try field.list(limit: mostChanges, itemLimit: .max)
            default: break
            }
        }
        let job = try there(id)
        var changes: [JournalChange] = []
        for item in items {
            if let change = try JournalChange(job, item) { changes.append(change) }
        }
        return .replica(job, changes)
    }
}

extension JobRecord {
    /// Returns the record as it is after `time` has passed: the remaining delay is shorter.
    public func after(_ time: Duration) -> JobRecord {
        guard time > .zero, var taken = try? TakenJob(spec), taken.order.delay > .zero else { return self }
        taken.order.delay = max(.zero, taken.order.delay - time)
        var record = self
        record.spec = taken.encoded
        return record
    }
}

/// The encoding for a journal: the order as it was sent, and its sender.
extension TakenJob {
    public var encoded: [UInt8] {
        FieldWriter.record {
            $0.octets(1, order.encoded(ticket: ticket, token: 0))
            $0.octets(2, submitter.octets)
            $0.line(3, submitterName, limit: JobMessage.maximumDisplayName)
            // Only a run's file on disk has a slice. It is no field of the goal, so that no message can order one.
            if let slice = order.goal.slice {
                $0.number(4, slice.lowerBound)
                $0.number(5, slice.upperBound)
            }
        }
    }

    public init(_ octets: [UInt8]) throws(WireError) {
        var message: Message?, submitter: NodeID?, name = "", first: UInt64 = 0, end: UInt64?
        var fields = FieldReader(octets[...])
        while let field = try fields.next() {
            switch field.tag {
            case 1: message = try Message.decode(field.octets)
            case 2: submitter = NodeID(try field.bytes(exactly: NodeID.length))
            case 3: name = try field.line(limit: JobMessage.maximumDisplayName)
            case 4: first = try field.number(atMost: JobMessage.mostBlocks)
            case 5: end = try field.number(atMost: JobMessage.mostBlocks)
            default: break
            }
        }
        guard case .job(.order(var order, let ticket, _))? = message else { throw .malformed("an invalid order") }
        if let end {
            guard first <= end else { throw .malformed("a slice that ends before it begins") }
            order.goal.slice = first..<end
        }
        self.init(order: order, ticket: ticket, submitter: try JobMessage.there(submitter), submitterName: name)
    }
}
