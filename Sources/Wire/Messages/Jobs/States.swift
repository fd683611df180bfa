import PotluckModel

/// The encoding of a job's state: its number, then the kind of waiting or completion, and details of that kind.
extension JobState {
    /// The most bytes of its texts: why it failed, or the names of nodes with their lengths.
    static let longest = max(JobMessage.maximumLine, JobWait.mostNames * (JobMessage.maximumDisplayName + 2))

    func write(to writer: inout FieldWriter) {
        switch self {
        case .waiting(let wait):
            writer.number(1, 1)
            wait.write(to: &writer)
        case .running: writer.number(1, 2)
        case .paused: writer.number(1, 3)
        case .stopping: writer.number(1, 4)
        case .done(let completion):
            writer.number(1, 5)
            writer.number(2, completion.onWire)
        case .failed(let why):
            writer.number(1, 6)
            writer.line(5, why, limit: JobMessage.maximumLine)
        }
    }

    /// Returns nil for a state that only a later version knows.
    init?(_ octets: ArraySlice<UInt8>) throws(WireError) {
        var number: UInt64?, kind: UInt64 = 0, first: UInt64 = 0, second: UInt64 = 0, text = ""
        var job: JobID?, names: [String] = []
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: number = try field.number()
            case 2: kind = try field.number()
            case 3: first = try field.number(atMost: Duration.longestOnWire.onWire)
            case 4: second = try field.number(atMost: UInt64(JobMessage.mostWaiting))
            case 5: text = try field.line(limit: JobMessage.maximumLine)
            case 6: job = try field.job()
            case 8: names = try JobWait.names(field)
            default: break
            }
        }
        switch try JobMessage.there(number) {
        case 1:
            guard let wait = try JobWait(onWire: kind, first, second, job, names) else { return nil }
            self = .waiting(wait)
        case 2: self = .running
        case 3: self = .paused
        case 4: self = .stopping
        case 5:
            guard let completion = Completion(onWire: kind) else { return nil }
            self = .done(completion)
        case 6: self = .failed(text)
        default: return nil
        }
    }
}

extension JobWait {
    /// Writes the tags 2, 3, 4, 6 and 8.
    fileprivate func write(to writer: inout FieldWriter) {
        switch self {
        case .simulation: writer.number(2, 1)
        case .line(let jobs, let behind):
            writer.number(2, 2)
            writer.number(3, Self.bounded(jobs))
            if let behind {
                writer.id(6, behind.id)
                writer.list(8, [Array(behind.name.line(limit: JobMessage.maximumDisplayName).utf8)])
            }
        case .start(let duration):
            writer.number(2, 3)
            writer.duration(3, duration)
        case .workers(let there, let wanted, let among):
            writer.number(2, 4)
            writer.number(3, Self.bounded(there))
            writer.number(4, Self.bounded(wanted))
            writer.list(
                8, among.prefix(Self.mostNames).map { Array($0.line(limit: JobMessage.maximumDisplayName).utf8) })
        }
    }

    fileprivate static func names(_ field: Field) throws(WireError) -> [String] {
        var names: [String] = []
        for name in try field.list(limit: mostNames, itemLimit: JobMessage.maximumDisplayName) {
            names.append(try Field(tag: field.tag, octets: name).line(limit: JobMessage.maximumDisplayName))
        }
        return names
    }

    fileprivate init?(
        onWire number: UInt64, _ first: UInt64, _ second: UInt64, _ job: JobID?, _ names: [String]
    ) throws(WireError) {
        switch number {
        case 1: self = .simulation
        case 2:
            let behind: JobAhead? = if let job, let name = names.first { JobAhead(id: job, name: name) } else { nil }
            self = .line(try Self.count(first), behind: behind)
        case 3: self = .start(.nanoseconds(Int64(first)))
        case 4: self = .workers(try Self.count(first), of: Int(second), among: names)
        default: return nil
        }
    }

    private static func bounded(_ number: Int) -> UInt64 { UInt64(min(max(number, 0), JobMessage.mostWaiting)) }

    private static func count(_ number: UInt64) throws(WireError) -> Int {
        guard number <= UInt64(JobMessage.mostWaiting) else { throw .malformed("a queue of \(number)") }
        return Int(number)
    }
}
