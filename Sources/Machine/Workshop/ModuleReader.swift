/// Reads the contents of a section of a module. Reading gives nil after its end, and where it is damaged.
struct ModuleReader {
    private(set) var rest: ArraySlice<UInt8>

    /// The type of a vector of 128 bits.
    static let vector: UInt8 = 0x7b

    init(_ contents: ArraySlice<UInt8>) { rest = contents }

    mutating func octet() -> UInt8? { rest.popFirst() }

    /// Takes a number of up to 32 bits, in groups of seven bits.
    mutating func number() -> Int? {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, through: 28, by: 7) {
            guard let octet = octet() else { return nil }
            value |= UInt64(octet & 0x7f) << shift
            if octet < 0x80 { return Int(exactly: value) }
        }
        return nil
    }

    /// Takes octets with their count before them.
    mutating func octets() -> ArraySlice<UInt8>? {
        guard let count = number(), count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private mutating func skip(_ count: Int) -> Bool {
        guard count <= rest.count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    /// Skips a number of any size.
    private mutating func skipNumber() -> Bool {
        while let octet = rest.popFirst() { if octet < 0x80 { return true } }
        return false
    }

    private mutating func skipNumbers(_ count: Int) -> Bool {
        for _ in 0..<count where !skipNumber() { return false }
        return true
    }

    /// The calls and returns among a function's instructions.
    struct Flow {
        /// The functions that it calls directly.
        var calls: Set<Int> = []
        /// Where it returns before its end: the place of the instruction, and how many blocks are around it.
        var returns: [(place: Int, depth: Int)] = []
    }

    /// Takes all instructions of a function; nil if one is unknown.
    mutating func flow() -> Flow? {
        var flow = Flow()
        var depth = 0
        while let code = rest.popFirst() {
            let isKnown: Bool
            switch code {
            case 0x10:
                guard let callee = number() else { return nil }
                flow.calls.insert(callee)
                isKnown = true
            // Blocks and loops, with their type.
            case 0x02...0x04:
                depth += 1
                isKnown = skipNumber()
            case 0x0b:
                depth -= 1
                isKnown = true
            case 0x0f:
                flow.returns.append((rest.startIndex - 1, depth))
                isKnown = true
            // Jumps, variables, memory, constants and references.
            case 0x0c, 0x0d, 0x20...0x26, 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2: isKnown = skipNumber()
            case 0x00, 0x01, 0x05, 0x1a, 0x1b, 0x45...0xc4, 0xd1: isKnown = true
            case 0x0e:
                guard let count = number() else { return nil }
                isKnown = skipNumbers(count + 1)
            // Calls through a table, and loads and stores with their alignment and offset.
            case 0x11, 0x28...0x3e: isKnown = skipNumbers(2)
            case 0x1c:
                guard let types = octets() else { return nil }
                isKnown = !types.isEmpty
            case 0x43: isKnown = skip(4)
            case 0x44: isKnown = skip(8)
            case 0xfc: isKnown = skipMore()
            case 0xfd: isKnown = skipVector()
            default: isKnown = false
            }
            guard isKnown else { return nil }
        }
        return depth == -1 ? flow : nil
    }

    /// Skips the instruction after 0xfc: conversions, and operations on much memory and on tables.
    private mutating func skipMore() -> Bool {
        switch number() {
        case .some(0...7): true
        case .some(9), .some(11), .some(13), .some(15...17): skipNumber()
        case .some(8), .some(10), .some(12), .some(14): skipNumbers(2)
        default: false
        }
    }

    /// Skips the instruction after 0xfd: operations on vectors.
    private mutating func skipVector() -> Bool {
        switch number() {
        case .some(0...11), .some(92), .some(93): skipNumbers(2)
        case .some(12), .some(13): skip(16)
        case .some(21...34): skip(1)
        case .some(84...91): skipNumbers(2) && skip(1)
        case .some(14...255): true
        default: false
        }
    }
}
