import PotluckCore

extension Check {
    /// The record of a partial file that was changed is either refused, or it is one that can be merged and written.
    static let partials = Check(name: "records of partial files", few: 4000) { seeds in
        let honest = Samples.partial.encoded
        try must((try? PartialRun(honest)) == Samples.partial, "an honest record is refused")
        var read = 0
        for seed in seeds {
            var generator = SeededGenerator(seed: seed)
            let octets = mutated(honest, &generator, odd: [0, 1, 0x7f, 0x80, 0xff])
            guard let run = try? PartialRun(octets) else { continue }
            read += 1
            try must(
                run.slice.upperBound <= run.job.experiment.mostBlocks(of: run.job.goal)
                    && run.trials <= Goal.mostTrials && run.output ?? 0 >= 0,
                "seed \(seed): an impossible slice is believed")
            try must((try? PartialRun(run.encoded)) == run, "seed \(seed): it is written as another one")
        }
        try must(read > seeds.count / 40, "seeds \(seeds): only \(read) were read")
    }
}

extension Samples {
    /// A partial run with every field.
    package static let partial: PartialRun = {
        let experiment = Experiment(
            simulation: SimulationIdentity(name: "pi", source: String(repeating: "ab", count: 32), streams: 1),
            parameters: [7, .max], seed: 5, blockSize: 64)
        let job = PartialRun.Job(
            experiment: experiment, goal: Goal(trials: 100_000, precision: .relative(0.01)), typed: "a/pi.swift",
            inputs: [RecordedInput(name: "numbers", path: "../numbers.csv", rows: 3, columns: 2)])
        let origin = PartialRun.Origin(
            host: "node17", cores: 8, startedAt: 1_700_000_000_123, elapsed: .milliseconds(4567),
            effort: SearchEffort(expanded: 900, inVain: 30))
        let partial = PartialRun(
            job: job, number: ShardNumber(2, of: 3)!, slice: 100..<300, tally: [1, 2, .max],
            checkpoints: Checkpoint.inside(100..<300).map { SettledTally(blocks: $0, tally: [0, 1, 2]) },
            origin: origin, output: 4096)
        return partial!
    }()
}
