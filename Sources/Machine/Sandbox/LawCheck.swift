import Glibc
import PotluckCore
import PotluckKit
import PotluckSystem

/// Checks a simulation against the rules that make results exact: all nodes must get the same, in any order and with
/// any repetition.
public struct LawCheck: Sendable {
    /// The result of one check.
    public struct Finding: Sendable, Equatable {
        public enum Grade: Sendable { case kept, broken, remark }
        public let grade: Grade
        public let text: String

        public init(grade: Grade, text: String) {
            self.grade = grade
            self.text = text
        }
    }

    public private(set) var findings: [Finding] = []
    /// Why a block could not be computed; nil if all could.
    public private(set) var failure: SimulationFailure?
    public var isKept: Bool { !findings.contains { $0.grade == .broken } }

    /// How much is computed.
    public enum Depth: Sendable {
        /// Four blocks for each rule, which take a second at most.
        case quick
        /// As many blocks as take some seconds in all, in several splits and places.
        case deep
    }

    private static let quickBlocks: UInt64 = 4
    /// The time for the blocks of one split, in nanoseconds. A deep check has about eight, so that it takes some seconds.
    private static let splitTime: Int64 = 400_000_000
    /// The most blocks of a split. Each may need an instance of its own.
    private static let mostBlocks: UInt64 = 1024
    public static let seed: UInt64 = 2010
    /// The longest time that a block should take, in nanoseconds.
    private static let longestBlock: Int64 = 50_000_000

    private let simulation: PreparedSimulation
    private let layout: TallyLayout
    private let blocks: UInt64
    private let size: UInt64

    /// `native` is the built-in version of the same simulation, `plain` is the same simulation without its lanes, and `single`
    /// is the same without its author's `lane`; each is nil if there is none. `remembered` names the variables that keep something from call to call; nil if that is not
    /// known.
    public init(
        _ simulation: PreparedSimulation, native: PreparedSimulation? = nil, plain: PreparedSimulation? = nil,
        single: PreparedSimulation? = nil, remembered: [String]? = nil, depth: Depth = .deep
    ) {
        self.simulation = simulation
        layout = simulation.layout
        let size = UInt64(simulation.blockSize)
        self.size = size
        if let search = simulation.search {
            blocks = 0
            let check = SearchCheck(search, native: native?.search, nodes: depth == .quick ? 5000 : 200_000) { best in
                simulation.read(SearchTally(best).slots(simulation.layout.slots), SearchSpace.points)
            }
            (findings, failure) = (check.findings, check.failure)
            if let remembered { remembers(remembered) }
            return
        }
        let all = simulation.units.map { ($0 + size - 1) / size } ?? .max
        let begin = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
        let first = simulation.run(ChunkRequest(seed: Self.seed, blocks: 0..<1, trials: nil)) { false }
        let time = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - begin
        let fitting = UInt64(max(0, Self.splitTime / max(1, time)))
        let most = depth == .quick ? Self.quickBlocks : min(Self.mostBlocks, max(Self.quickBlocks, fitting))
        blocks = min(most, all)
        if let failure = first.failure {
            self.failure = failure
            note(.broken, failure.reason)
            return
        }
        let whole = run(0..<blocks)
        if let failure = whole.failure {
            self.failure = failure
            note(.broken, failure.reason)
            return
        }
        repeats(whole)
        let pieces = splits(whole)
        if depth == .deep { regroups(whole) }
        if let remembered { remembers(remembered) }
        cuts()
        spoils(whole)
        answers(whole, pieces)
        if let native { agrees(with: native) }
        let more = depth == .deep ? Self.splitTime : 0
        if let plain { compare(LanesCheck(simulation, plain: plain, seed: Self.seed, time: more), "the lanes give") }
        if let single { compare(LanesCheck(simulation, plain: single, seed: Self.seed, time: more), "'lane' gives") }
        rarities()
        judge(time)
    }

    private mutating func note(_ grade: Finding.Grade, _ text: String) {
        findings.append(Finding(grade: grade, text: text))
    }

    private mutating func hold(_ isKept: Bool, _ law: String, _ breach: String) {
        note(isKept ? .kept : .broken, isKept ? law : breach)
    }

    private func run(_ blocks: Range<UInt64>, trials: UInt64? = nil, seed: UInt64 = Self.seed) -> ChunkReply {
        Self.run(simulation, blocks, trials, seed, layout)
    }

    /// Runs all blocks, in several calls if a simulation writes so much that it stops before the end.
    private static func run(
        _ simulation: PreparedSimulation, _ blocks: Range<UInt64>, _ trials: UInt64?, _ seed: UInt64,
        _ layout: TallyLayout
    ) -> ChunkReply {
        var whole = ChunkReply(end: blocks.lowerBound, slots: layout.empty)
        while whole.end < blocks.upperBound, whole.failure == nil {
            let rest = ChunkRequest(seed: seed, blocks: whole.end..<blocks.upperBound, trials: trials)
            let reply = simulation.run(rest) { false }
            layout.merge(reply.slots, into: &whole.slots)
            whole.outputs += reply.outputs
            (whole.end, whole.failure) = (reply.end, reply.failure)
        }
        return whole
    }

    private func merged(_ tallies: [[UInt64]]) -> [UInt64] {
        tallies.reduce(into: layout.empty) { layout.merge($1, into: &$0) }
    }

    /// Checks that the same seed gives the same result.
    private mutating func repeats(_ whole: ChunkReply) {
        let again = run(0..<blocks)
        hold(again == whole, CheckText.repeats, CheckText.differs)
        if simulation.units == nil, run(0..<blocks, seed: Self.seed + 1).slots == whole.slots {
            note(.remark, CheckText.ignoresSeed)
        }
    }

