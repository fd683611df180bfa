import PotluckModel

/// The encoding of `order` and `job`.
extension JobOrder {
    func encoded(ticket: JobTicket, token: UInt64) -> [UInt8] {
        JobMessage.encoded(.order, nil) { writer in
            writer.record(1) { experiment.write(to: &$0) }
            writer.record(2) { goal.write(to: &$0) }
            writer.octets(3, ticket.octets)
            writer.number(4, token)
            writer.number(5, UInt64(min(max(workers, 0), Self.mostWorkers)))
            writer.duration(6, min(delay, Self.longestDelay))
            writer.list(
                7,
                nodes.prefix(Self.mostNames).map { Array($0.line(limit: JobMessage.maximumDisplayName).utf8) })
            writer.blob(8, module)
            writer.blob(9, payload)
            writer.number(10, collects ? 1 : 0)
            writer.number(11, hidesExact ? 1 : 0)
            writer.number(12, takesBrowsers ? 0 : 1)
        }
    }
}

extension JobMessage {
    static func order(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var experiment: Experiment?, goal = Goal(), ticket: JobTicket?, token: UInt64 = 0
        var workers = 0, delay = Duration.zero, nodes: [String] = [], module: BlobReference?
        var payload: BlobReference?, collects = false, hidesExact = false, takesBrowsers = true
        while let field = try fields.next() {
            switch field.tag {
            case 1: experiment = try Experiment(field.record())
            case 2: goal = try Goal(field.record())
            case 3: ticket = JobTicket(try field.bytes(exactly: JobTicket.length))
            case 4: token = try field.number()
            case 5: workers = Int(try field.number(atMost: UInt64(JobOrder.mostWorkers)))
            case 6: delay = try field.duration(atMost: JobOrder.longestDelay)
            case 7:
                for name in try field.list(limit: JobOrder.mostNames, itemLimit: maximumDisplayName) {
                    // An empty name matches no node. It is kept, because an empty list would mean all nodes.
                    nodes.append(
                        name.isEmpty ? "" : try Field(tag: 7, octets: name).line(limit: maximumDisplayName))
                }
            case 8: module = try field.module()
            case 9: payload = try field.payload()
            case 10: collects = try field.number() != 0
            case 11: hidesExact = try field.number() != 0
            case 12: takesBrowsers = try field.number() == 0
            default: break
            }
        }
        let order = JobOrder(
            experiment: try there(experiment), goal: goal, workers: workers, delay: delay, nodes: nodes,
            module: module, payload: payload, collects: collects, hidesExact: hidesExact,
            takesBrowsers: takesBrowsers)
        return .order(order, ticket: try there(ticket), token: token)
    }

    static func job(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var id: JobID?, spec = JobSpecFields(), epoch: UInt64 = 0, known: UInt64 = 0
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 5: spec.module = try field.module()
            case 6: spec.payload = try field.payload()
            case 7: spec.collects = try field.number() != 0
            case 8: epoch = try field.number(atMost: JobRecord.lastEpoch)
            case 9: known = try field.number(atMost: mostBlocks)
            default: try spec.read(field)
            }
        }
        return .job(try there(id), try spec.spec(), epoch: epoch, known: known)
    }
}

extension JobSpec {
    /// Writes the tags 2, 3 and 4. Module, payload and output are fields of `job` only.
    func write(to writer: inout FieldWriter) {
        writer.record(2) { experiment.write(to: &$0) }
        writer.record(3) { goal.write(to: &$0) }
        writer.record(4) { title.write(to: &$0) }
    }
}

/// The fields of a `JobSpec`, collected while they are decoded.
struct JobSpecFields {
    private var experiment: Experiment?
    private var goal = Goal()
    private var title = JobTitle()
    var module: BlobReference?
    var payload: BlobReference?
    var collects = false

    mutating func read(_ field: Field) throws(WireError) {
        switch field.tag {
        case 2: experiment = try Experiment(field.record())
        case 3: goal = try Goal(field.record())
        case 4: title = try JobTitle(field.record())
        default: break
        }
    }

    func spec() throws(WireError) -> JobSpec {
        JobSpec(
            experiment: try JobMessage.there(experiment), goal: goal, title: title, module: module, payload: payload,
            collects: collects)
    }
}

extension Experiment {
    /// The sizes that a block may have: 16 to 65 536 trials for a simulation, 1 to 1 048 576 units for a gathering. The
    /// kit checks the exact range when it prepares the work.
    private static let blockSizes: ClosedRange<UInt64> = 1...1_048_576

