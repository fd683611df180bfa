import PotluckCore
import PotluckScreen

/// The text of a settings file: `name = value` per line. Comments and blank lines are preserved.
package struct SettingsFile: Equatable {
    package private(set) var lines: [String]

    /// The largest file in bytes, far more than all settings need.
    static let longest = 65_536

    package static let opening = """
        # Settings of Potluck on this machine. Options and variables override them.
        # One setting per line: NAME = VALUE. `potluck config` lists the settings.

        """

    package init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
    }

    package var text: String { lines.map { $0 + "\n" }.joined() }

    /// Returns the setting in a line; nil for a blank line or a comment.
    private static func entry(_ line: String) -> (name: String, value: String)? {
        let text = line.trimmed
        guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts[0].trimmed, parts.count > 1 ? parts[1].trimmed : "")
    }

    /// The value of a setting; nil if it is not set. The last line wins, so appending a line to the file works.
    subscript(_ name: String) -> String? {
        lines.compactMap(Self.entry).last { $0.name == name }.map(\.value)
    }

    /// Replaces the setting's line, or adds one. Nil removes it.
    package mutating func set(_ name: String, to value: String?) {
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

    /// The first line with an unknown setting or an invalid value; nil if all are valid.
    package var problem: (line: Int, reason: String)? {
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

/// A setting that the user makes once for this machine.
package struct Setting: Sendable {
    package let name: String
    /// The environment variable that overrides the file.
    let variable: String
    package let help: String
    /// The default, in words.
    package let standard: String
    private let check: @Sendable (String) throws(ValueError) -> Void

    /// Returns why the value is invalid; nil if it is valid.
    package func problem(with value: String) -> String? {
        do throws(ValueError) {
            try check(value)
            return nil
        } catch { return error.reason }
    }

    static let name = Setting(
        name: "name", variable: "POTLUCK_NAME", help: "this machine's name in sessions", standard: "the machine's name"
    ) { (text) throws(ValueError) in
        guard Announcement.isValid(name: text) else {
            throw ValueError("not a name of 1 to 63 bytes of printable text")
        }
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

    static let web = Setting(
        name: "web", variable: "POTLUCK_WEB", help: "on or off: show sessions to browsers", standard: "off"
    ) { (text) throws(ValueError) in
        guard WebRule(rawValue: text) != nil else { throw ValueError("must be on or off") }
    }

    package static let all = [name, cores, battery, colours, web]
}

/// What a laptop does while it runs on battery.
enum BatteryRule: String, Sendable {
    case run, pause
}

/// Whether a node shows its session to browsers.
enum WebRule: String, Sendable {
    case on, off
}

enum ColourRule: String, Sendable {
    /// Colours on a terminal that supports them.
    case auto
    case always, never
}
