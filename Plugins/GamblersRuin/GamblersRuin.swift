import PotluckKit

/// A gambler bets one coin a round until all is lost or the goal is reached. How likely is the goal, and how long does it
/// take?
///
/// The draws of one game: a chance of `p` each round, two words.
struct GamblersRuin: Simulation {
    static let name: StaticString = "gamblers-ruin"
    static let summary: StaticString = "Bet one coin a round until you reach your goal or lose all: how does it end?"

    @Parameter("stake", "coins at the start", in: 1...999) var stake = 10
    @Parameter("goal", "coins to stop at", in: 2...1000) var goal = 20
    @Parameter("p", "probability of winning a round", in: 0.01...0.99) var p = 0.5

    var problem: StaticString? { stake >= goal ? "the goal must be above the stake" : nil }

    struct Tally: SimulationTally {
        var won = Count(), rounds = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("won", &won)
            visitor.field("rounds", &rounds)
        }
    }

    var blockSize: Int { Block.size(forTrialsOf: Int(exact.rounds)) }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        if LogBook.isOn { drawn(&random, &tally) } else { play(&random, &tally, isDrawn: false) }
    }

    @inline(never)
    private func drawn(_ random: inout RandomStream, _ tally: inout Tally) { play(&random, &tally, isDrawn: true) }

    /// Compiled twice: what only a picture needs would slow the loop down.
    @inline(__always)
    private func play(_ random: inout RandomStream, _ tally: inout Tally, isDrawn: Bool) {
        var coins = stake
        var rounds = 0
        // The coins after each round.
        var walk: [Int] = []
        while coins > 0 && coins < goal {
            coins += random.chance(p) ? 1 : -1
            rounds += 1
            if isDrawn { walk.append(coins) }
        }
        tally.won.add(coins == goal)
        tally.rounds.add(rounds)
        if isDrawn { tell(walk) }
    }

    /// Draws the coins over the rounds, in at most some hundred steps: more would not be seen.
    @inline(never)
    private func tell(_ walk: [Int]) {
        note("\(walk.last == goal ? "won" : "lost"), rounds: \(walk.count)")
        func y(_ coins: Int) -> Double { Double(coins) / Double(goal) }
        sketch(width: 2, height: 1) {
            $0.line(0, 1, 2, 1, .good)
            $0.line(0, 0, 2, 0, .bad)
            $0.line(0, y(stake), 2, y(stake), .faint)
        }
        let together = walk.count / 200 + 1
        var from = (x: 0.0, y: y(stake))
        for end in stride(from: 0, to: walk.count + together - 1, by: together) {
            let round = min(end, walk.count - 1)
            let to = (x: 2 * Double(round + 1) / Double(walk.count), y: y(walk[round]))
            sketch { $0.line(from.x, from.y, to.x, to.y) }
            from = to
        }
    }

    static var readings: [ReadingRule<GamblersRuin>] {
        proportion("won", { $0.won }, exact: { $0.exact.won })
        mean("rounds", { $0.rounds }, exact: { $0.exact.rounds })
    }

    /// The player who is likelier to win a round has the odds r against a win. With Sₙ = 1 + r + … + rⁿ⁻¹, this player
    /// reaches the goal from a stake of s with probability Sₛ / S_goal. Textbooks have (1 − rˢ) / (1 − r) instead of the
    /// sum; with sums, fair games are no special case. The rounds follow in the same way, from sums of the sums.
    private var exact: (won: Double, rounds: Double) {
        let likelier = max(p, 1 - p)
        let start = p < 0.5 ? goal - stake : stake
        var power = 1.0
        // S and the sum of the sums, up to the start and to the goal.
        var (sum, sums) = (0.0, 0.0)
        var (startSum, startSums) = (0.0, 0.0)
        var beyond = 0.0
        for coins in 0..<goal {
            if coins == start { (startSum, startSums) = (sum, sums) }
            if coins >= start { beyond += power }
            sums += sum
            sum += power
            power *= (1 - likelier) / likelier
        }
        // The other player's probability is the rest, but a subtraction from 1 would cancel.
        let won = p < 0.5 ? beyond / sum : startSum / sum
        return (won, (startSum / sum * sums - startSums) / likelier)
    }
}
