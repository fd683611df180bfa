/// The fields of an order. `order` has ticket and token among them.
extension JobOrder {
    static let blank = JobOrder(.blank)

    mutating func visit<V: FieldVisitor>(
        _ v: inout V, ticket: inout JobTicket, token: inout UInt64
    ) throws(WireError) {
        try v.record(1, &recipe.experiment)
        try v.record(2, &recipe.goal)
        try v.id(3, &ticket)
        try v.number(4, &token)
        try v.clamped(5, &workers, atMost: Self.mostWorkers)
        try v.duration(6, &delay, atMost: Self.longestDelay)
        try v.lines(7, &nodes, atMost: Self.mostNames, each: JobMessage.maximumDisplayName)
        try v.module(8, &recipe.module)
        try v.payload(9, &recipe.payload)
        try v.flag(10, &recipe.collects)
        try v.flag(11, &hidesExact)
        try v.unless(12, &takesBrowsers)
        try v.priority(13, &priority)
        try v.flag(14, &startsPaused)
        try v.flag(15, &startsSlowly)
    }
}

extension FieldVisitor {
    /// Visits a priority, which is left out where it is normal.
    mutating func priority(_ tag: UInt64, _ value: inout Priority) throws(WireError) {
        var number = value.number
        try self.number(tag, &number, atMost: UInt64(Priority.allCases.count - 1))
        value = Priority(number: number) ?? .normal
    }
}

extension JobRecipe {
    fileprivate static let blank = JobRecipe(experiment: .blank)
}

extension JobSpec: WireRecord {
    package static let blank = JobSpec(.blank)

    /// Visits the tags 2, 3 and 4. Module, payload and output are fields of `job` only.
    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.record(2, &recipe.experiment)
        try v.record(3, &recipe.goal)
        try v.record(4, &title)
    }
}

extension Experiment: WireRecord {
    /// The sizes that a block may have: 16 to 65 536 trials for a simulation, 1 to 1 048 576 units for a gathering. The
    /// kit checks the exact range when it prepares the work.
    private static let blockSizes: ClosedRange<UInt64> = 1...1_048_576

    package static let blank = Experiment(
        simulation: SimulationIdentity(name: "", source: "", streams: 0), parameters: [], seed: 0, blockSize: 1)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.text(1, &simulation.name, atMost: JobMessage.maximumName)
        try v.check(!simulation.name.isEmpty, "a message without a required field")
        try v.check(simulation.name.isFitForScreen, "a text with unprintable characters")
        try v.text(2, &simulation.source, atMost: JobMessage.maximumSource)
        try v.check(simulation.source.isFitForScreen, "a text with unprintable characters")
        try v.number(3, &simulation.streams)
        try v.slots(4, &parameters, atMost: JobMessage.mostParameters)
        try v.number(5, &seed)
        try v.number(6, &blockSize)
        try v.check(
            blockSize.nonzeroBitCount == 1 && Self.blockSizes.contains(blockSize),
            "an invalid block size of \(blockSize)")
    }
}

extension Goal: WireRecord {
    package static let blank = Goal()

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.number(1, &trials, atMost: Self.mostTrials)
        var every = precision?.every
        var named = precision?.names ?? []
        try v.limit(2, 3, &every)
        try v.duration(4, &duration)
        try v.list(5, &named, atMost: Precision.mostNamed)
        try v.check(every == nil || named.isEmpty, "two precisions")
        try v.check(Set(named.map(\.reading)).count == named.count, "a reading with two precisions")
        precision = every.map { .every($0) } ?? (named.isEmpty ? nil : .named(named))
    }
}

extension ReadingLimit: WireRecord {
    package static let blank = ReadingLimit(reading: "", limit: .absolute(1))

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.line(1, &reading, atMost: JobMessage.maximumLabel)
        var own: WidthLimit? = limit
        try v.limit(2, 3, &own)
        try v.check(own != nil, "a reading without a precision")
        limit = own ?? limit
    }
}

extension FieldVisitor {
    /// A limit that is absolute or relative, each in a field of its own.
    fileprivate mutating func limit(
        _ absoluteTag: UInt64, _ relativeTag: UInt64, _ limit: inout WidthLimit?
    ) throws(WireError) {
        var (absolute, relative) = (limit?.absolute, limit?.relative)
        try real(absoluteTag, &absolute)
        try real(relativeTag, &relative)
        try check(absolute == nil || relative == nil, "two precisions")
        if let width = absolute ?? relative {
            try check(width.isFinite && width > 0, "a precision that is not positive and finite")
        }
        limit = absolute.map { .absolute($0) } ?? relative.map { .relative($0) }
    }
}

extension JobTitle: WireRecord {
    package static let blank = JobTitle()

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.line(1, &summary, atMost: JobMessage.maximumLine)
        try v.list(2, &parameters, atMost: JobMessage.mostParameters)
        try v.list(3, &counts, atMost: JobMessage.mostCounts)
        try v.flag(4, &hasUnits)
    }
}

extension JobTitle.Parameter: WireRecord {
    package static let blank = JobTitle.Parameter(label: "", value: "", isStandard: false)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.line(1, &label, atMost: JobMessage.maximumLabel)
        try v.line(2, &value, atMost: JobMessage.maximumLabel)
        try v.flag(3, &isStandard)
    }
}

extension JobTitle.Count: WireRecord {
    package static let blank = JobTitle.Count(name: "", slot: 0)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.line(1, &name, atMost: JobMessage.maximumLabel)
        try v.number(2, &slot, atMost: JobMessage.mostSlots - 1)
    }
}
