import Foundation
import Glibc
import Testing

/// Searches in a session: the best solution and the digest are those of one machine.
@Suite(.serialized, .timeLimit(.minutes(60))) struct SearchSessionTests {
    private let room = Laptops()

    /// The names of 26 airports are longer than what the title of a job has room for.
    private static let airports =
        "ACC,ADD,AKL,ALA,AMS,ANC,ARN,ATH,ATL,BCN,BKK,BOG,BOM,CAI,CDG,CGK,CMB,CMN,CPT,DEL,DEN,DSS,DXB,EZE,FRA,GRU"

    @Test(arguments: [
        "run tsp -p cities=11 -p bound=cost --json", "run golomb -p marks=8 --json",
        "run tsp -p airports=\(airports) --json",
    ])
    func theBestIsThatOfOneMachine(line: String) throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        let (ana, bob) = (try room.node("join Monty", "ana"), try room.node("join Monty", "bob"))
        for guest in [ana, bob] { guest.reader.read { $0.contains("\"state\":\"connected\"") } }
        let alone = try room.run("\(line) --ephemeral", "eve")
        let together = try room.run("\(line) --session Monty --wait-for 3", "eve")
        #expect(together.code == 0, "\(together.stderr)")
        let (one, all) = (try object(alone.stdout), try object(together.stdout))
        let digest = try #require(one["digest"] as? String)
        #expect(all["digest"] as? String == digest)
        // The submitter and all nodes of the session get the solution, too.
        let solution = try #require(one["solution"] as? String)
        #expect(all["solution"] as? String == solution)
        for node in [ana, bob, server] {
            let text = node.reader.read { $0.contains("\"event\":\"result\"") && $0.hasSuffix("\n") }
            let line = try #require(text.split(separator: "\n").last { $0.contains("\"event\":\"result\"") })
            let result = try #require(try object(line)["result"] as? [String: Any])
            #expect(result["solution"] as? String == solution)
        }
        for node in [ana, bob, server] { end(node.child) }
    }

    /// A visitor sees the route drawn, also through a node on the same machine and with cities of a file.
    @Test func aVisitorSeesTheRoute() throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cities/burma14.tsp").path
        for (line, laptop) in [
            ("run tsp -p cities=8", "eve"), ("run tsp -p cities=8", "lab"), ("run tsp --input cities=\(file)", "eve"),
            ("run tsp --input cities=\(file)", "lab"),
        ] {
            let environment = room.environment(laptop).merging(["LC_ALL": "C.UTF-8"]) { $1 }
            let alone = try EndToEndTests().run("\(line) --ephemeral", environment: environment)
            let shown = try EndToEndTests().run("\(line) --session Monty", environment: environment)
            #expect(shown.code == 0, "\(shown.stderr)")
            func solution(_ text: String) -> [Substring] {
                text.split(separator: "\n", omittingEmptySubsequences: false)
                    .drop { !$0.hasPrefix("  1 ") }.prefix { !$0.hasPrefix("  given") }
            }
            #expect(solution(shown.stdout).count > 1 && solution(shown.stdout) == solution(alone.stdout))
        }
        end(server.child)
    }

    /// A node that does not compute a search shows the best solution so far, too.
    @Test func aNodeWithoutCoresShowsTheBestSoFar() throws {
        let words = "serve Monty --no-compute --name lab --json --run tsp -p cities=20 -p bound=cost"
        let output = Pipe()
        let server = try room.start(words.split(separator: " ").map(String.init), "lab", output)
        let ana = try room.node("join Monty", "ana")
        let text = output.reader.read { $0.contains("\"solution\":\"") && $0.hasSuffix("\n") }
        #expect(text.contains("\"expanded\":") && !text.contains("\"event\":\"result\""))
        #expect(try room.run("cancel Monty", "lab").code == 0)
        output.reader.read { $0.contains("\"event\":\"result\"") }
        end(ana.child, server)
    }
}
