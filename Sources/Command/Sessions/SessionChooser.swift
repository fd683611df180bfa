import Glibc
import Potluck
import PotluckCore
import PotluckNet
import PotluckScreen
import PotluckSystem

/// Lists the sessions nearby and lets the user choose one by number. Until then this machine joins and announces
/// nothing.
enum SessionChooser {
    enum Outcome {
        case chosen(SessionID, SessionsAround)
        case stopped
    }

    private struct Choice {
        var typed = ""
        var session: (id: SessionID, around: SessionsAround)?
    }

    static func choose(_ options: DiscoveryOptions) async throws -> Outcome {
        guard isatty(STDIN_FILENO) == 1, let screen = Screen.find(orStdout: true) else {
            throw UsageError("missing argument SESSION; usage: potluck join SESSION")
        }
        let discovery = NetworkDiscovery(
            DiscoverySetup(node: Identity().node, scope: .everything, key: nil, seed: Machine.drawSeed()),
            options: options)
        Interrupts.stop { discovery.stop() }
        let state = Guarded(Choice())
        let draw = { @Sendable in
            let list = SessionList(discovery.entries)
            let typed = state.with(\.typed)
            let troubles = discovery.status.troubles
            screen.draw { list.lines(typed: typed, troubles: troubles, on: $0) }
        }
        let keys = Keys { key in
            let sessions = SessionList(discovery.entries).sessions
            state.with { state in
                if let number = Typing.number(after: key, &state.typed, upTo: sessions.count) {
                    state.session = (sessions[number - 1].id, sessions[number - 1].around)
                }
            }
            if state.with({ $0.session != nil }) { discovery.stop() } else { draw() }
        }
        let drawing = Task.detached {
            while !Task.isCancelled {
                draw()
                try? await Task.sleep(for: .seconds(1))
            }
        }
        for await _ in discovery.changes() { draw() }
        drawing.cancel()
        keys?.end()
        screen.clear()
        Interrupts.stopAtOnce()
        return state.with(\.session).map { .chosen($0.id, $0.around) } ?? .stopped
    }
}

/// A numbered list of the sessions that can be joined.
struct SessionList {
    let sessions: [(id: SessionID, hosts: [String], nodes: Int, around: SessionsAround)]

    /// Lists sessions with a server or peer whose name is announced. They are sorted by name, so that numbers change
    /// seldom.
    init(_ entries: [NodeEntry]) {
        var found: [SessionID: (hosts: [String], nodes: Int)] = [:]
        var around: [SessionID: SessionsAround] = [:]
        for entry in entries {
            guard let id = entry.announcement.session else { continue }
            found[id, default: ([], 0)].nodes += 1
            around[id, default: SessionsAround()].add(entry)
            if entry.announcement.mode != .client {
                found[id, default: ([], 0)].hosts.append(entry.announcement.name ?? entry.node.short)
            }
        }
        sessions = found.filter { !$0.value.hosts.isEmpty }
            .map { ($0.key, $0.value.hosts.sorted(), $0.value.nodes, around[$0.key] ?? SessionsAround()) }
            .sorted { $0.id.name < $1.id.name }
    }

    func lines(typed: String, troubles: [String], on canvas: Canvas) -> [StyledLine] {
        let room = canvas.rows.map { max(2, $0 - 1) } ?? .max
        var lines =
            sessions.isEmpty
            ? [StyledLine("Looking for sessions nearby; none found yet.", .strong)]
            : [StyledLine("Sessions nearby:", .strong)]
        for (number, session) in sessions.enumerated() {
            let hosts = session.hosts.prefix(3).joined(separator: ", ") + (session.hosts.count > 3 ? ", …" : "")
            lines.append(
                StyledLine("\(number + 1)  \(session.id.name)  on \(hosts)\(session.around.isOpen ? ", open" : "")"))
        }
        var foot = troubles.map { StyledLine($0, .faint) }
        foot.append(
            StyledLine(
                sessions.isEmpty
                    ? "Ctrl-C cancels." : "Type a number and press Enter to join. Ctrl-C cancels.", .faint
            ))
        if !sessions.isEmpty { foot.append(StyledLine("> \(typed)", .strong)) }
        return Array((Array(lines.prefix(max(1, room - foot.count))) + foot).suffix(room))
    }
}
