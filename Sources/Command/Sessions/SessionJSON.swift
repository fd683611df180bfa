import Potluck
import PotluckCore
import PotluckScreen

/// Events of a session as JSON for other programs, one object per line.
enum SessionJSON {
    private typealias Members = [(key: String, value: JSON)]

    /// The first line: this node's name, ID, mode and port, and the address of the page.
    static func begun(_ session: Session, id: String, _ scene: SessionScene, page: String?) -> JSON {
        .object(
            NodeJSON.start("started") + [
                ("session", .string(id)), ("mode", .string("\(scene.mode)")), ("node", .string("\(session.node)")),
                ("name", .string(session.name)), ("port", JSON(Int(session.port))), ("open", JSON(scene.isOpen)),
            ] + (page.map { [("page", .string($0))] } ?? []))
    }

    /// `solution` is the best one by now if the event is about a search.
    static func value(_ event: Session.Event, scene: SessionScene, solution: [UInt8]?) -> JSON {
        let (name, members) = parts(event, scene, solution)
        return .object(NodeJSON.start(name) + members)
    }

    private static func parts(
        _ event: Session.Event, _ scene: SessionScene, _ solution: [UInt8]?
    ) -> (String, Members) {
        switch event {
        case .peer(let peer): ("peer", members(peer))
        case .request(let request): ("request", members(request.peer))
        case .approved(let nodes): ("approved", [("nodes", JSON(nodes.map { .string("\($0)") }))])
        case .message(let message):
            ("message", sender(message.sender, scene) + [("octets", JSON(message.octets.count))])
        case .said(let text, let from): ("said", sender(from, scene) + [("text", .string(text))])
        case .roster(let entries):
            (
                "roster",
                [
                    (
                        "nodes",
                        JSON(
                            entries.map { entry in
                                [
                                    "node": .string("\(entry.node)"), "name": .string(entry.name),
                                    "mode": .string("\(entry.mode)"), "connected": JSON(entry.isConnected),
                                ]
                            })
                    )
                ]
            )
        case .role(let role): ("role", [("role", .string("\(role)"))])
        case .choice(let peers): ("choice", [("servers", JSON(peers.map { .object(members($0)) }))])
        case .turnedAway(let endpoint, let refusal):
            ("turnedAway", [("address", .string(endpoint.host)), ("why", .string("\(refusal)"))])
        case .trouble(let trouble): ("trouble", [("text", .string(scene.words(trouble)))])
        case .job(let event): JobJSON.parts(event, solution: solution)
        case .program(let launch, let show): ProgramJSON.parts(launch, show)
        case .ended(let end): ("ended", [("why", .string("\(end)"))])
        }
    }

    private static func members(_ peer: Peer) -> Members {
        [
            ("node", .string("\(peer.node)")), ("name", .string(peer.name)),
            ("displayName", .string(peer.displayName)), ("mode", .string("\(peer.mode)")),
            ("cores", JSON(peer.cores)), ("state", .string(state(peer.state))),
        ]
    }

    private static func sender(_ node: NodeID, _ scene: SessionScene) -> Members {
        [("from", .string("\(node)")), ("name", .string(scene.name(node)))]
    }

    /// The state as one word for other programs.
    private static func state(_ state: PeerState) -> String {
        switch state {
        case .available: "available"
        case .connecting(.link): "connecting"
        case .connecting(.theirHost): "asking"
        case .connecting(.ourUser): "waiting"
        case .connected: "connected"
        case .suspect: "suspect"
        case .gone: "gone"
        }
    }
}
