import PotluckCore
import PotluckKit

/// The coded form of a whole run. A history keeps runs in this form, and a repair needs nothing else.
enum RunCoding {
    /// The first number of every piece. A version that adds to the format must use another number, and still read this
    /// one. The second has what the units and the nodes of a tree add, and the third also the readings that a goal names.
    /// A run without such things is written in an earlier form.
    private static let (form, formWithWork, formWithNames): (UInt64, UInt64, UInt64) = (1, 2, 3)

    /// The seal covers the run's ID, so that no run is taken for another.
    static func seal(_ id: Int64, _ octets: [UInt8]) -> UInt64 { Seal.of(UInt64(bitPattern: id), octets: octets) }

    static func octets(_ run: RunRecord) -> [UInt8] {
        var run = run
        return ByteWriter.bytes { (v: inout ByteWriter) throws(WireError) in try visit(&run, &v) }
    }

    /// Returns nil for bytes that `octets` did not write.
    static func run(_ octets: [UInt8]) -> RunRecord? {
        var run = RunRecord(
            key: "", simulation: SimulationIdentity(name: "", source: "", streams: 0), parameters: [], seed: 0,
            blockSize: 0, goal: Goal(), trials: 0, tally: [], counts: [], readings: [], course: [], digest: "",
            completion: .trials, startedAt: 0, elapsed: .zero, nodes: [])
        var reader = ByteReader(octets)
        do { try visit(&run, &reader) } catch { return nil }
        return reader.isAtEnd ? run : nil
    }

    private static func visit<V: ByteVisitor>(_ run: inout RunRecord, _ v: inout V) throws(WireError) {
        let hasNames = !(run.goal.precision?.names.isEmpty ?? true)
        var first = hasNames ? formWithNames : hasWork(run) ? formWithWork : form
        try v.fixed(&first)
        let isOurs = (form...formWithNames).contains(first)
        try v.check(isOurs, "a run of a later version")
        try v.text(&run.key)
        try v.text(&run.simulation.name)
        try v.text(&run.simulation.source)
        var streams = UInt64(run.simulation.streams)
        try v.fixed(&streams)
        let isVersion = streams <= UInt32.max
        try v.check(isVersion, "streams of an impossible version")
        run.simulation.streams = UInt32(truncatingIfNeeded: streams)
        try v.text(&run.file)
        try v.all(&run.parameters)
        var files = run.files.map(FilesCoding.octets)
        try v.optional(&files, blank: []) { (v: inout V, octets: inout [UInt8]) throws(WireError) in
            try v.part(&octets)
        }
        run.files = files.flatMap(FilesCoding.files)
        try v.fixed(&run.seed)
        try v.fixed(&run.blockSize)
        try v.fixed(&run.trials)
        try goal(&v, &run.goal, hasNames: first == formWithNames)
        try v.words(&run.tally)
        var (counts, course) = (CountsCoding.octets(run.counts), CourseCoding.octets(run.course))
        try v.part(&counts)
        run.counts = CountsCoding.counts(counts)
        try v.all(&run.readings)
        try v.part(&course)
        run.course = CourseCoding.course(course, run.readings)
        try v.text(&run.digest)
        var (completion, nanoseconds) = (RowCoding.number(run.completion), run.elapsed.nanoseconds)
        try v.fixed(&completion)
        run.completion = RowCoding.completion(completion)
        try v.fixed(&run.startedAt)
        try v.fixed(&nanoseconds)
        run.elapsed = .nanoseconds(nanoseconds)
        try v.all(&run.nodes)
        try v.optional(&run.origin, blank: RunOrigin(session: "", submitter: "")) {
            (v: inout V, origin: inout RunOrigin) throws(WireError) in
            try v.text(&origin.session)
            try v.text(&origin.submitter)
        }
        try v.all(&run.notes)
        try v.text(&run.program)
        guard first != form else { return }
        try work(&run, &v)
        let isNeeded = first == formWithNames || hasWork(run)
        try v.check(isNeeded, "a form without use")
    }

