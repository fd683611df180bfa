import Potluck
import PotluckCore
import PotluckScreen

/// The option for showing a session to browsers.
enum WebArguments {
    static let web = Flag("web", "show the session to browsers; see 'potluck web'", in: .session)
    static let noWeb = Flag("no-web", "do not, whatever the setting says", in: .session)

    static let options = [web.declaration, noWeb.declaration]

    /// Returns the page of the session; nil if the user does not want one.
    static func page(
        _ session: SessionID, _ directory: StateDirectory, hidesExact: Bool, _ arguments: Arguments
    ) throws -> SessionPage? {
        if arguments[web], arguments[noWeb] { throw UsageError("--web and --no-web cannot be used together") }
        guard arguments[web] || Settings.showsPage && !arguments[noWeb] else { return nil }
        return try SessionPage(
            session, name: try arguments[SessionArguments.name] ?? Machine.name, directory, hidesExact: hidesExact,
            interface: try DiscoveryArguments.read(arguments).interface)
    }
}
