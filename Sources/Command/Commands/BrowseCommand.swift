import Glibc
import Potluck
import PotluckCore
import PotluckNet
import PotluckScreen
import PotluckSystem

/// `potluck browse`: lists the sessions and nodes nearby. It joins no session.
enum BrowseCommand {
    private static let json = CommonOptions.jsonLines
    private static let duration = CommonOptions.duration

    static let verb = Verb(
        declaration: Command(
            "browse", "show the sessions and nodes nearby",
            positionals: [
                Positional("SESSION", "show only this session (default: all sessions)", required: false)
            ],
            options: [duration.declaration, json.declaration] + DiscoveryArguments.options,
            details: [
                "The list updates until Ctrl-C: a table on a terminal, lines of JSON in a pipe. Browsing joins no session "
                    + "and announces nothing.",
                "A node that only mDNS lists is 'unconfirmed' until it answers: mDNS lists a crashed laptop for over an "
                    + "hour. If a node is missing, run 'potluck doctor'.",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let session = try arguments[0].map { (text) throws(UsageError) in try DiscoveryArguments.session(text) }
        let options = try DiscoveryArguments.read(arguments)
        let duration = try arguments[duration]
        let setup = DiscoverySetup(
            node: Identity().node, scope: session.map { .session($0.hash) } ?? .everything, key: nil,
            seed: Machine.drawSeed())
        let discovery = NetworkDiscovery(setup, options: options)
        try await Watching(discovery, duration: duration).run(asJSON: arguments[json], showsSessions: session == nil)
        return Interrupts.asked ?? .success
    }
}

/// Prints what a discovery finds until the duration is over or Ctrl-C stops it.
private struct Watching {
    private let discovery: NetworkDiscovery

    /// Sets Ctrl-C to stop the discovery. `duration` nil means no limit.
    init(_ discovery: NetworkDiscovery, duration: Duration?) {
        self.discovery = discovery
        Interrupts.stop { discovery.stop() }
        guard let duration else { return }
        Task.detached {
            try? await Task.sleep(for: duration)
            discovery.stop()
        }
    }

    func run(asJSON json: Bool, showsSessions: Bool) async throws {
        // Draw the table only if stdout is a terminal. A file or another program gets lines of JSON.
        guard !json, isatty(STDOUT_FILENO) == 1, let screen = Screen.find(orStdout: true) else {
            for await change in discovery.changes() {
                try Output.write(NodeJSON.value(change, now: discovery.now).text + "\n")
            }
            return
        }
        let drawing = Task.detached { [discovery] in
            // Redraw every second as well as at each change, because the ages and the troubles also change.
            while !Task.isCancelled {
                Self.draw(discovery, on: screen, showsSessions: showsSessions)
                try? await Task.sleep(for: .seconds(1))
            }
        }
        for await _ in discovery.changes() { Self.draw(discovery, on: screen, showsSessions: showsSessions) }
        drawing.cancel()
    }

    private static func draw(_ discovery: NetworkDiscovery, on screen: Screen, showsSessions: Bool) {
        let status = discovery.status
        var waiting = status.troubles
        if waiting.isEmpty { waiting = ["Looking for sessions. Ctrl-C stops."] }
        let view = NodesView(waiting: waiting, showsSessions: showsSessions)
        let entries = discovery.entries
        let now = discovery.now
        screen.draw { view.lines(entries, now: now, on: $0) }
    }
}
