import Potluck
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
}
