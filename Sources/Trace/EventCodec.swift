import PotluckEngine
import PotluckKit
import PotluckModel
import PotluckWire

/// Encodes events to bytes and decodes them. Messages have their wire encoding; everything else is a tag and its fields
/// in order. The version that wrote a trace reads it, so the format need not be stable.
public enum EventCodec {
    public static func encode(_ event: Event) -> [UInt8] {
        var writer = ByteWriter()
        switch event {
        case .session(let event):
            writer.fixed(UInt8(1))
            writer.put(event)
        case .wanted(.output(let id, let blob), let token):
            writer.fixed(UInt8(14))
            writer.fixed(id.number)
            writer.put(blob)
            writer.fixed(token)
        case .wanted(let request, let token):
            writer.fixed(UInt8(2))
            writer.put(.job(request.message(token)))
        case .prepared(let id, let preparation):
            writer.fixed(UInt8(3))
            writer.fixed(id.number)
            switch preparation {
            case .ready(let facts):
                writer.fixed(UInt8(1))
                writer.put(facts)
            case .impossible(let why):
                writer.fixed(UInt8(2))
                writer.text(why)
            case .lacks(let blob):
                writer.fixed(UInt8(3))
                writer.put(blob)
            }
        case .partRead(let hash, let offset, let octets, let node):
            writer.fixed(UInt8(10))
            writer.raw(hash.octets)
            writer.fixed(Int64(offset))
            writer.counted(octets)
            writer.put(node)
        case .shelved(let hash, let shelved):
            writer.fixed(UInt8(11))
            writer.raw(hash.octets)
            switch shelved {
            case .right: writer.verdict(1)
            case .wrong: writer.verdict(2)
            case .trouble(let why): writer.verdict(3, why)
            }
        case .collected(let attempt, let collected):
            writer.fixed(UInt8(12))
            writer.fixed(attempt.job.number)
            writer.fixed(attempt.number)
            switch collected {
            case .right: writer.verdict(1)
            case .wrong: writer.verdict(2)
            case .trouble(let why): writer.verdict(3, why)
            }
        case .sealed(let id, let sealed):
            writer.fixed(UInt8(13))
            writer.fixed(id.number)
            switch sealed {
            case .whole(let blob):
                writer.verdict(1)
                writer.put(blob)
            case .trouble(let why): writer.verdict(3, why)
            }
        case .computed(let outcomes):
            writer.fixed(UInt8(4))
            writer.list(outcomes) { $0.put($1) }
        case .improved(let id, let best):
            writer.fixed(UInt8(15))
            writer.put(.job(.improved(id, best)))
        case .read(let request, let readings):
            writer.fixed(UInt8(5))
            writer.put(request)
            let point = CoursePoint(trials: request.trials, readings: readings)
            writer.put(.job(.course(request.job, index: 0, point)))
        case .unreadable(let id, let why):
            writer.fixed(UInt8(9))
            writer.fixed(id.number)
            writer.text(why)
        case .cores(let cores):
            writer.fixed(UInt8(6))
            writer.fixed(Int64(cores))
        case .found(let jobs):
            writer.fixed(UInt8(20))
            writer.list(jobs) { writer, job in
                let pieces = JobMessage.replica(job.record.id, job.changes).pieces
                writer.list(pieces) { $0.put(.job($1)) }
            }
        case .durable(let number):
            writer.fixed(UInt8(21))
            writer.fixed(number)
        case .journal(let trouble):
            writer.fixed(UInt8(22))
            writer.optional(trouble) { $0.text($1) }
        case .roundTrip(let node, let time):
            writer.fixed(UInt8(7))
            writer.put(node)
            writer.fixed(time.nanoseconds)
        case .woke: writer.fixed(UInt8(8))
        }
        return writer.bytes
    }

    public static func decode(_ octets: ArraySlice<UInt8>) throws(WireError) -> Event {
        var reader = ByteReader(octets)
        let event = try decode(&reader)
        guard reader.isAtEnd else { throw .malformed("an event with octets after it") }
        return event
    }

