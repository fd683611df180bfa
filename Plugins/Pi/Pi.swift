import PotluckKit

/// How much of a square lies inside the quarter circle? A quarter of π.
///
/// The draws of one point: x, then y, each a real number from 0 up to 1.
struct Pi: LaneSimulation {
    static let name: StaticString = "pi"
    static let summary: StaticString = "Throw points at a square: how many fall inside the circle?"

    struct Tally: SimulationTally {
        var inside = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("inside", &inside) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let x = random.unit()
        let y = random.unit()
        let isInside = x * x + y * y < 1
        tally.inside.add(isInside)
        if LogBook.isOn { tell(x, y, isInside) }
    }

    @inline(never)
    private func tell(_ x: Double, _ y: Double, _ isInside: Bool) {
        note(isInside ? "the point is inside" : "the point is outside")
        sketch(width: 1, height: 1) {
            $0.box(0, 0, 1, 1, .faint)
            $0.circle(0, 0, radius: 1)
            $0.circle(x, y, radius: 0.02, isInside ? .good : .bad, isFilled: true)
        }
    }

    func lanes(_ random: inout LaneStreams, _ tally: inout Tally) {
        let x = random.unit()
        let y = random.unit()
        tally.inside.add(x * x + y * y < 1)
    }

    static var readings: [ReadingRule<Pi>] {
        derived("pi", from: proportion("inside") { $0.inside }, { 4 * $1 }, exact: { _ in .pi })
    }
}
