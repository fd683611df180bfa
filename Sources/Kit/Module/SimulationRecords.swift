// The records in which a module describes its simulation. They are compiled natively
// too, so tests can compare both sides.

extension RecordWriter {
    /// Appends the answer of `potluck_describe`. `source` is the SHA-256 of the author's file in hexadecimal digits.
    public mutating func describe<S: Work>(
        _: S.Type, source: StaticString, shape: ModuleInterface.Shape, inputs: [Input]
    ) {
        put(shape.rawValue)
        put(UInt64(RandomStream.version))
        put(S.name)
        put(S.summary)
        put(source)

        put(ParameterReader.make(S.self).reader.declared)

        var tally = S.Tally()
        var fields = FieldWriter()
        tally.visit(&fields)
        put(fields.count)
        for slot in fields.record.slots { put(slot) }

        let readings = S.readings
        put(readings.count)
        for reading in readings {
            put(reading.name)
            put(UInt64(reading.kind.rawValue))
        }
        // A simulation without inputs ends here, as all did before simulations had inputs.
        if shape != .tally || !inputs.isEmpty { put(inputs) }
    }

    /// Appends the answer of `potluck_describe` for a program with ranks, which has no tally and no readings.
    public mutating func describe<P: RankProgram>(_: P.Type, source: StaticString) {
        put(ModuleInterface.Shape.ranks.rawValue)
        put(UInt64(RandomStream.version))
        put(P.name)
        put(P.summary)
        put(source)
        put(ParameterReader.make(P.self).reader.declared)
        put(0)
        put(0)
        put(P.inputs)
    }

    private mutating func put(_ inputs: [Input]) {
        put(inputs.count)
        for input in inputs {
            put(label: input.name)
            put(label: input.help)
        }
        let hasRowNames = inputs.contains { $0.hasRowNames }
        if !hasRowNames, inputs.allSatisfy({ $0.columns.isEmpty }) { return }
        for input in inputs {
            put(input.columns.count)
            for column in input.columns { put(label: column) }
        }
        if hasRowNames { for input in inputs { put(input.hasRowNames ? 1 : 0) } }
    }

    private mutating func put(_ parameters: [ParameterDescription]) {
        put(parameters.count)
        for parameter in parameters { put(parameter) }
    }

    mutating func put(_ parameter: ParameterDescription) {
        put(label: parameter.name)
        put(label: parameter.help)
        switch parameter.domain {
        case .integer(let range):
            put(ModuleInterface.Domain.integer.rawValue)
            put(UInt64(bitPattern: range.lowerBound))
            put(UInt64(bitPattern: range.upperBound))
        case .real(let range):
            put(ModuleInterface.Domain.real.rawValue)
            put(range.lowerBound)
            put(range.upperBound)
        case .choice(let names):
            put(ModuleInterface.Domain.choice.rawValue)
            put(names.count)
            for name in names { put(label: name) }
        case .flag:
            put(ModuleInterface.Domain.flag.rawValue)
        case .several(let names, let count):
            put(ModuleInterface.Domain.several.rawValue)
            put(names.count)
            for name in names { put(label: name) }
            put(count.lowerBound)
            put(count.upperBound)
        }
        put(parameter.standard)
    }

    private mutating func put(label: ParameterLabel) {
        #if hasFeature(Embedded)
            put(label)
        #else
            put(Array(label.utf8))
        #endif
    }

    /// Appends the answer of `potluck_read`.
    public mutating func read<S: Work>(_ simulation: S, _ slots: [UInt64], trials: UInt64) {
        let tally = S.Tally(slots: slots)
        let rules = S.readings
        put(rules.count)
        for rule in rules {
            let bins = rule.bins?(tally) ?? []
            put(rule.estimate(simulation, tally, trials), exact: rule.exact.flatMap { $0(simulation) })
            put(bins.count)
            for count in bins { put(count) }
        }
    }
}

private struct FieldWriter: TallyVisitor {
    var record = RecordWriter()
    var count = 0

    mutating func field<A: Accumulator>(_ name: StaticString, _ accumulator: inout A) {
        count += 1
        record.put(name)
        record.put(UInt64(A.kind.rawValue))
        record.put(A.parts)
        let range = accumulator.range
        record.put(range?.lowerBound ?? 0)
        record.put(range?.upperBound ?? 0)
    }
}