    private static func decode(_ reader: inout ByteReader) throws(WireError) -> Event {
        switch try reader.fixed(UInt8.self) {
        case 1: return .session(try reader.sessionEvent())
        case 2:
            guard let event = Event(asking: try reader.message()) else { throw .malformed("an unknown request") }
            return event
        case 3:
            let id = JobID(try reader.fixed())
            switch try reader.fixed(UInt8.self) {
            case 1: return .prepared(id, .ready(try reader.facts()))
            case 2: return .prepared(id, .impossible(try reader.text(limit: .max)))
            default: return .prepared(id, .lacks(try reader.blob()))
            }
        case 4:
            return .computed(try reader.list { (reader) throws(WireError) in try reader.outcome() })
        case 5:
            let request = try reader.readRequest()
            guard case .job(.course(_, _, let point)) = try reader.message() else {
                throw .malformed("invalid readings")
            }
            return .read(request, point.readings)
        case 6: return .cores(Int(truncatingIfNeeded: try reader.fixed(Int64.self)))
        case 7: return .roundTrip(try reader.node(), .nanoseconds(try reader.fixed(Int64.self)))
        case 8: return .woke
        case 9: return .unreadable(JobID(try reader.fixed(UInt64.self)), try reader.text(limit: 4096))
        case 15:
            guard case .job(.improved(let id, let best)) = try reader.message() else {
                throw .malformed("an invalid solution")
            }
            return .improved(id, best)
        case 20:
            let parts = try reader.list { (reader) throws(WireError) in
                try reader.list { (reader) throws(WireError) in try reader.message() }
            }
            var kept = KeptJobs()
            for case .job(.replica(_, let changes)) in parts.joined() { for change in changes { kept.apply(change) } }
            return .found(kept.unfinished)
        case 21: return .durable(try reader.fixed())
        case 22:
            return .journal(
                trouble: try reader.optional { (reader) throws(WireError) in try reader.text(limit: 4096) })
        case 10:
            return .partRead(
                try reader.hash(), offset: Int(truncatingIfNeeded: try reader.fixed(Int64.self)),
                Array(try reader.counted(limit: JobMessage.longestPart)), for: try reader.node())
        case 11:
            let hash = try reader.hash()
            switch try reader.verdict() {
            case (1, _): return .shelved(hash, .right)
            case (2, _): return .shelved(hash, .wrong)
            case (_, let why): return .shelved(hash, .trouble(why))
            }
        case 12:
            let attempt = AttemptID(job: JobID(try reader.fixed()), number: try reader.fixed())
            switch try reader.verdict() {
            case (1, _): return .collected(attempt, .right)
            case (2, _): return .collected(attempt, .wrong)
            case (_, let why): return .collected(attempt, .trouble(why))
            }
        case 14:
            let id = JobID(try reader.fixed())
            return .wanted(.output(id, try reader.blob()), token: try reader.fixed())
        case 13:
            let id = JobID(try reader.fixed())
            switch try reader.verdict() {
            case (1, _): return .sealed(id, .whole(try reader.blob()))
            case (_, let why): return .sealed(id, .trouble(why))
            }
        case let tag: throw .malformed("an event of an unknown kind: \(tag)")
        }
    }
}

extension ByteWriter {
    mutating func put(_ message: Message) { counted(message.encoded()) }

    mutating func put(_ node: NodeID) { raw(node.octets) }

    mutating func flag(_ flag: Bool) { fixed(UInt8(flag ? 1 : 0)) }

    fileprivate mutating func verdict(_ number: UInt8, _ why: String = "") {
        fixed(number)
        text(why)
    }

    fileprivate mutating func put(_ blob: BlobReference) {
        raw(blob.hash.octets)
        fixed(Int64(blob.size))
    }

    mutating func list<Item>(_ items: [Item], _ put: (inout ByteWriter, Item) -> Void) {
        varint(UInt64(items.count))
        for item in items { put(&self, item) }
    }

    mutating func optional<Item>(_ item: Item?, _ put: (inout ByteWriter, Item) -> Void) {
        flag(item != nil)
        if let item { put(&self, item) }
    }

    fileprivate mutating func put(_ outcome: ChunkOutcome) {
        let job = outcome.attempt.job
        switch outcome {
        case .done(let result):
            let work = WorkResult(
                attempt: result.attempt.number, end: result.end, tally: result.tally, busy: result.busy,
                output: result.output, effort: result.effort)
            put(.job(.results(job, [work])))
        case .failed(let failure):
            put(
                .job(
                    .failure(
                        job, attempt: failure.attempt.number, block: failure.block, text: failure.text)))
        }
    }

    fileprivate mutating func put(_ request: ReadRequest) {
        fixed(request.job.number)
        list(request.tally) { $0.fixed($1) }
        fixed(request.trials)
        fixed(Int64(request.edition))
        switch request.purpose {
        case .picture: fixed(UInt8(1))
        case .checkpoint(let index):
            fixed(UInt8(2))
            fixed(Int64(index))
        case .result(let completion):
            fixed(UInt8(3))
            fixed(UInt8(Completion.all.firstIndex(of: completion) ?? 0))
        }
    }

    fileprivate mutating func put(_ facts: JobFacts) {
        list(facts.layout.fields) { writer, field in
            writer.text(field.name)
            writer.fixed(field.kind.rawValue)
            writer.varint(field.kind == .histogram ? UInt64(field.slots.count - 2) : 0)
            writer.optional(field.range) { writer, range in
                writer.fixed(range.lowerBound.bitPattern)
                writer.fixed(range.upperBound.bitPattern)
            }
        }
        fixed(facts.blockSize)
        flag(facts.writes)
        text(facts.title.summary)
        list(facts.title.parameters) { writer, parameter in
            writer.text(parameter.label)
            writer.text(parameter.value)
            writer.flag(parameter.isStandard)
        }
        list(facts.title.counts) { writer, count in
            writer.text(count.name)
            writer.fixed(Int64(count.slot))
        }
    }
}

