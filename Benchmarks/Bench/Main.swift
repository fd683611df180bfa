/// PotluckBench SUBJECT [ARGUMENT]...: one of the benchmarks. Benchmarks/run makes their arguments. Some start this
/// program again, with the same subject, as the other nodes.
@main enum Main {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "speed": SpeedBench.run(words)
        case "links": await LinkBench.run(words)
        case "ranks": try await RankBench.run(words)
        case "cluster": try await ClusterBench.run(words)
        case "web": await WebBench.run(words)
        case "flood": await FloodBench.run(words)
        case "sweep": try await SweepBench.run(words)
        case "store": try StoreBench.run(words)
        default: fail("run Benchmarks/run instead")
        }
    }
}
