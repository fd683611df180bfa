import Glibc
import PotluckCore
import PotluckScreen
import PotluckSystem

/// The screen of `serve`, `join`, `peer`, `run` and `watch`, and its keys.
final class ClusterScreen: Sendable {
    private struct State {
        var view = ViewState()
        var picture: ClusterPicture
    }

    private let screen: Screen
    private let state: Guarded<State>
    private let keys = Guarded<Keys?>(nil)
    private let clock: BootClock

    /// Returns nil if no terminal can be drawn on.
    init?(orStdout: Bool, clock: BootClock) {
        guard let screen = Screen.find(orStdout: orStdout) else { return nil }
        self.screen = screen
        self.clock = clock
        state = Guarded(State(picture: ClusterPicture(takesKeys: false)))
    }

    /// The screen of a session. It uses stdout only if stdout is a terminal; a file or another program gets lines
    /// instead. An errand draws on stderr, because its result goes to stdout.
    convenience init?(of purpose: Purpose, isJSON: Bool, clock: BootClock) {
        guard purpose.isErrand || !isJSON && isatty(STDOUT_FILENO) == 1 else { return nil }
        self.init(orStdout: !isJSON && purpose.stdout == STDOUT_FILENO, clock: clock)
    }

    /// Starts to read keys. `act` is called for actions that the view cannot do itself. Returns whether keys can be
    /// read.
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

    /// Lets `write` print lines where the picture is. The next one is drawn below them.
    func printAbove(_ write: () -> Void) { screen.printAbove(write) }

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
