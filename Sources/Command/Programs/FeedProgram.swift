import PotluckCore
import PotluckRanks

/// A picture of a program with ranks, as a node tells it to viewers on the same machine.
struct FeedProgram: Sendable, Equatable {
    let launch: UInt64
    let show: RankShow
    /// How long ago the node got the picture.
    let age: Duration

    init(launch: UInt64, show: RankShow, age: Duration = .zero) {
        (self.launch, self.show, self.age) = (launch, show, age)
    }

    var message: LocalMessage {
        .program(RankFrame(launch: launch, content: .show(RankItem.show(show).encoded())), age: age)
    }

    /// Returns nil if the frame has no such picture.
    init?(_ frame: RankFrame, age: Duration) {
        guard case .show(let octets) = frame.content, case .show(let show)? = try? RankItem(octets[...]) else {
            return nil
        }
        self.init(launch: frame.launch, show: show, age: age)
    }
}
