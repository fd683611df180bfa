import Glibc
import PotluckCore
import PotluckScreen
import PotluckSystem

/// The screen of `serve`, `join`, `peer`, `run` and `watch`, and its keys.
package final class ClusterScreen: Sendable {
    private struct State {
        var view = ViewState()
        var picture: ClusterPicture
    }

    private let screen: Screen
    private let state: Guarded<State>
    private let keys = Guarded<Keys?>(nil)
    private let clock: BootClock

    /// Returns nil if no terminal can be drawn on.
    package init?(orStdout: Bool, clock: BootClock) {
        guard let screen = Screen.find(orStdout: orStdout) else { return nil }
        self.screen = screen
        self.clock = clock
        state = Guarded(State(picture: ClusterPicture(takesKeys: false)))
    }

    /// Starts to read keys. `act` is called for actions that the view cannot do itself. Returns whether keys can be
    /// read.
    package func watchKeys(_ act: @escaping @Sendable (ViewAction) -> Void) -> Bool {
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

    package func show(_ picture: ClusterPicture) {
        state.with { $0.picture = picture }
        draw()
    }

    /// Lets `write` print lines where the picture is. The next one is drawn below them.
    package func printAbove(_ write: () -> Void) { screen.printAbove(write) }

    private func draw() {
        let now = clock.now
        let state = state
        screen.draw { canvas in
            state.with { ClusterView($0.picture, now: now, on: canvas).lines($0.view) }
        }
    }

    package func end() {
        keys.with { keys in
            keys?.end()
            keys = nil
        }
        screen.clear()
    }
}