    /// Compares blocks that run one after the other in one instance with blocks that each run in their own, in reverse
    /// order.
    private mutating func splits(_ whole: ChunkReply) -> [[UInt64]] {
        let pieces = (0..<blocks).reversed().map { run($0..<$0 + 1) }
        hold(
            merged(pieces.map(\.slots)) == whole.slots && pieces.reversed().flatMap(\.outputs) == whole.outputs,
            CheckText.apart, CheckText.notApart)
        return pieces.reversed().map(\.slots)
    }

    /// Compares further splits of the blocks: runs of different lengths in one instance each, and the same blocks after
    /// others that an instance has computed before.
    private mutating func regroups(_ whole: ChunkReply) {
        var isSame = true
        for step in [2, 3, 7, 64] as [UInt64] where step < blocks {
            let starts = Array(stride(from: 0, to: blocks, by: Int(step)))
            // From both ends, so that no piece follows its neighbour.
            let order = starts.indices.map { $0 % 2 == 0 ? starts[$0 / 2] : starts[starts.count - 1 - $0 / 2] }
            let pieces = order.map { (start: $0, reply: run($0..<min($0 + step, blocks))) }
            let inOrder = pieces.sorted { $0.start < $1.start }.map(\.reply)
            isSame =
                isSame && merged(pieces.map(\.reply.slots)) == whole.slots
                && inOrder.flatMap(\.outputs) == whole.outputs
        }
        // Far away, as in a job that lasts for days.
        if simulation.units == nil {
            let far = Self.far..<Self.far + blocks
            let singly = far.reversed().map { run($0..<$0 + 1).slots }
            isSame = isSame && merged(singly) == run(far).slots
        }
        hold(
            isSame, CheckText.grouped(blocks: blocks, places: simulation.units == nil ? CheckText.everywhere : ""),
            CheckText.notGrouped)
    }

    /// Checks that no variable keeps anything. One that changes seldom gives wrong results so seldom that no split finds
    /// it.
    private mutating func remembers(_ names: [String]) {
        hold(
            names.isEmpty, "no global or static variable keeps anything from call to call", Self.remembering(names))
    }

    /// The message about variables that keep something.
    public static func remembering(_ names: [String]) -> String {
        "\(names.joined(separator: ", ")) \(names.count == 1 ? "keeps" : "keep") something from call to call; count in the "
            + "tally, and let each trial start from nothing"
    }

    /// The number of a block that a long job reaches. It has more than 32 bits.
    private static let far: UInt64 = 1 << 33

    /// Checks that a short last block is the beginning of a long one, and that no blocks give an empty tally.
    private mutating func cuts() {
        let short = run(0..<2, trials: size + 5)
        let pieces = [run(0..<1).slots, run(1..<2, trials: size + 5).slots]
        hold(
            short.failure == nil && merged(pieces) == short.slots && run(0..<0).slots == layout.empty,
            CheckText.short, CheckText.notShort)
    }

    /// Checks that no sum was given a value that it cannot hold.
    private mutating func spoils(_ whole: ChunkReply) {
        let field = Replay.spoilt(whole.slots, layout)
        hold(field == nil, CheckText.sums, CheckText.spoilt(field: field ?? "a sum"))
    }

    /// Checks the readings' intervals, and that they agree with exact answers. `pieces` are the tallies of the blocks.
    private mutating func answers(_ whole: ChunkReply, _ pieces: [[UInt64]]) {
        let trials = min(size * blocks, simulation.units ?? .max)
        do throws(SimulationFailure) {
            findings += ReadingCheck.validity(
                try simulation.readings(of: whole.slots, trials: trials), trials)
        } catch {
            note(.broken, error.reason)
        }
        findings +=
            ReadingCheck(simulation, blocks: pieces, size: size, whole: whole.slots, trials: trials) {
                run(0..<blocks, seed: Self.seed + 1).slots == whole.slots
            }.findings
    }

    /// Warns of events that are so rare that these blocks may lack them.
    private mutating func rarities() {
        guard simulation.units == nil else { return }
        note(.kept, CheckText.played(trials: size * blocks, unseen: Self.unseen(size * blocks)))
    }

    /// The words for events that this many trials may lack. An event of the probability 3/n occurs within n trials in
    /// 95 of 100 cases.
    private static func unseen(_ trials: UInt64) -> String {
        CheckText.unseen(trials: trials / 3)
    }

    private mutating func compare(_ check: LanesCheck, _ subject: String) {
        hold(
            check.agrees,
            CheckText.lanesAgree(subject: subject, trials: check.trials, unseen: Self.unseen(check.trials)),
            CheckText.lanesDiffer(subject: subject, difference: check.difference ?? ""))
    }

    /// Checks that the sandbox and the native build agree.
    private mutating func agrees(with native: PreparedSimulation) {
        let some = 0..<min(blocks, Self.quickBlocks)
        let (ours, theirs) = (run(some), Self.run(native, some, nil, Self.seed, layout))
        hold(
            theirs.slots == ours.slots && theirs.outputs == ours.outputs && native.blockSize == simulation.blockSize,
            "the module and the built-in simulation give the same tally",
            "the module and the built-in simulation give different tallies")
    }

    /// Judges the time of a block, in nanoseconds.
    private mutating func judge(_ time: Int64) {
        let tenths = time / 100_000
        let text = CheckText.blockTime(
            trials: simulation.blockSize, time: tenths == 0 ? CheckText.noTime : "\(tenths / 10).\(tenths % 10) ms")
        if time <= Self.longestBlock {
            note(.kept, text)
        } else if simulation.blockSize > (simulation.units == nil ? Block.smallest : 1) {
            note(.broken, CheckText.tooLong(text: text))
        } else {
            note(.remark, CheckText.longTrials(text: text))
        }
    }
}
