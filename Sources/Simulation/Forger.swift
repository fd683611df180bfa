import PotluckCore
import PotluckKit

/// The generator of a Byzantine member's messages. It makes up extreme numbers and noise, and reuses jobs, nodes and
/// blobs that it has seen.
///
/// `+Messages` makes a message of each kind.
struct Forger {
    /// The most values of each sort that it remembers.
    private static let memory = 24
    /// Part of every text that it makes up, so that a law can recognize its texts.
    static let mark = "forged"
    /// Texts with which a coordinator describes results that no honest program sends.
    private static let misfits = ["its tally has", "it returned blocks", "it ignores its work"]

    /// Returns whether a job's failure was caused by a forged message.
    static func isBehind(_ why: String) -> Bool { why.contains(mark) || misfits.contains { why.contains($0) } }

    /// How far the member goes.
    struct Temper {
        /// Whether it sends wrong results of its loans, and offers blocks of real jobs.
        var lies = false
        /// Whether it sends, about others' jobs, messages that only their coordinator may send.
        var claims = false
    }

    let own: NodeID
    let temper: Temper
    var random: SeededGenerator
    /// Messages that it received or sent, encoded.
    private(set) var seen: [[UInt8]] = []
    private(set) var jobs: [JobID] = []
    private(set) var specs: [JobSpec] = []
    private(set) var nodes: [NodeID] = []
    private(set) var blobs: [BlobReference] = []
    private(set) var lent: [AttemptID: Range<UInt64>] = [:]
    private var lentOrder: [AttemptID] = []

    init(own: NodeID, temper: Temper, seed: UInt64) {
        self.own = own
        self.temper = temper
        random = SeededGenerator(seed: seed)
    }

    // MARK: Seen messages

    mutating func saw(_ message: Message, _ octets: [UInt8]) {
        remember(octets, in: \.seen)
        guard case .job(let message) = message else { return }
        if let id = message.job { remember(id, in: \.jobs) }
        switch message {
        case .job(_, let spec, _, _):
            remember(spec, in: \.specs)
            for blob in spec.recipe.blobs { remember(blob, in: \.blobs) }
        case .lend(let id, let chunks):
            for chunk in chunks.prefix(Self.memory) {
                let attempt = AttemptID(job: id, number: chunk.attempt)
                if lent.updateValue(chunk.blocks, forKey: attempt) == nil { lentOrder.append(attempt) }
            }
            while lentOrder.count > 4 * Self.memory { lent[lentOrder.removeFirst()] = nil }
        case .picture(let picture): for row in picture.nodes { remember(row.node, in: \.nodes) }
        case .fetch(let hash, _):
            if let blob = BlobReference(hash: hash, size: 1 + below(40_000)) { remember(blob, in: \.blobs) }
        default: break
        }
    }

    private mutating func remember<Thing: Equatable>(_ thing: Thing, in things: WritableKeyPath<Forger, [Thing]>) {
        guard !self[keyPath: things].contains(thing) else { return }
        if self[keyPath: things].count < Self.memory {
            self[keyPath: things].append(thing)
        } else {
            let index = below(Self.memory)
            self[keyPath: things][index] = thing
        }
    }

    // MARK: Choosing

    mutating func below(_ bound: Int) -> Int { Int(random.next(below: UInt64(max(1, bound)))) }
    mutating func chance(_ part: Double) -> Bool { random.fraction() < part }
    mutating func one<Value>(of values: [Value]) -> Value? { values.isEmpty ? nil : values[below(values.count)] }
    mutating func some<Value>(_ value: Value) -> Value? { chance(0.5) ? value : nil }

    // MARK: Values

    private static let extremes: [UInt64] = [
        0, 1, .max, .max - 1, 1 << 53, 1 << 60, (1 << 60) - 1, 1 << 59, 1 << 63, 1 << 62, (1 << 32) - 1, 1 << 16,
    ]

    mutating func number(atMost most: UInt64 = .max) -> UInt64 {
        switch below(4) {
        case 0: min(Self.extremes[below(Self.extremes.count)], most)
        case 1: most - min(most, UInt64(below(3)))
        case 2: min(UInt64(below(1 << below(20))), most)
        default: min(random.next() >> UInt64(below(64)), most)
        }
    }

    mutating func real() -> Double {
        let value = chance(0.5) ? Double(bitPattern: random.next()) : Double(number())
        return value.isNaN ? .infinity : value
    }

