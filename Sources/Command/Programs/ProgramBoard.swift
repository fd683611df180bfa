import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// The programs with ranks of a session, as a node or a viewer knows them. No event tells that news stay away, so the
/// board looks at the clock as long as there are programs.
final class ProgramBoard: Sendable {
    private struct State {
        var programs = ProgramsInSight()
        /// Looks at the clock; nil while no program is in sight.
        var watch: Task<Void, Never>?
        var isOver = false
    }

    private let state = Guarded(State())
    private let clock = BootClock()

    /// The times on the screen change once a second.
    private static let beat = Duration.seconds(1)

    /// The programs in sight.
    var inSight: ProgramsInSight { state.with(\.programs) }

    /// Whether a program is running, as far as anybody knows.
    var isRunning: Bool { state.with { $0.programs.isRunning(at: clock.now) } }

    /// The latest pictures of the programs that run, for a new viewer.
    var story: [FeedProgram] {
        state.with { $0.programs.story(at: clock.now) }.map {
            FeedProgram(launch: $0.launch, show: $0.show, age: $0.age)
        }
    }

    /// Takes a picture of a program. Returns the news in it. From then on `onBeat` is called every second with the news
    /// that came without a picture, until no program is in sight.
    func take(_ program: FeedProgram, onBeat: @escaping @Sendable ([ProgramNews]) -> Void) -> [ProgramNews] {
        let now = clock.now
        return state.with { state in
            let lost = state.programs.pass(to: now)
            let news = state.programs.take(program.launch, program.show, at: now + (.zero - program.age))
            if state.watch == nil, !state.isOver, !state.programs.isEmpty { state.watch = watch(onBeat) }
            return lost + news
        }
    }

    private func watch(_ onBeat: @escaping @Sendable ([ProgramNews]) -> Void) -> Task<Void, Never> {
        Task.detached { [weak self] in
            while true {
                try? await Task.sleep(for: Self.beat)
                guard let self, !Task.isCancelled else { return }
                let (news, isLast) = state.with { state in
                    let news = state.programs.pass(to: self.clock.now)
                    let isLast = state.programs.isEmpty
                    if isLast { state.watch = nil }
                    return (news, isLast)
                }
                onBeat(news)
                if isLast { return }
            }
        }
    }

    /// Stops looking at the clock.
    func end() {
        state.with { state in
            state.isOver = true
            state.watch?.cancel()
        }
    }
}
