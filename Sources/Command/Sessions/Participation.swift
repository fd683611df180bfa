import Glibc
import Potluck
import PotluckConsole
import PotluckModel
import PotluckSystem

/// A node that takes part in a session, from its start to its end, shown on the terminal or told line by line.
final class Participation: Sendable {
    private let session: Session
    private let id: SessionID
    private let scene: Guarded<SessionScene>
    private let clock = BootClock()
    private let isJSON: Bool
    private let screen: Screen?

    init(
        _ session: Session, id: SessionID, mode: Mode, invitation: SessionPicture.Invitation? = nil, isJSON: Bool
    ) {
        self.session = session
        self.id = id
        self.isJSON = isJSON
        scene = Guarded(SessionScene(session: session, id: id.name, mode: mode, invitation: invitation))
        // The table takes stdout's place only where stdout is a terminal; a file or a program gets lines.
        screen = isJSON || isatty(STDOUT_FILENO) != 1 ? nil : Screen.find(orStdout: true)
    }

    /// Until the session is over.
    func run(_ directory: StateDirectory) async throws -> ExitCode {
        Interrupts.stop { [session] in Task { await session.leave() } }
        let door = try ControlDoor(directory, id) { [weak self] request in
            await self?.answer(request) ?? .refused("it ends just now")
        }
        defer { door.close() }
        let keys = screen == nil ? nil : Keys { [weak self] key in self?.pressed(key) }
        let drawing = Task.detached { [weak self] in
            // Besides at each event: the times go on.
            while let self, !Task.isCancelled {
                if screen != nil {
                    let times = await session.roundTrips
                    scene.with { $0.roundTrips = times }
                    draw()
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
        defer {
            drawing.cancel()
            screen?.clear()
            withExtendedLifetime(keys) {}
        }
        if isJSON {
            try Output.write(SessionJSON.begun(session, id: id.name, mode: scene.with(\.mode)).text + "\n")
        } else if screen == nil {
            try tell(scene.with { $0.picture(troubles: []).title })
            try tell(scene.with(\.waiting))
        }
        var end = SessionEnd.left
        var waiting = scene.with(\.waiting)
        for await event in session.events {
            if case .ended(let how) = event { end = how }
            let (news, wait) = scene.with { ($0.take(event, at: clock.now), $0.waiting) }
            if isJSON {
                try Output.write(scene.with { SessionJSON.value(event, scene: $0) }.text + "\n")
            } else if screen == nil {
                if let news { try tell(news.text) }
                if wait != waiting { try tell(wait) }
            } else {
                draw()
            }
            waiting = wait
        }
        return try conclude(end)
    }

    private func tell(_ text: String) throws {
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        try Output.write(canvas.text([Line(text)]))
    }

    private func draw() {
        let troubles = session.reach?.troubles ?? []
        let picture = scene.with { $0.picture(troubles: troubles) }
        screen?.draw { SessionView.lines(picture, now: clock.now, on: $0) }
    }

    private func conclude(_ end: SessionEnd) throws -> ExitCode {
        switch end {
        case .left: return Interrupts.asked ?? .success
        case .removed: throw Failure(message: "the host of \(id.name) removed this node")
        case .declined: throw Failure(message: "the host of \(id.name) did not let this node in")
        case .wrongCode:
            throw Failure(
                message: "wrong join code for \(id.name): look at the five words on the host's screen and try again")
        }
    }

    // MARK: Keys

    private func pressed(_ key: Character) {
        let (accepted, declined, chosen) = scene.with { scene -> ([NodeID], [NodeID], NodeID?) in
            guard scene.choice.isEmpty else { return ([], [], Self.choose(key, &scene)) }
            let newcomers = scene.newcomers.map(\.node)
            switch key {
            case "y", "Y": return (Array(newcomers.prefix(1)), [], nil)
            case "a", "A": return (newcomers, [], nil)
            case "n", "N": return ([], Array(newcomers.prefix(1)), nil)
            default: return ([], [], nil)
            }
        }
        Task { [session] in
            for node in accepted { await session.accept(node) }
            for node in declined { await session.decline(node) }
            if let chosen { await session.choose(chosen) }
        }
        draw()
    }

    private static func choose(_ key: Character, _ scene: inout SessionScene) -> NodeID? {
        let choice = scene.choice
        return Typing.number(after: key, &scene.typed, upTo: choice.count).map { choice[$0 - 1].node }
    }

    // MARK: Other commands

    private func answer(_ request: ControlRequest) async -> ControlAnswer {
        let (names, mode) = scene.with { ($0.names, $0.mode) }
        switch request {
        case .say(let text, let name):
            guard !names.isEmpty else { return .refused("nobody is connected to \(id.name) here just now") }
            guard text.utf8.count <= Session.maximumText else {
                return .refused("the text has \(text.utf8.count) octets, and \(Session.maximumText) are possible")
            }
            var recipients = Recipients.everyone
            if let name {
                switch NameFinder.find(name, among: names) {
                case .nobody(let reason): return .refused(reason)
                case .found(let node): recipients = .some([node])
                }
            }
            await session.say(text, to: recipients)
            scene.with { $0.add(.init("you: \(text)")) }
            draw()
            return .done(
                name.map { "said to \($0)" } ?? "said to \(names.count == 1 ? "1 node" : "\(names.count) nodes")")
        case .kick(let name):
            guard mode != .client else {
                return .refused("only the host of \(id.name) can do that, and the node on this machine is a guest")
            }
            switch NameFinder.find(name, among: names) {
            case .nobody(let reason): return .refused(reason)
            case .found(let node):
                await session.remove(node)
                return .done("\(names[node] ?? name) is out; whoever comes from there again must be let in by hand")
            }
        }
    }
}

/// A number typed key by key.
enum Typing {
    /// The number, once Enter was pressed after one from 1 on.
    static func number(after key: Character, _ typed: inout String, upTo most: Int) -> Int? {
        switch key {
        case "0"..."9" where typed.count < 4: typed.append(key)
        case "\u{7f}", "\u{8}": _ = typed.popLast()
        case "\n", "\r":
            defer { typed = "" }
            return Int(typed).flatMap { (1...max(1, most)).contains($0) && most > 0 ? $0 : nil }
        default: break
        }
        return nil
    }
}
