import PotluckConsole
import PotluckWeb

// Turns what a node knows of a program with ranks into what a page shows.
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
        // What the ranks did when they were last seen is nothing that they do.
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
