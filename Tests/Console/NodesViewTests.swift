import PotluckCore
import Testing

@testable import PotluckScreen

@Suite struct NodesViewTests {
    private func entry(
        _ octet: UInt8, _ name: String?, session: String? = "Monty", standing: NodeEntry.Standing = .present,
        sources: [Sighting.Source] = [.beacon], addresses: Int = 1
    ) -> NodeEntry {
        let announcement = Announcement(
            node: NodeID(firstOctetsOf: [UInt8](repeating: octet, count: 16)), mode: .peer,
            sessionHash: SessionHash(firstOctetsOf: [UInt8](repeating: session == "Pi" ? 2 : 1, count: 8)),
            session: session.flatMap { SessionID($0) }, name: name, port: 7077)
        return NodeEntry(
            announcement: announcement, standing: standing, trust: .unverified, sources: sources,
            host: sources == [.beacon] ? nil : "\(name ?? "x").local", sameMachine: false,
            endpoints: (0..<addresses).compactMap { Endpoint(octets: [10, 0, UInt8($0), octet], port: 7077) },
            since: .start)
    }

    private let now = Instant.start + .seconds(75)
    private let view = NodesView(waiting: ["Looking."], showsSessions: true)

    private func draw(_ entries: [NodeEntry], _ canvas: Canvas) -> [String] {
        view.lines(entries, now: now, on: canvas).map { $0.rendered(on: canvas) }
    }

    @Test func aRoom() {
        let canvas = Canvas(columns: 120, rows: 24, unicode: true, colour: false)
        let entries = [
            entry(3, "bob", session: "Pi", standing: .unconfirmed, sources: [.mdns]),
            entry(2, nil, session: nil, standing: .suspect), entry(1, "ana", sources: [.beacon, .mdns], addresses: 3),
        ]
        #expect(
            draw(entries, canvas) == [
                "3 nodes in 2 sessions",
                "session  name      mode  host       address                   seen by       for",
                "Monty    02020202  peer             10.0.0.2:7077             beacon        1 min 15 s  silent, checking",
                "Monty    ana       peer  ana.local  10.0.0.1:7077 and 2 more  beacon, mDNS  1 min 15 s",
                "Pi       bob       peer  bob.local  10.0.0.3:7077             mDNS          1 min 15 s  unconfirmed",
                "Looking.",
            ])
    }

    @Test func nobody() {
        let canvas = Canvas(columns: 40, rows: 24, unicode: true, colour: false)
        #expect(draw([], canvas) == ["No nodes found yet.", "Looking."])
    }

    /// Any list of nodes fits any terminal, and the name is never left out.
    @Test func anyRoomFitsAnyTerminal() {
        for columns in 1...120 {
            for rows in [4, 10, 24] {
                let canvas = Canvas(columns: columns, rows: rows, unicode: columns.isMultiple(of: 2), colour: false)
                let entries = (1...(columns % 13 + 1)).map {
                    entry(
                        UInt8($0), "node \($0) 中文", session: $0.isMultiple(of: 3) ? "Pi" : "Monty",
                        standing: $0.isMultiple(of: 2) ? .present : .suspect, addresses: $0)
                }
                let lines = draw(entries, canvas)
                #expect(lines.count < rows)
                #expect(lines.allSatisfy { Cells.width(of: $0) <= columns })
                if columns >= 20, rows == 24, entries.count < 3 {
                    #expect(
                        entries.allSatisfy { entry in
                            lines.contains { $0.contains("node \(entry.node.octets[0])") }
                        })
                }
            }
        }
    }
}
