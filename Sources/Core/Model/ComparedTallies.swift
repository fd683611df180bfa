/// What a comparison of settings computed: the tallies of each setting's groups of trials.
public struct ComparedTallies: Sendable {
    public struct Setting: Sendable {
        let experiment: Experiment
        let groups: [[UInt64]]

        public init(experiment: Experiment, groups: [[UInt64]]) {
            (self.experiment, self.groups) = (experiment, groups)
        }
    }

    private let settings: [Setting]
    /// The trials of each group.
    private let trials: UInt64

    public init(settings: [Setting], trials: UInt64) { (self.settings, self.trials) = (settings, trials) }

    /// The bytes whose SHA-256 is the digest: the trials of a group, and of each setting all that decides its tallies and
    /// these.
    public var digestInput: [UInt8] {
        var input = DigestInput("potluck difference 1")
        input.put(trials)
        for setting in settings {
            input.put(setting.experiment.simulation)
            input.put(setting.experiment.parameters)
            input.put(setting.experiment.seed)
            input.put(setting.experiment.blockSize)
            for group in setting.groups { input.put(group) }
        }
        return input.bytes
    }
}
