import Glibc
import Potluck
import PotluckCore
import PotluckScreen

/// What the keys of the screen do.
extension SessionController {
    func act(_ action: ViewAction) {
        switch action {
        // Without the result of the submitted job, quitting is an interruption.
        case .quit where task.isSubmitOnly: Interrupts.ask(with: SIGINT)
        case .quit: leave()
        case .repaint: break
        case .answer(let key): answer(key)
        case .otherWords: askForOtherWords()
        case .say(let text):
            Task {
                guard case .refused(let why) = await say(text, to: nil) else { return }
                state.with { $0.scene.add(.init(why, .warning)) }
            }
        case .door(let door):
            state.with { state in
                state.door = door
                state.scene.add(.init(door == .open ? "others can join again" : "nobody new can join"))
            }
            Task { await session.setAvailable(door == .open) }
        case .command(let command, let jobs):
            for job in jobs {
                let ticket = state.with { $0.own[job] }
                Task {
                    do throws(JobError) {
                        try await session.command(command, job, ticket: ticket)
                    } catch {
                        state.with { $0.scene.add(.init(error.description, .warning)) }
                    }
                }
            }
        }
    }

    /// What the key q does.
    var leaving: ClusterPicture.Leaving {
        if task.isSubmitOnly { return .detaches }
        return state.with(\.scene.mode) == .server ? .ends : .leaves
    }

    private func answer(_ key: ViewKey) {
        let (accepted, declined, chosen) = state.with { state -> ([NodeID], [NodeID], NodeID?) in
            guard state.scene.choice.isEmpty else { return ([], [], Self.choose(key, &state.scene)) }
            let newcomers = state.scene.newcomers.map(\.node)
            switch key {
            case .character("y"), .character("Y"): return (Array(newcomers.prefix(1)), [], nil)
            case .character("a"), .character("A"): return (newcomers, [], nil)
            case .character("n"), .character("N"): return ([], Array(newcomers.prefix(1)), nil)
            default: return ([], [], nil)
            }
        }
        Task { [session] in
            for node in accepted { await session.accept(node) }
            for node in declined { await session.decline(node) }
            if let chosen { await session.choose(chosen) }
        }
    }

    private static func choose(_ key: ViewKey, _ scene: inout SessionScene) -> NodeID? {
        let choice = scene.choice
        return Typing.number(after: key, &scene.typed, upTo: choice.count).map { choice[$0 - 1].node }
    }
}