extension ByteReader {
    mutating func message() throws(WireError) -> Message {
        guard let message = try Message.decode(try counted(limit: Message.maximumLength)) else {
            throw .malformed("a message of an unknown kind")
        }
        return message
    }

    mutating func node() throws(WireError) -> NodeID {
        guard let node = NodeID(try raw(NodeID.length)) else { throw .truncated }
        return node
    }

    mutating func hash() throws(WireError) -> BlobHash {
        guard let hash = BlobHash(try raw(BlobHash.length)) else { throw .truncated }
        return hash
    }

    fileprivate mutating func blob() throws(WireError) -> BlobReference {
        let hash = try hash()
        guard let blob = BlobReference(hash: hash, size: Int(truncatingIfNeeded: try fixed(Int64.self))) else {
            throw .malformed("a blob with an invalid size")
        }
        return blob
    }

    fileprivate mutating func verdict() throws(WireError) -> (UInt8, String) {
        (try fixed(UInt8.self), try text(limit: 4096))
    }

    mutating func flag() throws(WireError) -> Bool { try fixed(UInt8.self) != 0 }

    mutating func list<Item>(
        _ item: (inout ByteReader) throws(WireError) -> Item
    ) throws(WireError) -> [Item] {
        let count = try varint()
        // Every item takes at least one byte.
        guard count <= UInt64(remaining) else { throw .truncated }
        var items: [Item] = []
        for _ in 0..<count { items.append(try item(&self)) }
        return items
    }

    mutating func optional<Item>(
        _ item: (inout ByteReader) throws(WireError) -> Item
    ) throws(WireError) -> Item? { try flag() ? try item(&self) : nil }

    fileprivate mutating func outcome() throws(WireError) -> ChunkOutcome {
        switch try message() {
        case .job(.results(let job, let results)):
            guard let result = results.first, results.count == 1 else { break }
            return .done(
                ChunkResult(
                    attempt: AttemptID(job: job, number: result.attempt), end: result.end, tally: result.tally,
                    busy: result.busy, output: result.output, effort: result.effort))
        case .job(.failure(let job, let attempt, let block, let text)):
            return .failed(
                ChunkFailure(attempt: AttemptID(job: job, number: attempt), block: block, text: text))
        default: break
        }
        throw .malformed("an unknown outcome")
    }

    fileprivate mutating func readRequest() throws(WireError) -> ReadRequest {
        let job = JobID(try fixed())
        let tally = try list { (reader) throws(WireError) in try reader.fixed(UInt64.self) }
        let trials: UInt64 = try fixed()
        let edition = Int(truncatingIfNeeded: try fixed(Int64.self))
        let purpose: ReadRequest.Purpose
        switch try fixed(UInt8.self) {
        case 1: purpose = .picture
        case 2: purpose = .checkpoint(Int(truncatingIfNeeded: try fixed(Int64.self)))
        default:
            let index = Int(try fixed(UInt8.self))
            guard Completion.all.indices.contains(index) else { throw .malformed("an unknown completion") }
            purpose = .result(Completion.all[index])
        }
        return ReadRequest(job: job, tally: tally, trials: trials, purpose: purpose, edition: edition)
    }

    fileprivate mutating func facts() throws(WireError) -> JobFacts {
        let fields = try list { (reader) throws(WireError) in try reader.field() }
        guard let layout = TallyLayout(fields) else { throw .malformed("an invalid tally") }
        let blockSize: UInt64 = try fixed()
        let writes = try flag()
        let summary = try text(limit: .max)
        let parameters = try list { (reader) throws(WireError) in
            JobTitle.Parameter(
                label: try reader.text(limit: .max), value: try reader.text(limit: .max),
                isStandard: try reader.flag())
        }
        let counts = try list { (reader) throws(WireError) in
            JobTitle.Count(
                name: try reader.text(limit: .max), slot: Int(truncatingIfNeeded: try reader.fixed(Int64.self)))
        }
        return JobFacts(
            layout: layout, blockSize: blockSize,
            title: JobTitle(summary: summary, parameters: parameters, counts: counts), writes: writes)
    }

    private mutating func field() throws(WireError) -> TallyLayout.DeclaredField {
        let name = try text(limit: .max)
        guard let kind = FieldKind(rawValue: try fixed()) else { throw .malformed("a field of an unknown kind") }
        let bins = try varint()
        guard bins <= 1 << 20 else { throw .malformed("an invalid number of bins: \(bins)") }
        let range = try optional { (reader) throws(WireError) in
            let low = Double(bitPattern: try reader.fixed())
            let high = Double(bitPattern: try reader.fixed())
            guard low <= high else { throw .malformed("a range that ends before it begins") }
            return low...high
        }
        return TallyLayout.DeclaredField(name: name, kind: kind, bins: Int(bins), range: range)
    }
}

extension Completion {
    static let all: [Completion] = [.trials, .precision, .duration, .stopped]
}
