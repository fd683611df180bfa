import PotluckCore
import Testing

/// Parameters without effect are not shown, and those with an effect always are.
@Suite struct VoidParametersTests {
    /// The names that are left of the parameters of `tsp` and `matrix-product`.
    private static func shown(_ simulation: String, _ texts: [(String, String)], hasFiles: Bool) -> (
        job: [String], run: [String]
    ) {
        let identity = SimulationIdentity(name: simulation, source: "", streams: 1)
        let slots = [UInt64](repeating: 0, count: texts.count + (hasFiles ? RecordedFiles.hashSlots : 0))
        let experiment = Experiment(simulation: identity, parameters: slots, seed: 0, blockSize: 1)
        let title = JobTitle(
            parameters: texts.map { JobTitle.Parameter(label: $0.0, value: $0.1, isStandard: false) })
        let run = RunRecord(
            key: "", simulation: identity,
            parameters: texts.map { RecordedParameter(name: $0.0, slot: 0, text: $0.1, number: nil) },
            files: hasFiles ? RecordedFiles(hash: [1, 2, 3, 4], inputs: []) : nil, seed: 0, blockSize: 1, goal: Goal(),
            trials: 0, tally: [], counts: [], readings: [], course: [], digest: "", completion: .trials, startedAt: 0,
            elapsed: .zero, nodes: [])
        let job = JobSpec(JobRecipe(experiment: experiment), title: title)
        return (job.parameters.map(\.label), run.effective.map(\.name))
    }

    @Test(arguments: [
        (
            "tsp", ["cities=8", "draw=1", "bound=cost", "distance=plane", "airports=none"], false,
            "cities draw bound airports"
        ),
        ("tsp", ["cities=20", "draw=1", "bound=cost", "distance=plane", "airports=LHR,JFK"], false, "bound airports"),
        ("tsp", ["cities=20", "draw=1", "bound=cost", "distance=earth", "airports=none"], true, "bound distance"),
        ("matrix-product", ["size=256", "draw=1"], true, ""),
        ("matrix-product", ["size=256", "draw=1"], false, "size draw"),
        // The product does not refuse another number, which the digest has.
        ("matrix-product", ["size=256", "draw=5"], true, "draw"), ("mine", ["size=256", "draw=1"], true, "size draw"),
    ])
    func onlyParametersWithAnEffectAreShown(_ simulation: String, _ given: [String], _ hasFiles: Bool, _ names: String)
    {
        let texts = given.map { text in
            let parts = text.split(separator: "=").map(String.init)
            return (parts[0], parts[1])
        }
        let shown = Self.shown(simulation, texts, hasFiles: hasFiles)
        #expect(shown.job.joined(separator: " ") == names && shown.run.joined(separator: " ") == names)
    }

    @Test func theWordOfAUnitAgreesWithItsNumber() {
        #expect(
            WorkUnit.trial.word(1) == "trial" && WorkUnit.unit.word(0) == "units" && WorkUnit.point.plural == "points")
    }
}
