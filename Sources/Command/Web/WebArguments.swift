import Potluck
import PotluckCore
import PotluckScreen

/// The option for showing a session to browsers.
enum WebArguments {
    static let web = Flag("web", "show the session to browsers; see 'potluck web'", in: .session)
    static let noWeb = Flag("no-web", "do not, whatever the setting says", in: .session)

    static let offer = Option(
        "offer", "FILE", "a simulation for the host's page, besides the built-in ones; see 'potluck web'", in: .session,
        repeats: true, CommonOptions.file)

    static let options = [web.declaration, noWeb.declaration, offer.declaration]

    /// Returns the page of the session; nil if the user does not want one. `running` is a file that the session runs from its
    /// start.
    static func page(
        _ session: SessionID, _ directory: StateDirectory, hidesExact: Bool, running: ChosenSimulation?,
        _ arguments: Arguments
    ) throws -> SessionPage? {
        if arguments[web], arguments[noWeb] { throw UsageError("--web and --no-web cannot be used together") }
        let files = try arguments.all(offer)
        guard arguments[web] || Settings.showsPage && !arguments[noWeb] else {
            if !files.isEmpty { throw UsageError("--offer needs a page; add --web") }
            return nil
        }
        for file in files where !PluginFiles.isFile(file) {
            throw UsageError("--offer takes a file of a simulation, and \(Spelling.quoted(file)) is none")
        }
        // What the session runs from its start can be started again.
        let offered = try files.map { try ChosenSimulation($0, arguments, isRun: true) } + [running].compactMap { $0 }
        return try SessionPage(
            session, name: try arguments[SessionArguments.name] ?? Machine.name, directory, hidesExact: hidesExact,
            interface: try DiscoveryArguments.read(arguments).interface, offered: offered,
            limits: try PluginArguments.limits(arguments))
    }
}
