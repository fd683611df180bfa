import PotluckKit

/// A needle falls onto a floor of parallel lines. How many lines does it cross? π is in the answer, but nowhere in the
/// question.
///
/// The draws of one needle: how far above a line its lower end lies, a real number from 0 up to 1 in units of the spacing;
/// then its direction, a point of the unit disc: x and y, each a real number from 0 up to 1, drawn again until the point
/// lies inside the disc and is not its middle. By symmetry a quarter of the disc is enough.
struct Buffon: LaneSimulation {
    static let name: StaticString = "buffon"
    static let summary: StaticString = "Drop needles on a floor of parallel lines: how many lines do they cross?"

    @Parameter("length", "length of the needle", in: 0.01...100) var length = 1.0
    @Parameter("spacing", "distance from one line to the next", in: 0.01...100) var spacing = 1.0

    struct Tally: SimulationTally {
        var crossings = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("crossings", &crossings) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let lowerEnd = random.unit()
        var x = 0.0
        var y = 0.0
        var square = 0.0
        repeat {
            x = random.unit()
            y = random.unit()
            square = x * x + y * y
        } while square >= 1 || square == 0
        let upperEnd = lowerEnd + length / spacing * (y / square.squareRoot())
        tally.crossings.add(Int(upperEnd))
        if LogBook.isOn { tell(lowerEnd, upperEnd, across: x / square.squareRoot()) }
    }

    /// Draws the needle, in the middle of a floor that is as wide as it is high.
    @inline(never)
    private func tell(_ lowerEnd: Double, _ upperEnd: Double, across: Double) {
        note("lines crossed: \(Int(upperEnd))")
        // Longer needles would be too thin to see, and so would the lines.
        guard length <= 20 * spacing else { return }
        let lines = Int(length / spacing) + 2
        let (side, half) = (Double(lines), length / spacing * across / 2)
        sketch(width: side, height: side) {
            for line in 0...lines { $0.line(0, Double(line), side, Double(line), .faint) }
        }
        sketch { $0.line(side / 2 - half, lowerEnd, side / 2 + half, upperEnd, upperEnd >= 1 ? .good : .bad) }
    }

    func lanes(_ random: inout LaneStreams, _ tally: inout Tally) {
        let lowerEnd = random.unit()
        var y = Lane<Double>(0)
        var square = Lane<Double>(0)
        var isOutside = LaneMask(true)
        repeat {
            let (newX, newY) = random.draw(where: isOutside) { ($0.unit(), $0.unit()) }
            let newSquare = newX * newX + newY * newY
            y.replace(with: newY, where: isOutside)
            square.replace(with: newSquare, where: isOutside)
            isOutside = isOutside && (newSquare >= 1 || newSquare == 0)
        } while any(isOutside)
        let upperEnd = lowerEnd + length / spacing * (y / sqrt(square))
        tally.crossings.add(Lane<Int32>(truncating: upperEnd))
    }

    static var readings: [ReadingRule<Buffon>] {
        let crossings = mean("crossings", { $0.crossings }, exact: { 2 * $0.length / (.pi * $0.spacing) })
        crossings
        derived("pi", from: crossings, { 2 * $0.length / ($1 * $0.spacing) }, exact: { _ in .pi })
    }
}
