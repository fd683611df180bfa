import PotluckKit

/// Reads the fields of a module's answer. Throws at anything invalid.
struct RecordReader {
    private let function: String
    private var rest: ArraySlice<UInt64>

    init(_ function: String, _ slots: [UInt64]) {
        self.function = function
        rest = slots[...]
    }

    func wrong(_ why: String) -> SandboxError { .answer(function: function, why) }

    mutating func number() throws(SandboxError) -> UInt64 {
        guard let slot = rest.popFirst() else { throw wrong("it is too short") }
        return slot
    }

    mutating func real() throws(SandboxError) -> Double { Double(bitPattern: try number()) }

    mutating func finite(_ what: String) throws(SandboxError) -> Double {
        let value = try real()
        guard value.isFinite else { throw wrong("\(what) is not a number") }
        return value
    }

    /// Reads a range as two numbers.
    mutating func range(_ what: String) throws(SandboxError) -> ClosedRange<Double> {
        let (low, high) = (try finite(what), try finite(what))
        guard low <= high else { throw wrong("\(what) ends before it begins") }
        return low...high
    }

    /// Reads the number of elements that follow.
    mutating func count(_ what: String, most: Int) throws(SandboxError) -> Int {
        let count = try number()
        guard count <= UInt64(most) else { throw wrong("\(count) \(what), more than the limit of \(most)") }
        return Int(count)
    }

    /// Reads the number of bytes that follow of something that an author named.
    private mutating func length(of what: String, most: Int) throws(SandboxError) -> Int {
        let count = try number()
        guard count <= UInt64(most) else {
            throw wrong("\(what) is too long: \(count) bytes, and \(most) are the most")
        }
        return Int(count)
    }

    mutating func slots(_ count: Int) throws(SandboxError) -> [UInt64] {
        guard count <= rest.count else { throw wrong("it is too short") }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// `what` names the bytes if an author chose them.
    mutating func octets(_ what: String? = nil, most: Int) throws(SandboxError) -> [UInt8] {
        let count = if let what { try length(of: what, most: most) } else { try count("bytes", most: most) }
        let slots = try slots((count + 7) / 8)
        return slots.withUnsafeBytes { Array($0.prefix(count)) }
    }

    /// Reads a line of text for users. Throws at characters that could affect a terminal.
    mutating func line(_ what: String, most: Int) throws(SandboxError) -> String {
        let octets = try octets(what, most: most)
        guard let text = String(validating: octets, as: UTF8.self) else { throw wrong("\(what) is not UTF-8") }
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                throw wrong("\(what) has unprintable characters; use one line of plain text")
            default: break
            }
        }
        return text
    }

    /// Reads a name that users type: letters, digits, hyphens and the like, but nothing that has a meaning for a shell.
    mutating func word(_ what: String) throws(SandboxError) -> String {
        let text = try line(what, most: 64)
        let isFine = !text.contains { " \"'\\$`|&;<>(){}*?!#~=".contains($0) } && text.first != "-"
        guard !text.isEmpty else { throw wrong("\(what) is empty") }
        guard isFine else {
            throw wrong("\(what) is \"\(text)\"; it must be one word of letters, digits and hyphens")
        }
        return text
    }

    var isAtEnd: Bool { rest.isEmpty }

    func end() throws(SandboxError) {
        guard rest.isEmpty else { throw wrong("it is too long") }
    }
}
