import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// A node that computes on a virtual clock: an engine and cores that take random times. It uses no threads and never
/// waits.
struct VirtualNode {
    /// The tally: a count of hits, whose value can be computed without running the trials.
    struct Hits: SimulationTally {
        var hits = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("hits", &hits) }
    }

    static let blockSize: UInt64 = 16

    /// Returns the hits of one block: a function of seed and block, as for every simulation, and about 30 % of the
    /// trials.
    static func hits(seed: UInt64, block: UInt64, trials: UInt64) -> UInt64 {
        let words = Philox.words(key: seed, counter: SIMD4(UInt32(truncatingIfNeeded: block), 0, 0, 1))
        var hits: UInt64 = 0
        for trial in 0..<Int(trials) where words[trial / 4] >> UInt32(trial % 4 * 8) & 0xff < 77 { hits += 1 }
        return hits
    }

    /// Returns the tally of the first `trials` trials, computed block by block.
    static func reference(seed: UInt64, trials: UInt64) -> [UInt64] {
        var hits: UInt64 = 0
        var block: UInt64 = 0
        while block * blockSize < trials {
            hits += Self.hits(seed: seed, block: block, trials: min(blockSize, trials - block * blockSize))
            block += 1
        }
        return [hits]
    }

    static func order(seed: UInt64, goal: Goal) -> JobOrder {
        JobOrder(
            JobRecipe(
                experiment: Experiment(
                    simulation: SimulationIdentity(name: "hits", source: "", streams: RandomStream.version),
                    parameters: [],
                    seed: seed, blockSize: blockSize), goal: goal))
    }

    static let facts = JobFacts(
        layout: TallyLayout(of: Hits.self), blockSize: blockSize,
        title: JobTitle(counts: [JobTitle.Count(name: "hits", slot: 0)]))

    /// A chunk on a core, with the time when it will be done.
    private struct Working {
        let chunk: Chunk
        let experiment: Experiment
        let trials: UInt64?
        let begin: Instant
        let end: Instant
        let blockCost: Duration
    }

    private(set) var now = Instant.start
    private(set) var snapshots: [JobSnapshot] = []
    private(set) var result: JobResult?
    /// The results of all jobs that have ended.
    private(set) var results: [JobID: JobResult] = [:]
    /// Why the job failed.
    private(set) var failure: String?
    /// The total time of all cores without a chunk.
    private(set) var idle = Duration.zero
    private(set) var chunks: [Chunk] = []

    private var engine: Engine
    private var random: RandomStream
    private let cores: Int
    private let blockCost: Duration
    private var queued: [(chunk: Chunk, experiment: Experiment, trials: UInt64?)] = []
    private var working: [Working] = []
    /// The readings under way, in order, with the time when each will be done.
    private var reads: [(request: ReadRequest, end: Instant)] = []
    private var wake: Instant?

    /// What is wrong with the simulation.
    struct Faults {
        /// Chunks that contain this block or a later one fail.
        var failsFrom = UInt64.max
        /// Chunks that contain this block or a later one return results that do not fit what was lent.
        var misfitsFrom = UInt64.max
        /// Chunks that contain this block or a later one hang. They fail at the limit of their time, which a core that
        /// others share reaches after `hang`.
        var hangsFrom = UInt64.max
        var hang = Duration.zero
    }
    var faults = Faults()
    /// The time that a reading takes. If zero, chance decides when a reading is done.
    var readCost = Duration.zero
    /// The largest number of readings that were under way at once.
    private(set) var mostReads = 0
    /// When the last chunk was done.
    private(set) var lastChunk = Instant.start

    /// `blockCost` is the mean. The blocks of a chunk take half to twice as long.
    init(cores: Int, blockCost: Duration, chance: UInt64) {
        self.cores = cores
        self.blockCost = blockCost
        random = RandomStream(seed: chance, block: 0, lane: 0)
        let id = NodeID([UInt8](repeating: 7, count: 16))!
        engine = Engine(EngineSetup(node: id, name: "ana", cores: cores, seed: chance), now: .start)
    }

    mutating func submit(_ order: JobOrder) { handle(.wanted(.order(order, Self.ticket), token: 1)) }

    /// Stops all jobs.
    mutating func stop() {
        for job in jobs where results[job] == nil { handle(.wanted(.command(.cancel, job, ticket: nil), token: 2)) }
    }

    private static let ticket = JobTicket([UInt8](repeating: 3, count: JobTicket.length))!
    /// The jobs, in the order in which they were submitted.
    private(set) var jobs: [JobID] = []
    /// The number of chunks that the cores have or that wait for one.
    var inHand: Int { queued.count + working.count }

    /// Runs until all jobs have ended or the virtual time reaches the limit.
    mutating func run(until limit: Instant = Instant(nanoseconds: .max >> 2)) {
        while results.isEmpty || results.count < jobs.count, failure == nil {
            // Readings are delayed at random, but come in order.
            if readCost == .zero, !reads.isEmpty, working.isEmpty || random.chance(0.8) {
                read()
                continue
            }
            let slow = readCost > .zero ? reads.first?.end : nil
            guard let next = ([wake, slow].compactMap { $0 } + working.map(\.end)).min(), next <= limit else {
                if reads.isEmpty { return }
                read()
                continue
            }
            idle = idle + (next - now) * (cores - working.count)
            now = next
            if let index = working.firstIndex(where: { $0.end == next }) {
                let done = working.remove(at: index)
                fill()
                lastChunk = now
                bring(done, upTo: done.chunk.blocks.upperBound)
            } else if slow == next {
                read()
            } else {
                wake = nil
                handle(.woke)
            }
        }
    }

    /// The laptop sleeps, and its cores with it.
    mutating func sleep(_ time: Duration) {
        now = now + time
        working = working.map {
            Working(
                chunk: $0.chunk, experiment: $0.experiment, trials: $0.trials, begin: $0.begin + time,
                end: $0.end + time, blockCost: $0.blockCost)
        }
        reads = reads.map { ($0.request, $0.end + time) }
        wake = nil
        handle(.woke)
    }

    private mutating func read() {
        var request = reads.removeFirst().request
        if request.purpose == .opening {
            let seed = engine.coordinator.runs.first { $0.id == request.job }?.spec.experiment.seed ?? 0
            let tally = Self.reference(seed: seed, trials: request.trials)
            request = ReadRequest(job: request.job, tally: tally, trials: request.trials, purpose: .opening)
        }
        handle(.read(request, Self.readings(request)))
    }

    private static func readings(_ request: ReadRequest) -> [Reading] {
        guard request.trials > 0 else { return [] }
        let n = Double(request.trials)
        let p = Double(request.tally[0]) / n
        let half = 1.96 * (p * (1 - p) / n).squareRoot()
        return [
            Reading(
                name: "p", kind: .proportion, value: p, interval: (p - half)...(p + half), exact: 0.3,
                varies: p > 0 && p < 1)
        ]
    }

    private mutating func handle(_ event: Event) {
        for effect in engine.handle(event, at: now) {
            switch effect {
            case .job(.prepare(let id, _)): handle(.prepared(id, .ready(Self.facts)))
            // Commands are answered so, too.
            case .answer(.taken(let id), _): if !jobs.contains(id) { jobs.append(id) }
            case .job(.compute(let chunk, let experiment, let trials, _)):
                chunks.append(chunk)
                queued.append((chunk, experiment, trials))
                fill()
            case .job(.interrupt): interrupt()
            case .job(.read(let request)):
                reads.append((request, max(now, reads.last?.end ?? now) + readCost))
                mostReads = max(mostReads, reads.count)
            case .wake(let instant): wake = instant
            case .tell(.snapshot(let snapshot)): snapshots.append(snapshot)
            case .tell(.finished(let id, let result, _)): (self.result, results[id]) = (result, result)
            case .job(.drop(let attempts)):
                queued.removeAll { attempts.contains($0.chunk.attempt) }
                // A chunk that hangs continues until it fails.
                working.removeAll {
                    attempts.contains($0.chunk.attempt) && $0.chunk.blocks.upperBound <= faults.hangsFrom
                }
            case .tell(.failed(_, let why)): failure = "\(why)"
            case .session, .answer, .tell(.lost), .tell(.news), .job(.record), .job(.collect), .job(.seal),
                .job(.unseal):
                Issue.record("a node alone has no \(effect)")
            case .job: break
            }
        }
    }

    private mutating func fill() {
        while working.count < cores, !queued.isEmpty {
            let (chunk, experiment, trials) = queued.removeFirst()
            let cost = Duration.nanoseconds(Int64(Double(blockCost.nanoseconds) * random.real(in: 0.5..<2)))
            working.append(
                Working(
                    chunk: chunk, experiment: experiment, trials: trials, begin: now,
                    end: now
                        + (chunk.blocks.upperBound > faults.hangsFrom ? faults.hang : cost * Int(chunk.blocks.count)),
                    blockCost: cost))
        }
    }

    /// Ends every running chunk at its current block. Chunks that have not begun return empty.
    private mutating func interrupt() {
        let (running, waiting) = (working, queued)
        working = []
        queued = []
        for task in running.shuffled(&random) {
            let blocks = (now - task.begin).nanoseconds / max(1, task.blockCost.nanoseconds) + 1
            bring(task, upTo: min(task.chunk.blocks.upperBound, task.chunk.blocks.lowerBound + UInt64(blocks)))
        }
        for (chunk, experiment, trials) in waiting {
            let task = Working(
                chunk: chunk, experiment: experiment, trials: trials, begin: now, end: now, blockCost: .zero)
            bring(task, upTo: chunk.blocks.lowerBound)
        }
    }

    private mutating func bring(_ task: Working, upTo end: UInt64) {
        let failsFrom = min(faults.failsFrom, faults.hangsFrom)
        if end > failsFrom {
            let block = max(failsFrom, task.chunk.blocks.lowerBound)
            return handle(
                .computed([.failed(ChunkFailure(attempt: task.chunk.attempt, block: block, text: "no more"))]))
        }
        var hits: UInt64 = 0
        for block in task.chunk.blocks.lowerBound..<end {
            let left = task.trials.map { $0 - block * Self.blockSize } ?? .max
            hits += Self.hits(seed: task.experiment.seed, block: block, trials: min(left, Self.blockSize))
        }
        let busy = task.blockCost * Int(end - task.chunk.blocks.lowerBound)
        var (end, tally) = (end, [hits])
        if end > faults.misfitsFrom, random.chance(0.5) {
            tally.append(0)
        } else if end > faults.misfitsFrom {
            end += 1 << 40
        }
        handle(.computed([.done(ChunkResult(attempt: task.chunk.attempt, end: end, tally: tally, busy: busy))]))
    }
}

extension Array {
    fileprivate func shuffled(_ random: inout RandomStream) -> [Element] {
        var copy = self
        random.shuffle(&copy)
        return copy
    }
}
