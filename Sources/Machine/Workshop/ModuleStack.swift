import PotluckCore

/// The stack of those functions of a module that may call themselves, directly or through others. The module counts it
/// itself, so it ends at the same depth in every engine, however large that engine's frames are.
///
/// Such a function takes its size from the rest of the stack when it begins, and gives it back when it ends. All other
/// functions stay as they are, and a module without such functions stays the same to the byte. Calls through a table,
/// such as those of closures, are not followed.
enum ModuleStack {
    /// The most bytes. A worker of a browser has some 850 000 for everything.
    static let limit = 640 << 10

    /// The bytes that are counted for a call beside its locals: the engine's part of a frame, and its copies of
    /// expressions. V8's first compiler, which has the largest frames, needs about 42.
    private static let frame = 64
    /// The bytes that are counted for a local or a parameter.
    private static let word = 8, vector = 16

    /// The rule by which a module is changed. Modules made by another rule are made again.
    static let rule = "stack \(limit) \(frame) \(word) \(vector)"

    /// The name of the export that is called at the end of the stack.
    static let end = "potluck_too_deep"

    /// Returns the module with its stack counted. Returns the same module if no function may call itself, if it lacks that
    /// export, or if it is not of the kind that the workshop makes.
    static func counted(_ module: [UInt8]) -> [UInt8] { ModuleParts(module)?.counted ?? module }

    static func size(_ types: some Sequence<UInt8>) -> Int {
        types.reduce(0) { $0 + ($1 == ModuleReader.vector ? vector : word) }
    }

    /// The bytes that a call is counted for.
    static func size(of function: ModuleParts.Function, _ parameters: [UInt8]) -> Int {
        frame + function.size + size(parameters)
    }
}

/// The parts of a module that counting its stack changes.
struct ModuleParts {
    struct Function {
        let type: Int
        let body: ArraySlice<UInt8>
        /// Where the instructions begin.
        let start: Int
        /// The declarations of its locals, each for some of one type.
        let declarations: Int
        /// The number of its locals, and the bytes that are counted for them.
        let locals: Int, size: Int
        let flow: ModuleReader.Flow
    }

    private enum Section {
        static let type: UInt8 = 1, imports: UInt8 = 2, function: UInt8 = 3, global: UInt8 = 6, export: UInt8 = 7
        static let code: UInt8 = 10
    }

    private let header: ArraySlice<UInt8>
    private let sections: [(kind: UInt8, contents: ArraySlice<UInt8>)]
    private var types: [(parameters: [UInt8], results: [UInt8])] = []
    private var functions: [Function] = []
    private var globals = 0
    /// The function that is called at the end of the stack.
    private var end: Int?

    init?(_ module: [UInt8]) {
        header = module.prefix(8)
        sections = Array(ModuleSections(module))
        var declared: [Int] = []
        for (kind, contents) in sections {
            var reader = ModuleReader(contents)
            guard kind != 0, let count = reader.number() else { continue }
            for index in 0..<count {
                switch kind {
                case Section.type:
                    guard reader.octet() == 0x60, let parameters = reader.octets(), let results = reader.octets() else {
                        return nil
                    }
                    types.append((Array(parameters), Array(results)))
                case Section.imports: return nil
                case Section.function:
                    guard let type = reader.number(), types.indices.contains(type) else { return nil }
                    declared.append(type)
                case Section.export:
                    guard let name = reader.octets(), let kind = reader.octet(), let index = reader.number() else {
                        return nil
                    }
                    if kind == 0, name.elementsEqual(ModuleStack.end.utf8) { end = index }
                case Section.code:
                    guard declared.indices.contains(index), let body = reader.octets(),
                        let function = Self.function(declared[index], body)
                    else { return nil }
                    functions.append(function)
                case Section.global: globals = count
                default: break
                }
            }
        }
        guard globals > 0, functions.count == declared.count else { return nil }
    }

    private static func function(_ type: Int, _ body: ArraySlice<UInt8>) -> Function? {
        var reader = ModuleReader(body)
        var (locals, size) = (0, 0)
        guard let declarations = reader.number() else { return nil }
        for _ in 0..<declarations {
            guard let count = reader.number(), let kind = reader.octet() else { return nil }
            locals += count
            size += count * ModuleStack.size([kind])
        }
        let start = reader.rest.startIndex
        return reader.flow().map {
            Function(
                type: type, body: body, start: start, declarations: declarations, locals: locals, size: size, flow: $0)
        }
    }

    /// Whether a function may call itself.
    private func isCyclic(_ index: Int) -> Bool {
        var (seen, rest) = (Set<Int>(), Array(functions[index].flow.calls))
        while let next = rest.popLast() {
            if next == index { return true }
            if functions.indices.contains(next), seen.insert(next).inserted { rest += functions[next].flow.calls }
        }
        return false
    }

    /// The module with its stack counted; nil if nothing is to be counted.
    var counted: [UInt8]? {
        let cyclic = Set(functions.indices.filter(isCyclic))
        guard let end, !cyclic.isEmpty, cyclic.allSatisfy({ types[functions[$0].type].results.count <= 1 }) else {
            return nil
        }
        let bodies = functions.indices.map { index in
            let body = cyclic.contains(index) ? counting(functions[index], end) : Array(functions[index].body)
            return Self.number(body.count) + body
        }
        return sections.reduce(into: Array(header)) { module, section in
            var contents = Array(section.contents)
            switch section.kind {
            case Section.global:
                var reader = ModuleReader(section.contents)
                _ = reader.number()
                // The rest of the stack: an i32 that changes.
                contents = Self.number(globals + 1) + reader.rest
                contents += [0x7f, 1] + Self.constant(ModuleStack.limit) + [0x0b]
            case Section.code: contents = Self.number(bodies.count) + bodies.joined()
            default: break
            }
            module += [section.kind] + Self.number(contents.count) + contents
        }
    }

    /// The body of a function that counts its frame. Its instructions become a block, so that jumps to its end still lead
    /// to what follows.
    private func counting(_ function: Function, _ end: Int) -> [UInt8] {
        let (parameters, results) = types[function.type]
        let size = Self.constant(ModuleStack.size(of: function, parameters))
        let (left, before) = (Self.number(globals), Self.number(parameters.count + function.locals))
        var reader = ModuleReader(function.body[..<function.start])
        _ = reader.number()
        // One more local keeps the rest of the stack before the call.
        var body = Self.number(function.declarations + 1) + reader.rest + [1, 0x7f]
        // before = left; left = before - size; if before < size { end() }
        body += [0x23] + left + [0x22] + before + size + [0x6b, 0x24] + left
        body += [0x20] + before + size + [0x48, 0x04, 0x40, 0x10] + Self.number(end) + [0x0b]
        body += [0x02, results.first ?? 0x40]
        var place = function.start
        for early in function.flow.returns {
            body += function.body[place..<early.place] + [0x0c] + Self.number(early.depth)
            place = early.place + 1
        }
        body += function.body[place...]
        // left = before
        return body + [0x20] + before + [0x24] + left + [0x0b]
    }

    private static func number(_ value: Int) -> [UInt8] {
        var (octets, rest): ([UInt8], Int) = ([], value)
        while rest >= 0x80 {
            octets.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return octets + [UInt8(rest)]
    }

    /// The instruction that gives a number, which is not negative.
    private static func constant(_ value: Int) -> [UInt8] {
        var (octets, rest): ([UInt8], Int) = ([0x41], value)
        while rest >= 0x40 {
            octets.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return octets + [UInt8(rest)]
    }
}
