import PotluckKit
import Testing

@testable import Potluck
@testable import PotluckCommand
@testable import PotluckCore
@testable import PotluckScreen

@Suite struct ShardOptionTests {
    @Test func aShardIsReadAsTyped() throws {
        #expect(try ShardChoice("3/8").number == .given(ShardNumber(3, of: 8)!))
        #expect(try ShardChoice("3/8").round == nil)
        #expect(try ShardChoice("auto").number == .auto(count: nil))
        #expect(try ShardChoice("auto/8").number == .auto(count: 8))
        #expect(try ShardChoice("1/2@16..181").number == .given(ShardNumber(1, of: 2)!))
        #expect(try ShardChoice("1/2@16..181").round == 16..<181)
        let wrong = [
            "", "3", "0/8", "9/8", "-1/8", "3/0", "3/8/2", "a/b", "+3/8", "3/", "/8", "auto/0", "auto/x", "1/2@",
            "1/2@5",
            "1/2@5..5", "1/2@9..5", "1/2@1...5", "1/1000001", "3/8 ",
        ]
        for text in wrong { #expect(throws: ValueError.self, "\(text)") { try ShardChoice(text) } }
    }

    private static let tasks: [(variables: [String: String], count: Int?, number: String)] = [
        (
            [
                "SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "7",
                "SLURM_ARRAY_TASK_COUNT": "8", "SLURM_PROCID": "0", "SLURM_NTASKS": "4",
            ], nil, "6/8"
        ),
        (
            [
                "SLURM_ARRAY_TASK_ID": "30", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_MAX": "40",
                "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_STEP": "10",
            ], nil, "3/4"
        ),
        (["SLURM_STEP_ID": "0", "SLURM_PROCID": "3", "SLURM_NTASKS": "4"], nil, "4/4"),
        (
            [
                "SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "3",
                "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_STEP_ID": "0", "SLURM_PROCID": "1", "SLURM_NTASKS": "4",
            ], nil, "6/12"
        ),
        (["OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"], nil, "2/2"),
        // Under Slurm, mpirun is a step of one process for each machine.
        (
            [
                "OMPI_COMM_WORLD_RANK": "6", "OMPI_COMM_WORLD_SIZE": "8", "SLURM_STEP_ID": "0", "SLURM_PROCID": "1",
                "SLURM_NTASKS": "2",
            ], nil, "7/8"
        ),
        (["PMI_RANK": "0", "PMI_SIZE": "3"], nil, "1/3"),
        (["JOB_COMPLETION_INDEX": "7"], 8, "8/8"),
        (["PBS_ARRAY_INDEX": "1"], 4, "1/4"), (["PBS_ARRAYID": "4"], 4, "4/4"),
        (["LSB_JOBINDEX": "3", "LSB_JOBINDEX_END": "9", "LSB_JOBINDEX_STEP": "2"], nil, "2/5"),
        (
            [
                "SGE_TASK_ID": "4", "SGE_TASK_FIRST": "2", "SGE_TASK_LAST": "8", "SGE_TASK_STEPSIZE": "2",
            ], nil, "2/4"
        ),
    ]

    @Test(arguments: tasks.indices) func enginesAreUnderstood(index: Int) throws {
        let task = Self.tasks[index]
        let engine = try BatchEngine(task.variables, count: task.count)
        #expect(engine.number.description == task.number)
    }

    /// Whatever the engine, its tasks are all shards of one run, each once.
    @Test func tasksOfAnArrayAreTheWhole() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<200 {
            let (first, step, count) = (
                Int(random.next(below: 9)), Int(1 + random.next(below: 4)), Int(1 + random.next(below: 9))
            )
            let numbers = try (0..<count).map { place in
                try BatchEngine(
                    [
                        "SLURM_ARRAY_TASK_ID": "\(first + place * step)", "SLURM_ARRAY_TASK_MIN": "\(first)",
                        "SLURM_ARRAY_TASK_MAX": "\(first + (count - 1) * step)", "SLURM_ARRAY_TASK_STEP": "\(step)",
                        "SLURM_ARRAY_TASK_COUNT": "\(count)",
                    ], count: nil
                ).number
            }
            #expect(numbers == (1...count).compactMap { ShardNumber($0, of: count) })
        }
    }

    @Test func anAmbiguousShardIsRefused() {
        let wrong: [([String: String], Int?)] = [
            ([:], nil), ([:], 8), (["JOB_COMPLETION_INDEX": "3"], nil), (["JOB_COMPLETION_INDEX": "8"], 8),
            (["JOB_COMPLETION_INDEX": "x"], 8),
            (["SGE_TASK_ID": "1", "OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "0"], 8),
            (["JOB_COMPLETION_INDEX": "1", "PMI_RANK": "0", "PMI_SIZE": "4"], 10),
            (["OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"], 3),
            (["SGE_TASK_ID": "undefined"], nil), (["LSB_JOBINDEX": "0"], nil), (["PBS_ARRAY_INDEX": "0"], 4),
            // A script of a batch job that is in no step.
            (["SLURM_PROCID": "0", "SLURM_NTASKS": "4"], nil),
            (
                [
                    "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "7",
                    "SLURM_ARRAY_TASK_COUNT": "3",
                ], nil
            ),
            (["JOB_COMPLETION_INDEX": "1", "SGE_TASK_ID": "2", "SGE_TASK_LAST": "4"], 4),
        ]
        for (variables, count) in wrong {
            #expect(throws: BatchEngine.BatchError.self, "\(variables)") { try BatchEngine(variables, count: count) }
        }
    }

    /// Rounds follow each other without a gap, end at checkpoints, and lead to the end of the job.
    @Test func roundsFollowEachOther() {
        for (shards, trials) in [(1, nil), (8, nil), (3, 5_000_000), (1000, 10_000)] as [(Int, UInt64?)] {
            let job = PartialRun.Job(
                experiment: Experiment(
                    simulation: SimulationIdentity(name: "pi", source: "", streams: 1), parameters: [], seed: 1,
                    blockSize: 16), goal: Goal(trials: trials, precision: .absolute(0.001)), typed: "pi")
            var round = CampaignRound(of: job, shards: shards)
            #expect(round.blocks.lowerBound == 0)
            for width in [nil, 0.5, 0.1, 0.02, 0.003, 0.0011, 0.00101, 0.001_001] as [Double?] {
                let end = round.blocks.upperBound
                let isLast = end == job.experiment.mostBlocks(of: job.goal)
                #expect(isLast || Checkpoint.blocks(Checkpoint.after(end - 1)) == end)
                if isLast { break }
                let reading = Reading(
                    name: "x", kind: .mean, value: 1, interval: width.map { 1 - $0...1 + $0 }, exact: nil)
                let next = round.next(job, [reading])
                #expect(next.number == round.number + 1 && next.blocks.lowerBound == end && !next.blocks.isEmpty)
                round = next
            }
        }
    }
}
