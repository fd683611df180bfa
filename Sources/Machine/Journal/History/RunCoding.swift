import PotluckCore
import PotluckKit

/// The coded form of a whole run. A history keeps runs in this form, and a repair needs nothing else.
enum RunCoding {
    /// The first number of every piece. A version that adds to the format must use another number, and still read this
    /// one.
    private static let form: UInt64 = 1

    /// The seal covers the run's ID, so that no run is taken for another.
    static func seal(_ id: Int64, _ octets: [UInt8]) -> UInt64 { Seal.of(UInt64(bitPattern: id), octets: octets) }

    static func octets(_ run: RunRecord) -> [UInt8] {
        var writer = OctetWriter()
        writer.put(form)
        writer.put(run.key)
        writer.put(run.simulation.name)
        writer.put(run.simulation.source)
        writer.put(UInt64(run.simulation.streams))
        writer.put(run.file) { $0.put($1) }
        writer.put(all: run.parameters) { writer, parameter in
            writer.put(parameter.name)
            writer.put(parameter.slot)
            writer.put(parameter.text)
            writer.put(parameter.number)
        }
        writer.put(run.files) { $0.put(FilesCoding.octets($1)) }
        for number in [run.seed, run.blockSize, run.trials] { writer.put(number) }
        put(run.goal, &writer)
        writer.put(run.tally.octets)
        writer.put(CountsCoding.octets(run.counts))
        writer.put(all: run.readings) { put($1, &$0) }
        writer.put(CourseCoding.octets(run.course))
        writer.put(run.digest)
        writer.put(UInt64(bitPattern: RowCoding.number(run.completion)))
        writer.put(UInt64(bitPattern: run.startedAt))
        writer.put(UInt64(bitPattern: run.elapsed.nanoseconds))
        writer.put(all: run.nodes) { writer, node in
            writer.put(node.name)
            writer.put(UInt64(bitPattern: Int64(node.cores)))
            writer.put(node.trials)
            writer.put(node.rate)
        }
        writer.put(run.origin) { writer, origin in
            writer.put(origin.session)
            writer.put(origin.submitter)
        }
        writer.put(all: run.notes) { writer, note in
            writer.put(UInt64(bitPattern: note.at))
            writer.put(note.text)
        }
        writer.put(run.program)
        return writer.octets
    }

    private static func put(_ goal: Goal, _ writer: inout OctetWriter) {
        var (absolute, relative): (Double?, Double?) = (nil, nil)
        switch goal.precision {
        case .absolute(let limit): absolute = limit
        case .relative(let part): relative = part
        case nil: break
        }
        writer.put(goal.trials) { $0.put($1) }
        writer.put(absolute)
        writer.put(relative)
        writer.put(goal.duration) { $0.put(UInt64(bitPattern: $1.nanoseconds)) }
    }

    private static func put(_ reading: Reading, _ writer: inout OctetWriter) {
        writer.put(reading.name)
        writer.put(UInt64(reading.kind.rawValue))
        for number in [
            reading.value, reading.interval?.lowerBound, reading.interval?.upperBound, reading.exact,
            reading.range?.lowerBound, reading.range?.upperBound,
        ] { writer.put(number) }
        writer.put(reading.varies)
        writer.put(reading.isSpoilt)
        writer.put(reading.bins.octets)
    }

    // MARK: Reading

    /// Returns nil for bytes that `octets` did not write.
    static func run(_ octets: [UInt8]) -> RunRecord? {
        var reader = OctetReader(octets)
        guard reader.number() == form, let run = run(&reader), reader.isAtEnd else { return nil }
        return run
    }

