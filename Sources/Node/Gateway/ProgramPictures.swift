import PotluckCore
import PotluckNet
import PotluckScreen

// Turns a node's knowledge of a program with ranks into the picture on a page.
extension PageProgram {
    /// Returns the picture with as much as fits in its part of a message.
    static func fitting(_ picture: ProgramPicture) -> PageProgram {
        let most = GatewayLimits.picture / ProgramsInSight.most
        var laptops = GatewayLimits.laptops
        var program = PageProgram(picture, laptops: laptops, showsRanks: picture.size <= GatewayLimits.ranks)
        while laptops > 0, program.json.text.utf8.count > most {
            laptops /= 2
            program = PageProgram(picture, laptops: laptops, showsRanks: false)
        }
        return program
    }

    private init(_ picture: ProgramPicture, laptops most: Int, showsRanks: Bool) {
        // The last known states of the ranks are outdated once the program is not running.
        let laptops = picture.state == .running ? picture.laptops : []
        self.init(
            name: picture.name, launcher: picture.launcher, state: State(picture.state), detail: picture.detail,
            facts: picture.facts,
            laptops: laptops.prefix(most).map { laptop in
                Laptop(
                    name: laptop.name, facts: laptop.facts, wait: laptop.wait?.words,
                    ranks: showsRanks
                        ? laptop.ranks.map { Rank(number: $0.number, state: Rank.State($0.standing)) } : nil)
            }, more: max(0, laptops.count - most))
    }
}

extension PageProgram.State {
    fileprivate init(_ state: ProgramPicture.State) {
        self =
            switch state {
            case .running: .running
            case .silent: .silent
            case .ended: .ended
            case .failed: .failed
            }
    }
}

extension PageProgram.Rank.State {
    fileprivate init(_ standing: ProgramPicture.Standing) {
        self =
            switch standing {
            case .computes: .computes
            case .waits: .waits
            case .ended: .ended
            }
    }
}
