import Potluck
import PotluckCore
import PotluckRanks
import PotluckScreen

/// What a node shows of the programs with ranks in its session.
extension SessionController {
    /// Passes a picture to the viewers on this machine and to the page. Returns the lines to print.
    func took(_ launch: UInt64, _ show: RankShow) throws -> [String] {
        let program = FeedProgram(launch: launch, show: show)
        feeds.send(program)
        let news = programs.take(program) { [weak self] news in self?.tell(news) }
        tellPagePrograms()
        try writeLost(news)
        return lines(news)
    }

    /// Passes on news that came without a picture.
    private func tell(_ news: [ProgramNews]) {
        tellPagePrograms()
        let lines = lines(news)
        try? writeLost(news)
        if !hasScreen, !isJSON { for line in lines { try? say(line) } }
    }

    /// A picture has a line of its own, but one that stays away has none.
    private func writeLost(_ news: [ProgramNews]) throws {
        guard isJSON, !task.isSubmitOnly else { return }
        for case .lost(let launch, let show) in news { try write(ProgramJSON.lost(launch, show)) }
    }

    /// Adds to the news what the screen does not show anyway. Returns the lines for where there is no screen.
    private func lines(_ news: [ProgramNews]) -> [String] {
        for news in news where news.isEnd { state.with { $0.scene.add(.init(news.words, news.ink)) } }
        return news.map(\.words)
    }

    private func tellPagePrograms() {
        guard let page else { return }
        page.gateway.show(programs.inSight.pictures(at: clock.now))
        tellMembers(page)
    }
}