    /// Whether its work has units, and what each node expanded of a search's tree.
    private static func work<V: ByteVisitor>(_ run: inout RunRecord, _ v: inout V) throws(WireError) {
        var efforts = run.nodes.flatMap { [$0.effort.expanded, $0.effort.inVain] }
        try v.flag(&run.hasUnits)
        try v.words(&efforts)
        let fits = efforts.count == 2 * run.nodes.count
        try v.check(fits, "the effort of other nodes")
        for place in run.nodes.indices {
            run.nodes[place].effort = SearchEffort(expanded: efforts[2 * place], inVain: efforts[2 * place + 1])
        }
    }

    /// Whether a run has what only the second form holds.
    private static func hasWork(_ run: RunRecord) -> Bool {
        run.hasUnits || run.nodes.contains { $0.effort != .none }
    }

    private static func goal<V: ByteVisitor>(
        _ v: inout V, _ goal: inout Goal, hasNames: Bool
    ) throws(WireError) {
        let every = goal.precision?.every
        var (absolute, relative) = (every?.absolute, every?.relative)
        var (trials, nanoseconds) = (goal.trials, goal.duration?.nanoseconds)
        try v.fixed(&trials)
        try v.real(&absolute)
        try v.real(&relative)
        try v.fixed(&nanoseconds)
        let isPossible = trials.map { (1...Goal.mostTrials).contains($0) } ?? true
        try v.check(isPossible, "a goal without trials")
        var names = goal.precision?.names ?? []
        if hasNames {
            try v.all(&names)
            let isOne = absolute == nil && relative == nil && !names.isEmpty
            try v.check(isOne, "a form without use")
        }
        let limit = absolute.map(WidthLimit.absolute) ?? relative.map(WidthLimit.relative)
        goal = Goal(
            trials: trials, precision: hasNames ? .named(names) : limit.map(Precision.every),
            duration: nanoseconds.map { .nanoseconds($0) })
    }
}

extension ReadingLimit: CodedValue {
    static let empty = ReadingLimit(reading: "", limit: .absolute(1))

    mutating func code<V: ByteVisitor>(_ v: inout V) throws(WireError) {
        try v.text(&reading)
        var (absolute, relative) = (limit.absolute, limit.relative)
        try v.real(&absolute)
        try v.real(&relative)
        let isThere = absolute != nil || relative != nil
        try v.check(isThere, "a reading without a precision")
        limit = absolute.map(WidthLimit.absolute) ?? relative.map(WidthLimit.relative) ?? limit
    }
}

extension RecordedParameter: CodedValue {
    static let empty = RecordedParameter(name: "", slot: 0, text: "", number: nil)

    mutating func code<V: ByteVisitor>(_ v: inout V) throws(WireError) {
        try v.text(&name)
        try v.fixed(&slot)
        try v.text(&text)
        try v.real(&number)
    }
}

extension Reading: CodedValue {
    static let empty = Reading(name: "", kind: .derived, value: nil)

    mutating func code<V: ByteVisitor>(_ v: inout V) throws(WireError) {
        var (name, number) = (name, UInt64(kind.rawValue))
        var (value, interval, exact, range) = (value, interval, exact, range)
        var (varies, isSpoilt, bins) = (varies, isSpoilt, bins)
        try v.text(&name)
        try v.fixed(&number)
        try v.real(&value)
        try v.interval(&interval)
        try v.real(&exact)
        try v.interval(&range)
        try v.flag(&varies)
        try v.flag(&isSpoilt)
        try v.words(&bins)
        guard let kind = UInt8(exactly: number).flatMap(ReadingKind.init) else {
            return try v.check(false, "a reading of an unknown kind")
        }
        self = Reading(
            name: name, kind: kind, value: value, interval: interval, exact: exact, varies: varies, isSpoilt: isSpoilt,
            bins: bins, range: range)
    }
}

extension RecordedNode: CodedValue {
    static let empty = RecordedNode(name: "", cores: 0, trials: 0, rate: nil)

    mutating func code<V: ByteVisitor>(_ v: inout V) throws(WireError) {
        try v.text(&name)
        try v.fixed(&cores)
        try v.fixed(&trials)
        try v.real(&rate)
    }
}

extension RunNote: CodedValue {
    static let empty = RunNote(at: 0, text: "")

    mutating func code<V: ByteVisitor>(_ v: inout V) throws(WireError) {
        try v.fixed(&at)
        try v.text(&text)
    }
}
