import PotluckCore
import PotluckKit

/// A module's description of its simulation, checked.
package struct Declaration {
    let shape: ModuleInterface.Shape
    let name: String
    let summary: String
    /// The hash of the source; nil for a module that `potluck build` did not make.
    let source: String?
    package let parameters: [ParameterDescription]
    package let layout: TallyLayout
    let readings: [(name: String, kind: ReadingKind)]
    let inputs: [Input]
    /// Whether it was made with the kit, whose random numbers it uses.
    let hasKit: Bool

    /// Limits, which keep descriptions readable and small enough for a node to keep many.
    private enum Most {
        static let parameters = 64
        static let choices = 256
        static let fields = 256
        static let readings = 256
        static let inputs = 16
        static let bins = 4096
        static let slots = 65_536
        /// The most bytes of a line.
        static let line = 500
    }

    package init(_ record: [UInt64]) throws(SandboxError) {
        var reader = RecordReader("potluck_describe", record)
        let number = try reader.number()
        guard let shape = ModuleInterface.Shape(rawValue: number) else { throw .shape(number) }
        self.shape = shape
        let streams = try reader.number()
        // 0 stands for a module with random numbers of its own.
        guard streams == 0 || streams == UInt64(RandomStream.version) else { throw .streams(streams) }
        hasKit = streams != 0
        name = try reader.word("the name")
        summary = try reader.line("the summary", most: Most.line)
        let source = try reader.line("the source's hash", most: 64)
        guard source.isEmpty || source.utf8.count == 64 && source.utf8.allSatisfy(Self.isHexadecimal) else {
            throw reader.wrong("the source's hash is invalid")
        }
        self.source = source.isEmpty ? nil : source

        var parameters: [ParameterDescription] = []
        for _ in 0..<(try reader.count("parameters", most: Most.parameters)) {
            parameters.append(try Self.parameter(&reader))
        }
        self.parameters = parameters

        var fields: [TallyLayout.DeclaredField] = []
        for _ in 0..<(try reader.count("fields", most: Most.fields)) { fields.append(try Self.field(&reader)) }
        if let name = Self.repeated(fields.map(\.name)) {
            throw reader.wrong("two fields of the tally are called \"\(name)\"; give each its own name")
        }
        guard let layout = TallyLayout(fields), layout.slots <= Most.slots else {
            throw reader.wrong("invalid tally fields")
        }
        guard layout.isOfSearch == (shape == .space), shape == .space || !fields.contains(where: { $0.kind == .best })
        else { throw reader.wrong("a tally that does not fit the kind of work") }
        self.layout = layout

        let readings = try Self.readings(&reader)
        self.readings = readings
        if shape == .ranks, !fields.isEmpty || !readings.isEmpty {
            throw reader.wrong("a program with ranks has no tally and no readings")
        }
        inputs = shape == .tally && reader.isAtEnd ? [] : try Self.inputs(&reader)
        try reader.end()
        if let name = Self.repeated(parameters.map(\.label)) {
            throw reader.wrong("two parameters are called \"\(name)\"; give each its own name")
        }
        guard Set(inputs.map(\.name)).count == inputs.count else { throw reader.wrong("two inputs have the same name") }
    }

    private static func inputs(_ reader: inout RecordReader) throws(SandboxError) -> [Input] {
        var inputs: [Input] = []
        for _ in 0..<(try reader.count("inputs", most: Most.inputs)) {
            let name = try reader.word("an input's name")
            inputs.append(Input(name: name, help: try reader.line("the help for \(name)", most: Most.line)))
        }
        // Modules whose inputs name no columns and no rows end here.
        if reader.isAtEnd { return inputs }
        inputs = try inputs.map { (input) throws(SandboxError) in
            var columns: [String] = []
            for _ in 0..<(try reader.count("columns", most: Input.mostColumns)) {
                columns.append(try reader.line("a column's name", most: Most.line))
            }
            if let name = repeated(columns) {
                throw reader.wrong("two columns of \(input.name) are called \"\(name)\"; give each its own name")
            }
            guard !columns.contains("") else { throw reader.wrong("a column of \(input.name) has no name") }
            return Input(name: input.name, help: input.help, columns: columns)
        }
        // Modules whose inputs name no rows end here.
        if reader.isAtEnd { return inputs }
        return try inputs.map { (input) throws(SandboxError) in
            let number = try reader.number()
            guard number == 0 || number == 1 && input.columns.isEmpty else {
                throw reader.wrong("\(input.name) neither has names of rows nor lacks them")
            }
            return Input(name: input.name, help: input.help, columns: input.columns, hasRowNames: number == 1)
        }
    }

    private static func readings(
        _ reader: inout RecordReader
    ) throws(SandboxError) -> [(name: String, kind: ReadingKind)] {
        var readings: [(name: String, kind: ReadingKind)] = []
        for _ in 0..<(try reader.count("readings", most: Most.readings)) {
            let name = try reader.line("a reading's name", most: Most.line)
            guard let kind = ReadingKind(rawValue: UInt8(clamping: try reader.number())) else {
                throw reader.wrong("unknown kind of reading \(name)")
            }
            guard !name.isEmpty else { throw reader.wrong("a reading has no name") }
            readings.append((name, kind))
        }
        if let name = repeated(readings.map(\.name)) {
            throw reader.wrong("two readings are called \"\(name)\"; give each its own name")
        }
        return readings
    }

    /// The first name that occurs twice.
    private static func repeated(_ names: [String]) -> String? {
        var known: Set<String> = []
        return names.first { !known.insert($0).inserted }
    }

    private static func isHexadecimal(_ octet: UInt8) -> Bool {
        (48...57).contains(octet) || (97...102).contains(octet)
    }

    private static func parameter(_ reader: inout RecordReader) throws(SandboxError) -> ParameterDescription {
        let name = try reader.word("a parameter's name")
        let help = try reader.line("the help for \(name)", most: Most.line)
        let domain: ParameterDomain
        let kind = try reader.number()
        switch ModuleInterface.Domain(rawValue: kind) {
        case .integer:
            let low = Int64(bitPattern: try reader.number())
            let high = Int64(bitPattern: try reader.number())
            guard low <= high else { throw reader.wrong("the range of \(name) ends before it begins") }
            domain = .integer(low...high)
        case .real: domain = .real(try reader.range("the range of \(name)"))
        case .choice:
            var names: [String] = []
            for _ in 0..<(try reader.count("choices", most: Most.choices)) {
                names.append(try reader.word("a choice of \(name)"))
            }
            domain = .choice(names)
        case .flag: domain = .flag
        case .several: domain = try Self.several(&reader, name)
        case nil: throw .parameter(name, kind: kind)
        }
        let standard = try reader.number()
        guard domain.contains(standard) else { throw reader.wrong("the default of \(name) is outside its range") }
        return ParameterDescription(name: name, help: help, domain: domain, standard: standard)
    }

    private static func several(
        _ reader: inout RecordReader, _ parameter: String
    ) throws(SandboxError) -> ParameterDomain {
        var names: [String] = []
        for _ in 0..<(try reader.count("names", most: Several.most)) {
            let name = try reader.word("a name of \(parameter)")
            guard SeveralText.isName(name), !names.contains(name) else {
                throw reader.wrong("the name \(name) of \(parameter) cannot be typed among others")
            }
            names.append(name)
        }
        let least = try reader.count("names to choose", most: names.count)
        let most = try reader.count("names to choose", most: names.count)
        guard !names.isEmpty, least <= most else { throw reader.wrong("nothing can be chosen for \(parameter)") }
        return .several(names, count: least...most)
    }

    private static func field(_ reader: inout RecordReader) throws(SandboxError) -> TallyLayout.DeclaredField {
        let name = try reader.line("a field's name", most: Most.line)
        // The print of the output is added by Potluck, so a module must not declare one.
        guard let kind = FieldKind(rawValue: UInt8(clamping: try reader.number())), kind != .print else {
            throw reader.wrong("unknown kind of field \(name)")
        }
        let bins = try reader.count("bins", most: Most.bins)
        let range = try reader.range("the range of \(name)")
        return TallyLayout.DeclaredField(name: name, kind: kind, bins: bins, range: kind == .histogram ? range : nil)
    }
}
