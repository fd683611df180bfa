import Foundation
import Glibc
import Testing

/// Searches in a session: the best solution and the digest are those of one machine.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SearchSessionTests {
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
        for node in [ana, bob, server] { end(node.child) }
    }
}
