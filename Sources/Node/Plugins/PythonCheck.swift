import PotluckCore
import PotluckKit
import PotluckMachine

/// Compares a module made of a file in Python with Python itself, where the author can look into it with a debugger.
package struct PythonCheck {
    /// The trials of a quick check: ten of each lane.
    private static let quickTrials: UInt64 = 160
    /// The trials of the second block. A short last block has its own way through the lanes.
    private static let rest: UInt64 = 5

    let simulation: PreparedSimulation
    /// Lets Python compute blocks that have so many trials in all.
    let play: (Range<UInt64>, UInt64) throws(WorkshopError) -> PythonReply

    /// `simulation` is that of the plugin, which was made of the file at `path`.
    package init(_ path: String, _ plugin: Plugin, _ simulation: PreparedSimulation, _ tables: [Table]) {
        let label = Spelling.path(path)
        let words = zip(plugin.simulation.parameters, simulation.parameters).map { "\($0.label)=\($0.text(of: $1))" }
        self.init(simulation: simulation) { (blocks, trials) throws(WorkshopError) in
            try PluginFiles.workshop().playPython(
                path, label: label, source: plugin.simulation.source, parameters: words,
                tables: zip(plugin.simulation.inputs, tables).map { ($0.name, $1) }, seed: LawCheck.seed,
                blocks: blocks, trials: trials)
        }
    }

    init(
        simulation: PreparedSimulation,
        play: @escaping (Range<UInt64>, UInt64) throws(WorkshopError) -> PythonReply
    ) {
        (self.simulation, self.play) = (simulation, play)
    }

    /// Compares the first blocks. `failure` is that of the module in an earlier check, if it has one; then its block is compared.
    package func findings(after failure: SimulationFailure?, _ depth: LawCheck.Depth) -> [LawCheck.Finding] {
        let size = UInt64(simulation.blockSize)
        let all = simulation.units ?? .max
        do throws(WorkshopError) {
            if let failure, let block = failure.block {
                return [try stop(failure.reason, block, min(all, (block + 1) * size))]
            }
            return try compare(min(all, depth == .quick ? min(size, Self.quickTrials) : size + Self.rest))
        } catch {
            return [LawCheck.Finding(grade: .remark, text: CheckText.notCompared(why: error.message))]
        }
    }

    private func blocks(_ trials: UInt64) -> Range<UInt64> {
        0..<(trials + UInt64(simulation.blockSize) - 1) / UInt64(simulation.blockSize)
    }

    /// What the module computes. `trials` are those of the blocks before the end of `blocks`.
    private func run(_ blocks: Range<UInt64>, _ trials: UInt64) -> ChunkReply {
        var reply = simulation.run(ChunkRequest(seed: LawCheck.seed, blocks: blocks, trials: trials)) { false }
        simulation.layout.put(OutputPrint(reply.outputs, from: blocks.lowerBound), into: &reply.slots)
        return reply
    }

    /// Compares the tallies of the first trials.
    private func compare(_ trials: UInt64) throws(WorkshopError) -> [LawCheck.Finding] {
        let blocks = blocks(trials)
        let whole = try differences(blocks, trials)
        guard whole.text != nil else {
            let kept = LawCheck.Finding(grade: .kept, text: CheckText.pythonAgrees(trials: trials))
            return [kept] + whole.unread
        }
        // The first block that differs. Where only both together do, the author is told so.
        for block in blocks {
            if let found = try differences(block..<block + 1, trials).text { return [broken(found, "block \(block)")] }
        }
        return [broken("the tally", CheckText.together(first: blocks.lowerBound, last: blocks.upperBound - 1))]
    }

    private func broken(_ what: String, _ place: String) -> LawCheck.Finding {
        LawCheck.Finding(
            grade: .broken, text: CheckText.pythonDiffers(place: place, seed: LawCheck.seed, what: what))
    }

    /// Says what differs in blocks, nil if nothing does, and which readings have no value and why.
    private func differences(
        _ blocks: Range<UInt64>, _ trials: UInt64
    ) throws(WorkshopError) -> (text: String?, unread: [LawCheck.Finding]) {
        let ours = run(blocks, trials)
        let size = UInt64(simulation.blockSize)
        switch try play(blocks, min(trials, blocks.upperBound * size) - blocks.lowerBound * size) {
        case .failure(let sentence):
            let isSame = ours.failure?.reason.hasSuffix(": \(sentence)") ?? false
            return (isSame ? nil : CheckText.stopsWith(sentence: sentence), [])
        case .tally(let slots, let unread):
            if let failure = ours.failure { return (CheckText.doesNotStop(failure: failure.reason), []) }
            guard slots.count == ours.slots.count else { return (CheckText.otherLength(count: slots.count), []) }
            let names = simulation.layout.fields.filter { slots[$0.slots] != ours.slots[$0.slots] }.map(\.name)
            guard names.isEmpty else {
                return ("\(names.joined(separator: ", ")) \(names.count == 1 ? "differs" : "differ")", [])
            }
            let remarks = unread.sorted { $0.key < $1.key }.map { name, sentence in
                LawCheck.Finding(
                    grade: .remark, text: CheckText.noValueBecause(name: name, trials: trials, why: sentence))
            }
            return (nil, remarks)
        }
    }

    /// Compares the end of a run in a block.
    private func stop(_ reason: String, _ block: UInt64, _ trials: UInt64) throws(WorkshopError) -> LawCheck.Finding {
        // The sentence follows the simulation, the seed and the block.
        guard reason.ranges(of: ": ").contains(where: { SandboxError.namesLine(reason[$0.upperBound...]) }) else {
            throw .refused(CheckText.noLine)
        }
        if let found = try differences(block..<block + 1, trials).text { return broken(found, "block \(block)") }
        return LawCheck.Finding(grade: .kept, text: CheckText.pythonStops)
    }
}
