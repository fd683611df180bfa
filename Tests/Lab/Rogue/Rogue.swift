import Glibc
import Potluck
import PotluckCore
import PotluckKit

/// Dishonest or faulty nodes. The lab shows how sessions handle them.
///
///     rogue lie SESSION         joins the session, and sometimes sends a wrong result
///     rogue mood SESSION        joins the session, and computes a simulation with hidden state
///     rogue serve SESSION       serves the session, and starts a job of that simulation
///     rogue announce SESSION [--name NAME] [--hidden] [--interface NAME] [--no-mdns] [--no-beacon]
///                               announces a node that takes no part in the session
///     rogue bait SESSION GUESTS FILE...   serves the session, and gives these modules to so many guests
@main
enum Rogue {
    static func main() async throws {
        let words = CommandLine.arguments
        if words.count > 2, words[1] == "announce" { try Announcer.run(words[2], Array(words[3...])) }
        guard let text = getenv("POTLUCK_CODE") else { fail("POTLUCK_CODE is missing") }
        let code = try JoinCode(typed: String(cString: text))
        if words.count > 4, words[1] == "bait", let guests = Int(words[3]) {
            let files = words[4...].compactMap { path in BaitServer.octets(path).map { (path, $0) } }
            return try await BaitServer(words[2], .code(code), guests: guests, files: files).run()
        }
        guard words.count == 3 else {
            fail("rogue lie|mood|serve|announce SESSION, or rogue bait SESSION GUESTS FILE...")
        }
        let simulation = words[1] == "lie" ? Lie.simulation : Mood.simulation
        let session = try await Session.start(
            words[2], name: words[1], mode: words[1] == "serve" ? .server : .client, access: .code(code),
            computing: Computing(Simulations([simulation]), cores: 1, priority: .normal))
        say("started")
        if words[1] == "serve" {
            let experiment = try simulation.experiment(parameters: simulation.standardParameters, seed: 1)
            var order = JobOrder(JobRecipe(experiment: experiment, goal: Goal(trials: 1_000_000_000_000)))
            order.workers = 2
            _ = try await session.submit(order)
        }
        for await event in session.events {
            switch event {
            case .peer(let peer): say("peer", ["node": "\(peer.node)", "state": "\(peer.state)"])
            case .job(.failed(_, let why)): say("failed", ["why": "\(why)"])
            case .job(.finished): say("result")
            case .ended(let end): say("ended", ["why": "\(end)"])
            default: break
            }
        }
    }

    /// Prints an event with its time, as a line of JSON for the lab.
    static func say(_ event: String, _ members: KeyValuePairs<String, String> = [:]) {
        let rest = members.map { (key: $0.key, value: JSON.string($0.value)) }
        try? Output.write(JSON.object(NodeJSON.start(event) + rest).text + "\n")
    }

    static func fail(_ text: String) -> Never {
        Output.complain(text)
        leave(.usage)
    }
}
