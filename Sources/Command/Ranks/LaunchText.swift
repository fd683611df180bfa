import Potluck
import PotluckCore
import PotluckRanks

/// The notes about a launch, as lines for people.
enum LaunchText {
    static func note(_ note: SessionLaunch.Note, _ session: SessionID) -> String {
        switch note {
        case .waitingForLaptops: "Waiting for a laptop of \(session.name) that computes."
        case .placed(let shares):
            shares.map { "\($0.name): \($0.ranks == 1 ? "1 rank" : "\($0.ranks) ranks")" }.joined(separator: ", ")
        case .waiting(let names): "Waiting until \(NameList.text(names)) can begin."
        case .declined(let why): "\(why). The ranks go to the other laptops."
        case .noCheckpoint: "The program has no checkpoint, so it cannot start again."
        case .restarting(let fault, let checkpoint):
            "\(fault); starting again from checkpoint \(checkpoint), so lines since then are printed again"
        }
    }
}
