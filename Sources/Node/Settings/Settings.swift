import Glibc
import PotluckCore
import PotluckScreen

/// The user's settings, from environment variables or else the file. Options override both.
package enum Settings {
    /// `XDG_CONFIG_HOME/potluck/config`; nil if no home folder is known.
    package static var path: String? {
        guard let home = Environment["XDG_CONFIG_HOME"] ?? Environment["HOME"].map({ $0 + "/.config" }),
            home.hasPrefix("/")
        else { return nil }
        return home + "/potluck/config"
    }

    /// The settings file, read once; empty if it does not exist.
    package static let file: Result<SettingsFile, Failure> = {
        guard let path else { return .success(SettingsFile("")) }
        do throws(Failure) { return .success(try read(path)) } catch { return .failure(error) }
    }()

    package static func read(_ path: String) throws(Failure) -> SettingsFile {
        guard let stream = fopen(path, "re") else {
            let why = errno
            // If this user may not even look into the folder, HOME is another user's. Then there are no settings.
            var found = stat()
            if why == ENOENT || why == ENOTDIR || why == EACCES && stat(path, &found) != 0 { return SettingsFile("") }
            errno = why
            throw Failure(cannot: "read \(path)")
        }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: SettingsFile.longest + 1)
        let count = fread(&bytes, 1, bytes.count, stream)
        guard ferror(stream) == 0 else { throw Failure(cannot: "read \(path)") }
        guard count <= SettingsFile.longest else { throw Failure(message: "\(path) is too large for a settings file") }
        return SettingsFile(String(decoding: bytes[..<count], as: UTF8.self))
    }

    /// Throws if a setting is invalid, so that none is ignored silently.
    package static func check() throws {
        let file = try file.get()
        if let problem = file.problem {
            throw UsageError(
                "\(path ?? ""), line \(problem.line): \(problem.reason); see 'potluck config'")
        }
        for setting in Setting.all {
            guard let value = Environment[setting.variable], let reason = setting.problem(with: value) else { continue }
            throw UsageError(ValueError(reason).message(value: value, of: setting.variable))
        }
    }

    package enum Source {
        case environment(String)
        case file
        case standard
    }

    /// Returns the value and where it comes from. An invalid value counts as not set.
    package static func value(_ setting: Setting) -> (text: String?, source: Source) {
        if let value = Environment[setting.variable], setting.problem(with: value) == nil {
            return (value, .environment(setting.variable))
        }
        // NO_COLOR is a variable that many programs share.
        if setting.name == Setting.colours.name, Environment["NO_COLOR"] != nil {
            return (ColourRule.never.rawValue, .environment("NO_COLOR"))
        }
        if let value = (try? file.get())?[setting.name], setting.problem(with: value) == nil { return (value, .file) }
        return (nil, .standard)
    }

    package static var name: String? { value(.name).text }
    package static var runsOnBattery: Bool { value(.battery).text == "run" }
    package static var showsPage: Bool { value(.web).text == WebRule.on.rawValue }
    static var cores: Int? { value(.cores).text.flatMap { Int($0) } }
    static var colours: ColourRule { value(.colours).text.flatMap { ColourRule(rawValue: $0) } ?? .auto }
}