    func write(to writer: inout FieldWriter) {
        writer.text(1, simulation.name)
        writer.text(2, simulation.source)
        writer.number(3, UInt64(simulation.streams))
        writer.slots(4, parameters)
        writer.number(5, seed)
        writer.number(6, blockSize)
    }

    init(_ octets: ArraySlice<UInt8>) throws(WireError) {
        var name: String?, source = "", streams: UInt32 = 0
        var parameters: [UInt64] = [], seed: UInt64 = 0, blockSize: UInt64 = 0
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: name = try field.line(limit: JobMessage.maximumName)
            case 2: source = try field.line(limit: JobMessage.maximumSource)
            case 3: streams = UInt32(try field.number(atMost: UInt64(UInt32.max)))
            case 4: parameters = try field.slots(limit: JobMessage.mostParameters)
            case 5: seed = try field.number()
            case 6: blockSize = try field.number()
            default: break
            }
        }
        guard blockSize.nonzeroBitCount == 1, Self.blockSizes.contains(blockSize) else {
            throw .malformed("an invalid block size of \(blockSize)")
        }
        self.init(
            simulation: SimulationIdentity(name: try JobMessage.there(name), source: source, streams: streams),
            parameters: parameters, seed: seed, blockSize: blockSize)
    }
}

extension Goal {
    func write(to writer: inout FieldWriter) {
        writer.number(1, trials ?? 0)
        switch precision {
        case .absolute(let limit): writer.real(2, limit)
        case .relative(let limit): writer.real(3, limit)
        case nil: break
        }
        writer.optionalDuration(4, duration)
    }

    init(_ octets: ArraySlice<UInt8>) throws(WireError) {
        self.init()
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: trials = try field.number(atMost: Self.mostTrials)
            case 2: precision = .absolute(try Self.limit(field))
            case 3:
                guard precision == nil else { throw .malformed("two precisions") }
                precision = .relative(try Self.limit(field))
            case 4: duration = try field.optionalDuration()
            default: break
            }
        }
    }

    private static func limit(_ field: Field) throws(WireError) -> Double {
        let limit = try field.real()
        guard limit.isFinite, limit > 0 else { throw .malformed("a precision that is not positive and finite") }
        return limit
    }
}

extension JobTitle {
    func write(to writer: inout FieldWriter) {
        writer.line(1, summary, limit: JobMessage.maximumLine)
        writer.list(
            2,
            parameters.prefix(JobMessage.mostParameters).map { parameter in
                FieldWriter.record {
                    $0.line(1, parameter.label, limit: JobMessage.maximumLabel)
                    $0.line(2, parameter.value, limit: JobMessage.maximumLabel)
                    $0.number(3, parameter.isStandard ? 1 : 0)
                }
            })
        writer.list(
            3,
            counts.prefix(JobMessage.mostCounts).map { count in
                FieldWriter.record {
                    $0.line(1, count.name, limit: JobMessage.maximumLabel)
                    $0.number(2, UInt64(clamping: count.slot))
                }
            })
    }

    init(_ octets: ArraySlice<UInt8>) throws(WireError) {
        var summary = "", parameters: [Parameter] = [], counts: [Count] = []
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: summary = try field.line(limit: JobMessage.maximumLine)
            case 2:
                for item in try field.list(limit: JobMessage.mostParameters, itemLimit: .max) {
                    parameters.append(try Parameter(item))
                }
            case 3:
                for item in try field.list(limit: JobMessage.mostCounts, itemLimit: .max) {
                    counts.append(try Count(item))
                }
            default: break
            }
        }
        self.init(summary: summary, parameters: parameters, counts: counts)
    }
}

extension JobTitle.Parameter {
    init(_ octets: ArraySlice<UInt8>) throws(WireError) {
        var label = "", value = "", isStandard = false
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: label = try field.line(limit: JobMessage.maximumLabel)
            case 2: value = try field.line(limit: JobMessage.maximumLabel)
            case 3: isStandard = try field.number() != 0
            default: break
            }
        }
        self.init(label: label, value: value, isStandard: isStandard)
    }
}

extension JobTitle.Count {
    init(_ octets: ArraySlice<UInt8>) throws(WireError) {
        var name = "", slot = 0
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: name = try field.line(limit: JobMessage.maximumLabel)
            case 2: slot = Int(try field.number(atMost: UInt64(JobMessage.mostSlots - 1)))
            default: break
            }
        }
        self.init(name: name, slot: slot)
    }
}
