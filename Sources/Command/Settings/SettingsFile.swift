import PotluckArguments
import PotluckModel

/// A file of settings, as text: `name = value` a line, with comments and blank lines that stay where they are.
struct SettingsFile: Equatable {
    private(set) var lines: [String]

    /// More than any list of settings; a longer file is not one.
    static let longest = 65_536

    static let opening = """
        # Settings of Potluck on this machine. Options and variables override them.
        # One setting per line: NAME = VALUE. `potluck config` lists the settings.

        """

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    /// A setting that a line makes; nil for a blank line or a comment.
    private static func entry(_ line: String) -> (name: String, value: String)? {
        let text = line.trimmed
        guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts[0].trimmed, parts.count > 1 ? parts[1].trimmed : "")
    }

    /// The last line that sets it wins, as whoever appends to a file expects.
    subscript(_ name: String) -> String? {
        lines.compactMap(Self.entry).last { $0.name == name }.map(\.value)
    }

    /// Replaces the line that sets it, or adds one; nil takes it away.
    mutating func set(_ name: String, to value: String?) {
        let places = lines.indices.filter { Self.entry(lines[$0])?.name == name }
        guard let value else {
            for place in places.reversed() { lines.remove(at: place) }
            return
        }
        let line = "\(name) = \(value)"
        guard let last = places.last else { return lines.append(line) }
        lines[last] = line
        for place in places.dropLast().reversed() { lines.remove(at: place) }
    }

    /// The first line that sets nothing we know, or to something it cannot be.
    var problem: (line: Int, reason: String)? {
        for (index, line) in lines.enumerated() {
            guard let (name, value) = Self.entry(line) else { continue }
            guard let setting = Setting.all.first(where: { $0.name == name }) else {
                let hint = Spelling.hint(for: name, among: Setting.all.map(\.name))
                return (index + 1, "unknown setting \(Spelling.quoted(name))\(hint)")
            }
            if let reason = setting.problem(with: value) {
                return (index + 1, ValueError(reason).message(value: value, of: name))
            }
        }
        return nil
    }
}

/// Something that people set once.
struct Setting: Sendable {
    let name: String
    /// The variable that says it for one program or one shell.
    let variable: String
    let help: String
    /// What it is where nobody sets it, in words.
    let standard: String
    private let check: @Sendable (String) throws(ValueError) -> Void

    /// Nil where that can be its value.
    func problem(with value: String) -> String? {
        do throws(ValueError) {
            try check(value)
            return nil
        } catch { return error.reason }
    }

    static let name = Setting(
        name: "name", variable: "POTLUCK_NAME", help: "this machine's name in sessions", standard: "the machine's name"
    ) { (text) throws(ValueError) in
        _ = try SessionArguments.nodeName(text)
    }

    static let cores = Setting(
        name: "cores", variable: "POTLUCK_CORES", help: "how many cores compute", standard: "all cores"
    ) { (text) throws(ValueError) in _ = try Quantities.cores(text) }

    static let battery = Setting(
        name: "battery", variable: "POTLUCK_BATTERY", help: "run or pause on battery",
        standard: "pause"
    ) { (text) throws(ValueError) in
        guard BatteryRule(rawValue: text) != nil else { throw ValueError("must be run or pause") }
    }

    static let colours = Setting(
        name: "colours", variable: "POTLUCK_COLOURS", help: "auto, always or never", standard: "auto"
    ) { (text) throws(ValueError) in
        guard ColourRule(rawValue: text) != nil else { throw ValueError("must be auto, always or never") }
    }

    static let all = [name, cores, battery, colours]
}

/// What a lent laptop does without mains power.
enum BatteryRule: String, Sendable {
    case run, pause
}

enum ColourRule: String, Sendable {
    /// Where a terminal shows them and nobody asked for none.
    case auto
    case always, never
}
