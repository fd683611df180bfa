import Glibc
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// `potluck config`: shows and changes settings.
enum ConfigCommand {
    private static let unset = Flag("unset", "remove the setting from the file", in: OptionGroup("Settings"))
    private static let json = CommonOptions.json

    static let verb = Verb(
        declaration: Command(
            "config", "show and change settings",
            positionals: [
                Positional(
                    "SETTING", "name, cores, battery, colours or web (default: show all)", required: false,
                    values: .words(Setting.all.map(\.name))),
                Positional(
                    "VALUE", "the new value", required: false,
                    values: .after([
                        "battery": .words(["pause", "run"]), "colours": .words(["auto", "always", "never"]),
                        "web": .words(["on", "off"]),
                    ])),
            ],
            options: [unset.declaration, json.declaration],
            details: [
                "An option overrides a variable, and a variable overrides the settings file.",
                "name: this machine's name in sessions (POTLUCK_NAME). cores: how many cores compute (POTLUCK_CORES). battery: "
                    + "run or pause on battery (POTLUCK_BATTERY). colours: auto, always or never (POTLUCK_COLOURS, NO_COLOR). "
                    + "web: on or off, whether 'serve' and 'peer' show the session to browsers (POTLUCK_WEB).",
            ],
            examples: ["config", "config name \"Ana's laptop\"", "config cores --unset"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        guard let name = arguments[0] else {
            guard !arguments[unset] else {
                throw UsageError("missing argument SETTING; usage: potluck config SETTING --unset")
            }
            return try show(arguments[json])
        }
        guard let setting = Setting.all.first(where: { $0.name == name }) else {
            let names = Setting.all.map(\.name)
            let hint = Spelling.hint(for: name, among: names)
            throw UsageError(
                "unknown setting \(Spelling.quoted(name))"
                    + (hint.isEmpty ? "; settings: \(names.joined(separator: ", "))" : hint))
        }
        switch (arguments[1], arguments[unset]) {
        case (nil, false): try Output.write((Settings.value(setting).text ?? setting.standard) + "\n")
        case (nil, true): try change { $0.set(setting.name, to: nil) }
        case (_?, true): throw UsageError("a value and --unset cannot be used together")
        case (let value?, false):
            if let reason = setting.problem(with: value) {
                throw UsageError(ValueError(reason).message(value: value, of: name))
            }
            try change { $0.set(setting.name, to: value) }
            if case .environment(let variable) = Settings.value(setting).source {
                Output.complain("the variable \(variable) is set and overrides this setting")
            }
        }
        return .success
    }

    private static func show(_ asJSON: Bool) throws -> ExitCode {
        let path = Settings.path ?? "missing because HOME is not set"
        let rows = Setting.all.map { setting -> (Setting, String?, String) in
            let (value, source) = Settings.value(setting)
            switch source {
            case .environment(let variable): return (setting, value, variable)
            case .file: return (setting, value, "file")
            case .standard: return (setting, value, "standard")
            }
        }
        if asJSON {
            try Output.write(
                JSON.object(
                    [("file", .string(path))]
                        + rows.map { ($0.0.name, ["value": JSON($0.1), "source": .string($0.2)]) }
                ).text + "\n")
            return .success
        }
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        try Output.write(
            canvas.text(
                SettingsView.lines(rows.map { ($0.0.name, $0.1 ?? $0.0.standard, $0.2, $0.0.help) }, path, on: canvas)))
        if let problem = try Settings.file.get().problem {
            Output.complain("\(path), line \(problem.line): \(problem.reason)")
        }
        return .success
    }

    /// Reads the file again, changes it, and replaces it as a whole.
    private static func change(_ body: (inout SettingsFile) -> Void) throws {
        guard let path = Settings.path else {
            throw Failure(message: "no folder to keep settings in; set HOME or XDG_CONFIG_HOME")
        }
        let folder = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
        let obstacle = makeFolders(folder)
        guard access(folder, F_OK) == 0 else {
            throw Failure(cannotMake: folder, obstacle, advice: "set XDG_CONFIG_HOME to a folder of your own")
        }
        var file = try Settings.read(path)
        if file.lines.isEmpty { file = SettingsFile(SettingsFile.opening) }
        body(&file)
        try FileWriter.write(file.text, overwriting: path)
    }
}
