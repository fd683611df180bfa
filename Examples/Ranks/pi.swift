import PotluckKit

/// The area below 4 / (1 + x²) from 0 to 1 is π. The area is cut into strips, and each rank adds up some of them.
///
/// Rank 0 gets the sum of every strip and adds these in order, so the last digit is the same for every number of ranks.
/// `reduce(sum, +)` would be shorter and gives the same digits in each run, but its last one depends on the number of
/// ranks, because floating point rounds after each addition.
struct PiByIntegration: RankProgram {
    static let name: StaticString = "pi"
    static let summary: StaticString = "Pi as an area, added up by all ranks"
    @Parameter("strips", "how many parts the area has", in: 1...10_000) var strips = 1000
    @Parameter("points", "points in a strip", in: 1...1_000_000) var points = 1000

    func run(_ world: Communicator, _ output: inout Output) {
        let width = 1 / (Double(strips) * Double(points))
        let sums = world.share(of: strips).map { strip in
            var sum = 0.0
            for point in 0..<points {
                let x = (Double(strip) * Double(points) + Double(point) + 0.5) * width
                sum += 4 / (1 + x * x)
            }
            return sum
        }
        if let all = world.gather(sums) {
            output.line(all.reduce(0, +) * width)
        }
    }
}