    mutating func range() -> ClosedRange<Double> {
        let (a, b) = (real(), real())
        return min(a, b)...max(a, b)
    }

    mutating func duration(atMost most: Int64 = 300_000_000_000_000_000) -> Duration {
        .nanoseconds(Int64(number(atMost: UInt64(most))))
    }

    private static let padding = String(repeating: "x", count: 200)

    mutating func text() -> String { chance(0.5) ? Self.mark : Self.mark + Self.padding.prefix(below(200)) }

    mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    mutating func node() -> NodeID {
        let known = one(of: nodes) ?? own
        return chance(0.7) ? known : NodeID(firstOctetsOf: octets(NodeID.length))
    }

    mutating func job() -> JobID {
        let known = one(of: jobs)
        return chance(0.8) ? known ?? JobID(1) : JobID(max(1, number()))
    }

    mutating func blob(atMost largest: Int) -> BlobReference? {
        if let known = one(of: blobs), known.size <= largest, chance(0.5) { return known }
        guard let hash = BlobHash(octets(BlobHash.length)) else { return nil }
        return BlobReference(hash: hash, size: 1 + Int(number(atMost: UInt64(largest - 1))))
    }

    mutating func hash() -> BlobHash? { blob(atMost: BlobReference.largest)?.hash }

    mutating func blocks() -> Range<UInt64> {
        let first = number(atMost: JobMessage.mostBlocks - 1)
        let left = JobMessage.mostBlocks - first
        return first..<first + max(1, chance(0.5) ? number(atMost: left) : UInt64(below(64)))
    }

    mutating func tally() -> [UInt64] {
        let slots = chance(0.8) ? VirtualSimulation.layout.slots : below(9)
        return (0..<slots).map { _ in number() }
    }

    mutating func experiment() -> Experiment {
        if let spec = one(of: specs), chance(0.5) { return spec.experiment }
        let kinds = VirtualSimulation.allCases
        let known = VirtualSimulation.experiment(
            kinds[below(kinds.count)], seed: random.next(), blockSize: 1 << UInt64(below(21)),
            cost: .milliseconds(1))
        guard chance(0.2) else { return known }
        let identity = SimulationIdentity(name: text(), source: "", streams: UInt32(number(atMost: UInt64(UInt32.max))))
        let parameters = (0..<below(JobMessage.mostParameters)).map { _ in number() }
        return Experiment(
            simulation: identity, parameters: parameters, seed: number(), blockSize: known.blockSize)
    }

    mutating func goal() -> Goal {
        let limit = max(real().magnitude, .leastNonzeroMagnitude)
        return Goal(
            trials: some(max(1, number(atMost: Goal.mostTrials))),
            precision: some(chance(0.5) ? .absolute(limit) : .relative(limit)), duration: some(duration()))
    }

    mutating func spec() -> JobSpec {
        if let known = one(of: specs), chance(0.5) { return known }
        let counts = (0..<below(3)).map { _ in
            JobTitle.Count(name: text(), slot: Int(number(atMost: UInt64(JobMessage.mostSlots - 1))))
        }
        return JobSpec(
            JobRecipe(
                experiment: experiment(), goal: goal(),
                module: chance(0.3) ? blob(atMost: BlobReference.largestModule) : nil,
                payload: chance(0.3) ? blob(atMost: BlobReference.largestPayload) : nil, collects: chance(0.3)),
            title: JobTitle(summary: text(), counts: counts))
    }

    mutating func reading() -> Reading {
        let kind = ReadingKind(rawValue: UInt8(1 + below(5))) ?? .proportion
        let bins = (0..<below(9)).map { _ in number() }
        return Reading(
            name: text(), kind: kind, value: some(real()), interval: some(range()), exact: some(real()),
            varies: chance(0.5), isSpoilt: chance(0.5), bins: bins, range: some(range()))
    }

    mutating func point() -> CoursePoint {
        CoursePoint(
            trials: number(), readings: (0..<below(3)).map { _ in reading() }, elapsed: some(duration()))
    }

    mutating func row() -> NodeRow {
        NodeRow(
            node: node(), name: text(), cores: below(Introduction.maximumCores + 1), trials: number(),
            rate: some(real().magnitude), work: chance(0.5) ? .computing : .unable(text()), roundTrip: some(duration()),
            since: duration(), effort: effort(), recomputed: some(number()))
    }

    mutating func effort() -> SearchEffort { SearchEffort(expanded: number(), inVain: number()) }
}
