import Glibc
import PotluckConsole
import PotluckModel
import PotluckSystem

/// The screen that `serve`, `join`, `peer`, `run` and `watch` draw on, and the keys pressed before it.
final class ClusterScreen: Sendable {
    private struct State {
        var view = ViewState()
        var picture: ClusterPicture
    }

    private let screen: Screen
    private let state: Guarded<State>
    private let keys = Guarded<Keys?>(nil)
    private let clock: BootClock

    /// Nil where there is no terminal that can be drawn on.
    init?(orStdout: Bool, clock: BootClock) {
        guard let screen = Screen.find(orStdout: orStdout) else { return nil }
        self.screen = screen
        self.clock = clock
        state = Guarded(State(picture: ClusterPicture(takesKeys: false)))
    }

    /// The screen of a session. It takes stdout's place only where stdout is a terminal; a file or a program gets lines. An
    /// errand's result goes to stdout, and the screen to stderr.
    convenience init?(of purpose: Purpose, isJSON: Bool, clock: BootClock) {
        guard purpose.isErrand || !isJSON && isatty(STDOUT_FILENO) == 1 else { return nil }
        self.init(orStdout: !isJSON && purpose.stdout == STDOUT_FILENO, clock: clock)
    }

    /// From now on keys are looked at; `act` does what the view cannot do itself.
    func watchKeys(_ act: @escaping @Sendable (ViewAction) -> Void) -> Bool {
        let new = Keys { [weak self] key in
            guard let self else { return }
            let action = press(key)
            switch action {
            case .repaint?: screen.repaint()
            case let action?: act(action)
            case nil: break
            }
            draw()
        }
        keys.with { $0 = new }
        return new != nil
    }

    private func press(_ key: ViewKey) -> ViewAction? {
        let canvas = screen.canvas
        let now = clock.now
        return state.with { state in state.view.press(key, on: ClusterView(state.picture, now: now, on: canvas)) }
    }

    func show(_ picture: ClusterPicture) {
        state.with { $0.picture = picture }
        draw()
    }

    private func draw() {
        let now = clock.now
        let state = state
        screen.draw { canvas in
            state.with { ClusterView($0.picture, now: now, on: canvas).lines($0.view) }
        }
    }

    func end() {
        keys.with { keys in
            keys?.end()
            keys = nil
        }
        screen.clear()
    }
}