    private static func run(_ reader: inout OctetReader) -> RunRecord? {
        guard let key = reader.text(), let simulation = identity(&reader), let file = reader.optional({ $0.text() }),
            let parameters = reader.all(parameter), let files = reader.optional({ $0.part() }),
            let seed = reader.number(), let blockSize = reader.number(), let trials = reader.number(),
            let goal = goal(&reader), let tally = reader.part().flatMap({ [UInt64](octets: $0) }),
            let counts = reader.part(), let readings = reader.all(reading), let course = reader.part(),
            let digest = reader.text(), let completion = reader.signed(), let startedAt = reader.signed(),
            let elapsed = reader.signed(), let nodes = reader.all(node), let origin = reader.optional(origin),
            let notes = reader.all(note), let program = reader.text()
        else { return nil }
        return RunRecord(
            key: key, simulation: simulation, file: file, parameters: parameters,
            files: files.flatMap(FilesCoding.files), seed: seed, blockSize: blockSize, goal: goal, trials: trials,
            tally: tally, counts: CountsCoding.counts(counts), readings: readings,
            course: CourseCoding.course(course, readings), digest: digest,
            completion: RowCoding.completion(completion), startedAt: startedAt, elapsed: .nanoseconds(elapsed),
            nodes: nodes, origin: origin, notes: notes, program: program)
    }

    private static func identity(_ reader: inout OctetReader) -> SimulationIdentity? {
        guard let name = reader.text(), let source = reader.text(),
            let streams = reader.number().flatMap({ UInt32(exactly: $0) })
        else { return nil }
        return SimulationIdentity(name: name, source: source, streams: streams)
    }

    private static func parameter(_ reader: inout OctetReader) -> RecordedParameter? {
        guard let name = reader.text(), let slot = reader.number(), let text = reader.text(),
            let number = reader.optionalReal()
        else { return nil }
        return RecordedParameter(name: name, slot: slot, text: text, number: number)
    }

    private static func goal(_ reader: inout OctetReader) -> Goal? {
        guard let trials = reader.optional({ $0.number() }), let absolute = reader.optionalReal(),
            let relative = reader.optionalReal(), let duration = reader.optional({ $0.signed() }),
            trials.map({ (1...Goal.mostTrials).contains($0) }) ?? true
        else { return nil }
        return Goal(
            trials: trials, precision: absolute.map(Precision.absolute) ?? relative.map(Precision.relative),
            duration: duration.map { .nanoseconds($0) })
    }

    private static func reading(_ reader: inout OctetReader) -> Reading? {
        guard let name = reader.text(),
            let kind = reader.number().flatMap({ UInt8(exactly: $0) }).flatMap(ReadingKind.init),
            let value = reader.optionalReal(), let low = reader.optionalReal(), let high = reader.optionalReal(),
            let exact = reader.optionalReal(), let from = reader.optionalReal(), let to = reader.optionalReal(),
            let varies = reader.flag(), let isSpoilt = reader.flag(),
            let bins = reader.part().flatMap({ [UInt64](octets: $0) })
        else { return nil }
        return Reading(
            name: name, kind: kind, value: value, interval: RowCoding.interval(low, high), exact: exact,
            varies: varies, isSpoilt: isSpoilt, bins: bins, range: RowCoding.interval(from, to))
    }

    private static func node(_ reader: inout OctetReader) -> RecordedNode? {
        guard let name = reader.text(), let cores = reader.signed().flatMap({ Int(exactly: $0) }),
            let trials = reader.number(), let rate = reader.optionalReal()
        else { return nil }
        return RecordedNode(name: name, cores: cores, trials: trials, rate: rate)
    }

    private static func origin(_ reader: inout OctetReader) -> RunOrigin? {
        guard let session = reader.text(), let submitter = reader.text() else { return nil }
        return RunOrigin(session: session, submitter: submitter)
    }

    private static func note(_ reader: inout OctetReader) -> RunNote? {
        guard let at = reader.signed(), let text = reader.text() else { return nil }
        return RunNote(at: at, text: text)
    }
}

extension OctetReader {
    fileprivate mutating func signed() -> Int64? { number().map { Int64(bitPattern: $0) } }
}
