import Glibc
import Potluck
import PotluckCore
import PotluckScreen

// What a node does when a host that it found has another join code.
extension SessionController {
    /// How long a node that came for one job waits for another host after a code was refused.
    private static let patienceAfterRefusal: Duration = .seconds(10)

    /// Leaves with an error if no host lets this node in soon. Only for a command that submits one job, because a
    /// script would wait for ever. In other cases users see the message and decide.
    func endUnlessLetIn() {
        Task { [weak self] in
            try? await Task.sleep(for: Self.patienceAfterRefusal)
            guard let self, !state.with(\.scene.wasConnected) else { return }
            state.with { state in
                state.ownJob = .failed(
                    nil,
                    state.scene.isOpen
                        ? "\(id.name) needs a join code; leave out --open and type the five words when asked"
                        : Self.wrongCode(id))
            }
            leave()
        }
    }

    static func wrongCode(_ id: SessionID) -> String {
        "wrong join code for \(id.name); check the five words on the host's screen and try again"
    }

    /// How the user can type other words, if the command that started this node asks for them again.
    func retyping(takesKeys: Bool) -> SessionScene.Retyping {
        guard asksAgain, isatty(STDIN_FILENO) == 1 else { return .startAgain }
        return takesKeys ? .key : hasScreen ? .startAgain : .line
    }

    /// Lets the user press `w` and Enter where there is no screen. Starts to read stdin only after a refusal, because
    /// until then typed text may be meant for the next program.
    func watchLines() {
        lines.with { lines in
            guard lines == nil, state.with({ $0.scene.takesOtherWords && $0.scene.retyping == .line }) else { return }
            lines = Keys { [weak self] key in
                guard let self, key == .character("w") || key == .character("W") else { return }
                askForOtherWords()
            }
        }
    }

    /// Leaves, so that the command can ask for other words and start another node.
    func askForOtherWords() {
        let may = state.with { state in
            state.wantsOtherWords = state.scene.takesOtherWords
            return state.wantsOtherWords
        }
        if may { leave() }
    }

    /// Why the words are asked for again, without the keys of the screen, which is gone; nil if nobody refused them.
    var refusal: String? { state.with(\.scene.refusal) }

    /// Whether the user wants to type other words and has not interrupted the program since.
    var wantsOtherWords: Bool { state.with(\.wantsOtherWords) && Interrupts.asked == nil }
}
