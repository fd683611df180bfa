import PotluckKit

/// The program of `weave.wasm`, which `potluck build` made when version 2 was frozen. It uses a parameter of each kind,
/// a table, arguments, random numbers, messages, calls of all ranks and checkpoints.
struct Weave: RankProgram {
    static let name: StaticString = "weave"
    static let summary: StaticString = "Ranks weave their rows into a cloth"
    @Parameter("width", "numbers in a row", in: 1...9) var width = 2
    @Parameter("factor", "what a row is multiplied by", in: 0...10) var factor = 1.5
    @Parameter("other", "whose row is woven in") var other = Other.neighbour
    @Parameter("odd", "weave odd numbers only") var odd = false
    @Parameter("colours", "the colours of the cloth", of: ["red", "green", "blue"], count: 1...2)
    var colours: Several = ["green"]

    enum Other: ParameterChoice {
        case neighbour, own
        var name: StaticString { self == .neighbour ? "neighbour" : "own" }
    }

    static var inputs: [Input] { [Input("yarn", "the numbers that are woven")] }
    private var yarn: [Double] = []

    init() {}

    var problem: StaticString? { odd && width == 1 ? "a single number is not odd" : nil }

    mutating func prepare(_ tables: [Table]) -> StaticString? {
        yarn = tables[0].numbers
        return nil
    }

    func run(_ world: Communicator, _ output: inout Output) {
        var random = world.random()
        var row = (0..<width).map { yarn.isEmpty ? Double(random.below(100)) : yarn[($0 + world.rank) % yarn.count] }
        var step = 0
        if let (kept, numbers) = world.restore(Int.self, [Double].self) { (step, row) = (kept, numbers) }
        let first = step
        let (next, previous) = ((world.rank + 1) % world.size, (world.rank + world.size - 1) % world.size)
        while step < 3 {
            let others = other == .own ? row : world.sendReceive(row, to: next, from: previous)
            for index in row.indices where !odd || index % 2 == 1 { row[index] = row[index] * factor + others[index] }
            step += 1
            world.checkpoint(step, row)
        }
        let sum = world.allReduce(row.reduce(0, +), +)
        let (steps, count) = (step - first, colours.count)
        for argument in world.arguments { world.log("\(argument) after \(steps) steps in \(count) colours") }
        if let cloth = world.gather(row) {
            for number in cloth { output.line(number) }
            output.line(sum)
        }
    }
}
