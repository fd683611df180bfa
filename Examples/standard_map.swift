import PotluckKit

/// The standard map: a rotor turns freely, and a kick changes its momentum once a turn.
struct StandardMap: Simulation {
    static let name: StaticString = "standard-map"
    static let summary: StaticString = "Where does a kicked rotor go that starts near the top of its potential?"

    @Parameter("strength", "how strong the kicks are", in: 0...10) var strength = 1.1
    @Parameter("kicks", "how often each rotor is kicked", in: 1...100_000) var kicks = 500

    struct Tally: SimulationTally {
        var portrait = Histogram2D<48, 48>(x: 0..<1, y: 0..<1)
        var momentum = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("portrait", &portrait)
            visitor.field("momentum", &momentum)
        }
    }

    var blockSize: Int { Block.size(forTrialsOf: kicks) }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        // Angle and momentum in turns.
        var angle = random.real(in: -0.01..<0.01), momentum = 0.0
        for _ in 0..<kicks {
            momentum += strength / (2 * Double.pi) * sin(2 * Double.pi * angle)
            angle += momentum
            angle -= angle.rounded(.down)
            tally.portrait.add(angle, momentum - momentum.rounded(.down))
        }
        tally.momentum.add(momentum * momentum)
    }

    static var readings: [ReadingRule<StandardMap>] {
        histogram("portrait") { $0.portrait }
        mean("square of the momentum", { $0.momentum })
    }
}
