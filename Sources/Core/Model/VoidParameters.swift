/// The parameters of built-in simulations that have no effect beside a file or beside another parameter, such as the
/// number of random cities beside airports. Screens, charts and queries leave them out.
///
/// The list stands here and not in the simulations, because their digests contain the hash of their sources.
enum VoidParameters {
    private struct Rule {
        let simulation: String
        /// The values without effect. Others are refused, or the parameter is shown.
        let values: [String: String]
        /// Where the rule applies.
        let applies: @Sendable (_ value: (String) -> String?, _ hasFiles: Bool) -> Bool
    }

    private static let rules = [
        Rule(simulation: "matrix-product", values: ["size": "256", "draw": "1"]) { _, hasFiles in hasFiles },
        Rule(simulation: "tsp", values: ["cities": "20", "draw": "1", "airports": "none"]) { _, hasFiles in hasFiles },
        Rule(simulation: "tsp", values: ["cities": "20", "draw": "1", "distance": "plane"]) { value, _ in
            value("airports") != "none"
        },
        Rule(simulation: "tsp", values: ["distance": "plane"]) { _, hasFiles in !hasFiles },
    ]

    /// Returns the names of those among these parameters.
    static func names(
        of simulation: String, _ parameters: [(name: String, text: String)], hasFiles: Bool
    ) -> Set<String> {
        let own = rules.filter { $0.simulation == simulation }
        guard !own.isEmpty else { return [] }
        let values = Dictionary(parameters.map { ($0.name, $0.text) }) { first, _ in first }
        var names: Set<String> = []
        for rule in own where rule.applies({ values[$0] }, hasFiles) {
            names.formUnion(rule.values.filter { values[$0.key] == $0.value }.keys)
        }
        return names
    }
}

extension JobSpec {
    /// The parameters that have an effect.
    public var parameters: [JobTitle.Parameter] {
        let (all, name) = (title.parameters, recipe.experiment.simulation.name)
        // The slots of the files' hash follow those of the parameters.
        let hasFiles = recipe.experiment.parameters.count > all.count
        let void = VoidParameters.names(of: name, all.map { ($0.label, $0.value) }, hasFiles: hasFiles)
        return all.filter { !void.contains($0.label) }
    }
}

extension RunRecord {
    /// The parameters that have an effect.
    public var effective: [RecordedParameter] {
        let void = VoidParameters.names(
            of: simulation.name, parameters.map { ($0.name, $0.text) }, hasFiles: files != nil)
        return parameters.filter { !void.contains($0.name) }
    }
}
