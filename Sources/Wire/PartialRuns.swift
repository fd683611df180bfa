import PotluckModel

/// The encoding of a partial run, without its output.
extension PartialRun {
    /// The most checkpoints in a record: one more than a job has, so that any list fits.
    private static let mostCheckpoints = Checkpoint.last + 1
    /// The longest path of a simulation's file in bytes: the longest that Linux takes.
    private static let longestPath = 4096

    public var encoded: [UInt8] {
        FieldWriter.record { writer in
            writer.record(1) { job.experiment.write(to: &$0) }
            writer.record(2) { job.goal.write(to: &$0) }
            writer.line(3, job.typed, limit: Self.longestPath)
            writer.list(4, job.inputs.map(\.encoded))
            writer.number(5, UInt64(number.index))
            writer.number(6, UInt64(number.count))
            writer.number(7, slice.lowerBound)
            writer.number(8, slice.upperBound)
            writer.slots(9, tally)
            writer.list(
                10,
                checkpoints.map { checkpoint in
                    FieldWriter.record {
                        $0.number(1, checkpoint.blocks)
                        $0.slots(2, checkpoint.tally)
                    }
                })
            writer.line(11, origin.host, limit: JobMessage.maximumDisplayName)
            writer.number(12, UInt64(clamping: origin.cores))
            writer.number(13, UInt64(clamping: origin.startedAt))
            writer.duration(14, origin.elapsed)
            writer.number(15, origin.effort.expanded)
            writer.number(16, origin.effort.inVain)
            writer.number(17, output.map { UInt64($0) + 1 } ?? 0)
        }
    }

    public init(_ octets: [UInt8]) throws(WireError) {
        var found = PartialRunFields()
        var fields = FieldReader(octets[...])
        while let field = try fields.next() { try found.read(field) }
        self = try found.partial()
    }

    /// The fields of a partial run, collected while they are decoded.
    private struct PartialRunFields {
        private var experiment: Experiment?
        private var goal = Goal()
        private var typed = ""
        private var inputs: [RecordedInput] = []
        private var (index, count) = (0, 0)
        private var (first, end): (UInt64, UInt64) = (0, 0)
        private var tally: [UInt64] = []
        private var checkpoints: [SettledTally] = []
        private var (host, cores) = ("", 0)
        private var startedAt: Int64 = 0
        private var elapsed = Duration.zero
        private var effort = SearchEffort.none
        private var output: Int?

        mutating func read(_ field: Field) throws(WireError) {
            switch field.tag {
            case 1: experiment = try Experiment(field.record())
            case 2: goal = try Goal(field.record())
            case 3: typed = try field.line(limit: PartialRun.longestPath)
            case 4:
                for item in try field.list(limit: JobMessage.mostParameters, itemLimit: 2 * PartialRun.longestPath) {
                    inputs.append(try RecordedInput(encoded: item))
                }
            case 5: index = Int(try field.number(atMost: UInt64(ShardNumber.most)))
            case 6: count = Int(try field.number(atMost: UInt64(ShardNumber.most)))
            case 7: first = try field.number(atMost: JobMessage.mostBlocks)
            case 8: end = try field.number(atMost: JobMessage.mostBlocks)
            case 9: tally = try field.slots(limit: JobMessage.mostSlots)
            case 10:
                for item in try field.list(limit: PartialRun.mostCheckpoints, itemLimit: Int.max) {
                    checkpoints.append(try SettledTally(encoded: item))
                }
            case 11: host = try field.line(limit: JobMessage.maximumDisplayName)
            case 12: cores = Int(try field.number(atMost: UInt64(RecordedNode.mostCores)))
            case 13: startedAt = Int64(try field.number(atMost: UInt64(Int64.max)))
            case 14: elapsed = try field.duration()
            case 15: effort.expanded = try field.number()
            case 16: effort.inVain = try field.number()
            case 17: output = Int(try field.number(atMost: UInt64(BlobReference.largest))) - 1
            default: break
            }
        }

        func partial() throws(WireError) -> PartialRun {
            guard let number = ShardNumber(index, of: count), first <= end, goal.duration == nil else {
                throw .malformed("an impossible shard")
            }
            let job = PartialRun.Job(
                experiment: try JobMessage.there(experiment), goal: goal, typed: typed, inputs: inputs)
            let origin = PartialRun.Origin(
                host: host, cores: cores, startedAt: startedAt, elapsed: elapsed,
                effort: SearchEffort(expanded: effort.expanded, inVain: effort.inVain))
            let partial = PartialRun(
                job: job, number: number, slice: first..<end, tally: tally, checkpoints: checkpoints, origin: origin,
                output: output)
            guard let partial, end <= job.experiment.mostBlocks(of: goal) else {
                throw .malformed("an impossible slice")
            }
            return partial
        }
    }
}

extension RecordedInput {
    fileprivate var encoded: [UInt8] {
        FieldWriter.record {
            $0.text(1, name)
            $0.text(2, path)
            $0.number(3, UInt64(clamping: rows))
            $0.number(4, UInt64(clamping: columns))
        }
    }

    fileprivate init(encoded octets: ArraySlice<UInt8>) throws(WireError) {
        var (name, path, rows, columns) = ("", "", 0, 0)
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: name = try field.text(limit: octets.count)
            case 2: path = try field.text(limit: octets.count)
            case 3: rows = Int(try field.number(atMost: UInt64(Int32.max)))
            case 4: columns = Int(try field.number(atMost: UInt64(Int32.max)))
            default: break
            }
        }
        self.init(name: name, path: path, rows: rows, columns: columns)
    }
}

extension SettledTally {
    fileprivate init(encoded octets: ArraySlice<UInt8>) throws(WireError) {
        var (blocks, tally): (UInt64, [UInt64]) = (0, [])
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: blocks = try field.number(atMost: JobMessage.mostBlocks)
            case 2: tally = try field.slots(limit: JobMessage.mostSlots)
            default: break
            }
        }
        self.init(blocks: blocks, tally: tally)
    }
}
