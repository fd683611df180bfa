import PotluckCore
import Testing

@testable import PotluckScreen

@Suite struct SessionViewTests {
    private let now = Instant.start + .seconds(75)

    private func draw(_ picture: SessionPicture, _ canvas: Canvas) -> [String] {
        let cluster = ClusterPicture(session: picture, takesKeys: false)
        return ClusterView(cluster, now: now, on: canvas).lines().map { $0.rendered(on: canvas) }
    }

    @Test func aServer() {
        let picture = SessionPicture(
            title: "Serving Monty: lab, port 7077",
            invitation: .words(command: "potluck join Monty", code: "maple-river-candle-ocean-tiger"),
            members: [
                .init(name: "bob", mode: .client, state: .suspect, since: .start + .seconds(70)),
                .init(name: "ana", mode: .client, state: .connected, since: .start, roundTrip: .microseconds(1250)),
            ], waiting: ["Ctrl-C ends the session."], questions: [], news: [.init("ana: hello")])
        #expect(
            draw(picture, Canvas(columns: 80, rows: 24, unicode: true, colour: false)) == [
                "Serving Monty: lab, port 7077",
                "To join, run potluck join Monty and type these words:",
                "",
                "    maple   river   candle   ocean   tiger",
                "",
                "1 node connected",
                "name  state               mode    round trip  for",
                "bob   lost, reconnecting  client              5 s",
                "ana   connected           client  1.3 ms      1 min 15 s",
                "ana: hello",
                "Ctrl-C ends the session.",
            ])
    }

    /// If there is little room, the newest message is shown from its beginning, and no other message is shown in part.
    @Test func newsAreNotCutAtTheirBeginning() {
        let long = "begins bob is lost, and whatever he had in hand goes to others as soon as they ask for more of it"
        for rows in 3...24 {
            for columns in [30, 60, 200] {
                let canvas = Canvas(columns: columns, rows: rows, unicode: true, colour: false)
                let picture = SessionPicture(
                    title: "Monty", invitation: nil, members: [], waiting: ["Waiting."], questions: [],
                    news: [.init(long), .init(long), .init("begins ana: hello")])
                let lines = draw(picture, canvas)
                let first = lines.dropFirst().first
                #expect(first == "Waiting." || first == nil || first?.hasPrefix("begins ") == true, "\(lines)")
            }
        }
    }

    /// Any session fits any terminal, and a table never displaces a question.
    @Test func anySessionFitsAnyTerminal() {
        let states: [PeerState] = [.connected, .suspect, .available, .connecting(.ourUser), .connecting(.link)]
        for columns in 1...100 {
            for rows in [4, 12, 24] {
                let canvas = Canvas(columns: columns, rows: rows, unicode: columns.isMultiple(of: 2), colour: false)
                let picture = SessionPicture(
                    title: "Monty", invitation: columns.isMultiple(of: 3) ? .open(command: "potluck join Monty") : nil,
                    members: (0..<columns % 40).map {
                        .init(name: "node \($0) 中文", mode: .client, state: states[$0 % states.count], since: .start)
                    }, waiting: ["Waiting."], questions: ["ana asks to join: y or n."],
                    news: (0..<columns % 20).map { .init("news \($0)") })
                let lines = draw(picture, canvas)
                #expect(lines.count < rows)
                #expect(lines.allSatisfy { Cells.width(of: $0) <= columns })
                if columns >= 25 { #expect(lines.last == "ana asks to join: y or n.") }
            }
        }
    }
}
