import Potluck
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckNet
import PotluckScreen
import PotluckSystem

/// Finds values for completions. The user waits for each answer with a finger on the Tab key, so nothing here may take
/// longer than a tenth of a second, and what fails offers nothing.
struct Lookup {
    private let asked: Completer.Asked
    private var arguments: Arguments { asked.arguments }

    init(_ asked: Completer.Asked) { self.asked = asked }

    func offer(_ noun: Values.Noun) async -> Offer {
        switch noun {
        case .simulation:
            Offer(catalogue.map { .init($0.name, $0.summary) }, files: .ending([".swift", ".py", ".wasm"]))
        case .parameter: parameters
        case .input: inputs
        case .session: await sessions
        case .servedSession: Offer((directory?.servedSessions ?? []).map { .init($0.session.name) })
        case .node: await nodes
        case .run: Offer((try? runs) ?? [])
        case .stoppedRun: await stoppedRuns
        }
    }

    // MARK: Simulations

    /// The simulation in the line.
    private var subject: String { arguments.texts(of: StartArguments.run.declaration).last ?? arguments[0] ?? "" }

    /// Parameters and their equals sign, or the values of the one that is being typed.
    private var parameters: Offer {
        guard let simulation = ParameterHint.simulation(subject) else {
            return Offer(ParameterHint.names(of: subject).map { .init($0 + "=") })
        }
        let given = Set(arguments.texts(of: RunPlan.parameter.declaration).map { String($0.prefix { $0 != "=" }) })
        guard let end = asked.typed.firstIndex(of: "=") else {
            let left = simulation.parameters.filter { !given.contains($0.label) }
            return Offer(left.map { .init($0.label + "=", "\($0.help): \($0.range)") })
        }
        let name = asked.typed[...end]
        let parameter = simulation.parameters.first { $0.label + "=" == name }
        return Offer((parameter?.choices ?? []).map { .init(name + $0) })
    }

    private var inputs: Offer {
        guard !asked.typed.contains("=") else { return Offer(files: .ending([])) }
        let inputs = ParameterHint.simulation(subject)?.inputs ?? []
        return Offer(inputs.map { .init($0.name.description + "=", $0.help.description) })
    }

    // MARK: Sessions

    private var directory: StateDirectory? { try? StateDirectory.find(arguments) }

    /// How long nodes have to answer. They answer a question within 20 ms.
    private static let listening = Duration.milliseconds(60)

    /// The nodes nearby, as they answer a question of the beacon.
    private var nearby: [NodeEntry] {
        get async {
            guard var options = try? DiscoveryArguments.read(arguments) else { return [] }
            options.usesMDNS = false
            let discovery = NetworkDiscovery(
                DiscoverySetup(node: Identity().node, scope: .everything, key: nil, seed: Machine.drawSeed()),
                options: options)
            try? await Task.sleep(for: Self.listening)
            defer { discovery.stop() }
            return discovery.entries
        }
    }

    private var sessions: Offer {
        get async {
            Offer(
                SessionList(await nearby).sessions.map {
                    .init($0.id.name, "on \($0.hosts.joined(separator: ", "))")
                })
        }
    }

    /// The nodes of the session in the line.
    private var nodes: Offer {
        get async {
            let name = arguments.texts(of: RunCommand.session.declaration).last ?? arguments[0]
            guard let session = name.flatMap({ SessionID($0) }) else { return Offer() }
            let names = await nearby.filter { $0.announcement.sessionHash == session.hash }.compactMap(
                \.announcement.name)
            return Offer(Set(names).sorted().map { .init($0) })
        }
    }

    // MARK: Runs

    /// How many runs are offered. A longer list would fill the screen.
    private static let mostRuns = 20

    private var runs: [Offer.Word] {
        get throws {
            guard let history = try StoreArguments.read(arguments) else { return [] }
            var query = HistoryQuery()
            query.limit = Self.mostRuns
            let runs = try history.list(query).map {
                Offer.Word("\($0.id)", "\($0.simulation), \(WallClock.text($0.startedAt))")
            }
            return runs.isEmpty ? [] : [Offer.Word("last", "the newest run")] + runs
        }
    }

    /// Runs that can be resumed, and sessions with a job that may be paused.
    private var stoppedRuns: Offer {
        get async {
            let runs = (try? KeptRunArguments.runs(arguments).ids) ?? []
            return Offer(runs.map { .init("\($0)", "a stopped run") } + (await sessions).words)
        }
    }
}

extension ParameterDescription {
    /// The values to choose from; empty for a number, of which there are too many.
    fileprivate var choices: [String] {
        switch domain {
        case .integer, .real: []
        case .choice(let names), .several(let names, _): names.map(\.description)
        case .flag: ["yes", "no"]
        }
    }
}
