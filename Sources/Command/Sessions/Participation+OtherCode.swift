import Glibc
import Potluck
import PotluckConsole
import PotluckModel

// What becomes of a node that met somebody with another code.
extension Participation {
    /// How long an errand looks on after somebody had another code than it has.
    private static let patienceAfterRefusal: Duration = .seconds(10)

    /// Somebody has another code. People look at that and decide; what was started for one job alone ends, if nobody else lets
    /// it in soon: a script would wait for ever.
    func endUnlessLetIn() {
        Task { [weak self] in
            try? await Task.sleep(for: Self.patienceAfterRefusal)
            guard let self, !state.with(\.scene.wasConnected) else { return }
            state.with { state in
                state.errand = .failed(
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

    /// How whoever sits here can give other words, where whoever started this node asks for them then.
    func retyping(takesKeys: Bool) -> SessionScene.Retyping {
        guard asksAgain, isatty(STDIN_FILENO) == 1 else { return .startAgain }
        return takesKeys ? .key : hasScreen ? .startAgain : .line
    }

    /// Without a screen `w` and Enter do what the key does. What is typed is looked at only from a refusal on: until then it is
    /// for whatever comes after this program.
    func watchLines() {
        lines.with { lines in
            guard lines == nil, state.with({ $0.scene.takesOtherWords && $0.scene.retyping == .line }) else { return }
            lines = Keys { [weak self] key in
                guard let self, key == .character("w") || key == .character("W") else { return }
                askForOtherWords()
            }
        }
    }

    /// This node leaves, and another one looks for the session with what is typed then.
    func askForOtherWords() {
        let may = state.with { state in
            state.wantsOtherWords = state.scene.takesOtherWords
            return state.wantsOtherWords
        }
        if may { leave() }
    }

    /// Whether the user wants to type other words, and has not asked the program to stop since.
    var wantsOtherWords: Bool { state.with(\.wantsOtherWords) && Interrupts.asked == nil }
}
