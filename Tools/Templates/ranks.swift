import PotluckKit

/// Pi as an area that all ranks measure together. Replace this with your own program.
struct ExampleName: RankProgram {
    // The name for `potluck launch`, and a line that says what the program computes.
    static let name: StaticString = "example-name"
    static let summary: StaticString = "Pi as an area, measured by all ranks"

    // Parameters, set with: `potluck launch -n 4 example-name.swift -p strips=1000`.
    @Parameter("strips", "how many strips the area has", in: 1...1_000_000) var strips = 100_000

    // Each rank runs this, with memory of its own. `world` is what MPI calls a communicator; the documents list its calls.
    func run(_ world: Communicator, _ output: inout Output) {
        // Each rank measures its share of the strips.
        let width = 1 / Double(strips)
        var area = 0.0
        for strip in world.share(of: strips) {
            let x = (Double(strip) + 0.5) * width
            area += 4 / (1 + x * x) * width
        }
        // Rank 0 says what all ranks together do.
        if world.rank == 0 { world.log("\(world.size) ranks measure \(strips) strips") }
        // Rank 0 gets the areas of all ranks. What it writes is the result, also as a file: `--output FILE`.
        if let areas = world.gather([area]) {
            output.line(areas.reduce(0, +))
        }
    }
}
