import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// Invariants of blob transfers, tested with parts that come late, twice, wrong, from the wrong node or never.
@Suite struct BlobsTests {
    /// A node that fetches blobs, the nodes that send them, and a shell that assembles the parts.
    private struct Party {
        var random: RandomStream
        var blobs = Blobs()
        var now = Instant.start
        /// The requests that have not been answered.
        var open: [(node: NodeID, hash: BlobHash, offset: Int)] = []
        var kept: [BlobHash: [Int: Int]] = [:]
        var sizes: [BlobHash: Int] = [:]
        var shelving: [BlobHash] = []
        var wanted: Set<Blobs.Purpose> = []
        var outcomes: [Blobs.Purpose: [Blobs.Outcome]] = [:]
        /// The nodes that send other bytes than the blob's.
        var forgers: Set<NodeID> = []
        var forged: Set<BlobHash> = []

        mutating func below(_ bound: Int) -> Int { random.below(bound) }

        mutating func carryOut(_ turn: Turn, _ outcomes: [Blobs.Outcome] = []) {
            for outcome in outcomes {
                self.outcomes[outcome.purpose, default: []].append(outcome)
                wanted.remove(outcome.purpose)
            }
            for effect in turn.effects {
                switch effect {
                case .job(.keepPart(let module, let offset, let octets)):
                    #expect(kept[module.hash, default: [:]].updateValue(octets.count, forKey: offset) == nil)
                case .job(.shelve(let module)):
                    let parts = kept.removeValue(forKey: module.hash) ?? [:]
                    var end = 0
                    for (offset, count) in parts.sorted(by: { $0.key < $1.key }) {
                        #expect(offset == end)
                        end += count
                    }
                    #expect(end == module.size)
                    shelving.append(module.hash)
                case .job(.discard(let hash)):
                    kept[hash] = nil
                    forged.remove(hash)
                    shelving.removeAll { $0 == hash }
                    open.removeAll { $0.hash == hash }
                default: Issue.record("it wants \(effect)")
                }
            }
            // Messages go out after the effects: a discard ends the requests for its blob first.
            for (node, message) in turn.mail {
                guard case .fetch(let hash, let offset) = message else {
                    Issue.record("it says \(message)")
                    continue
                }
                #expect(!open.contains { $0 == (node, hash, offset) })
                open.append((node, hash, offset))
            }
            let under = Dictionary(grouping: open, by: \.hash)
            let large = under.keys.filter { sizes[$0] ?? 0 > JobMessage.longestPart }
            #expect(large.count <= JobLimits.fetches)
            for theirs in Dictionary(grouping: open, by: \.node).values {
                let blobs = Set(theirs.map(\.hash))
                let octets = blobs.reduce(0) { $0 + (sizes[$1] ?? 0) }
                #expect(
                    blobs.count <= JobLimits.fetchesOfOne
                        || blobs.count <= JobLimits.smallFetchesOfOne && octets <= JobMessage.longestPart)
            }
            #expect(under.values.allSatisfy { $0.count <= JobLimits.mostPartsAsked && Set($0.map(\.node)).count == 1 })
        }

        mutating func want(_ purpose: Blobs.Purpose, _ module: BlobReference, from node: NodeID) {
            sizes[module.hash] = module.size
            wanted.insert(purpose)
            var turn = Turn(now: .start, keepsJournal: false)
            #expect(blobs.get(module, for: purpose, from: node, &turn[at: now]) == nil)
            carryOut(turn)
        }

        /// Performs one random step.
        mutating func step() {
            var turn = Turn(now: .start, keepsJournal: false)
            switch below(12) {
            case 0:
                // A part that was not requested.
                let octets = [UInt8](repeating: 1, count: 1 + below(JobMessage.longestPart))
                let outcomes = blobs.part(
                    BlobsTests.module(below(4)).hash, below(100_000), octets, from: BlobsTests.node(9), &turn[at: now])
                #expect(outcomes.isEmpty && turn.effects.isEmpty && turn.mail.isEmpty)
            case 1 where !open.isEmpty && below(4) == 0:
                let asked = open[below(open.count)]
                open.removeAll { $0.hash == asked.hash }
                let outcomes = blobs.lacking(asked.hash, "no", from: asked.node, &turn)
                carryOut(turn, outcomes)
            case 2 where below(8) == 0:
                let node = BlobsTests.node(below(3))
                open.removeAll { $0.node == node }
                let outcomes = blobs.lost(node, &turn[at: now])
                carryOut(turn, outcomes)
            case 3 where below(8) == 0:
                now = now + JobLimits.partTime
                let outcomes = blobs.woke(&turn[at: now])
                carryOut(turn, outcomes)
            case 4 where !shelving.isEmpty:
                let hash = shelving.removeFirst()
                let outcomes = blobs.shelved(hash, forged.contains(hash) ? .wrong : .right, &turn)
                carryOut(turn, outcomes)
            case 5:
                let wanted = wanted
                blobs.keepOnly(&turn) { wanted.contains($0) }
                blobs.begin(&turn[at: now])
                carryOut(turn)
            default:
                guard !open.isEmpty else { return }
                let (node, hash, offset) = open.remove(at: below(open.count))
                var count = min(JobMessage.longestPart, (sizes[hash] ?? 0) - offset)
                if forgers.contains(node) {
                    forged.insert(hash)
                    if below(2) == 0 { count += below(2) == 0 ? 1 : -1 }
                }
                let outcomes = blobs.part(
                    hash, offset, [UInt8](repeating: 7, count: max(0, count)), from: node, &turn[at: now])
                carryOut(turn, outcomes)
            }
        }
    }

    static func node(_ number: Int) -> NodeID { NodeID([UInt8](repeating: UInt8(number), count: NodeID.length))! }

    static func module(_ number: Int) -> BlobReference {
        let hash = BlobHash([UInt8](repeating: UInt8(number), count: BlobHash.length))!
        return BlobReference(hash: hash, size: [1, 15_360, 15_361, 200_000][number])!
    }

    /// Every wish gets exactly one outcome, whatever happens.
    @Test(arguments: UInt64(0)..<200) func everyWishHasOneOutcome(seed: UInt64) {
        var party = Party(random: RandomStream(seed: seed, block: 0, lane: 0))
        if party.below(3) == 0 { party.forgers = [Self.node(1)] }
        for number in 0..<UInt64(1 + party.below(8)) {
            let purpose =
                party.below(2) == 0
                ? Blobs.Purpose.recipe(JobID(number + 1)) : .output(AttemptID(job: JobID(1), number: number))
            party.want(purpose, Self.module(party.below(4)), from: Self.node(party.below(3)))
            for _ in 0..<party.below(20) { party.step() }
        }
        let purposes = Set(party.outcomes.keys).union(party.wanted)
        var steps = 0
        while !party.wanted.isEmpty, steps < 100_000 {
            party.step()
            steps += 1
        }
        #expect(party.wanted.isEmpty)
        for purpose in purposes {
            #expect(party.outcomes[purpose]?.count == 1)
            // Only a node that sent wrong bytes is blamed.
            if case .wrong? = party.outcomes[purpose]?.first?.loss {
                #expect(party.forgers.contains(party.outcomes[purpose]![0].source))
            }
        }
    }

    /// Small blobs are fetched many at a time, so that latency costs little. Large blobs wait in a queue.
    @Test func smallBlobsComeTogether() throws {
        func asked(_ size: Int, of count: UInt8) throws -> Int {
            var blobs = Blobs()
            var turn = Turn(now: .start, keepsJournal: false)
            for number in 0..<count {
                let hash = try #require(BlobHash([UInt8](repeating: number, count: BlobHash.length)))
                let blob = try #require(BlobReference(hash: hash, size: size))
                let purpose = Blobs.Purpose.output(AttemptID(job: JobID(1), number: UInt64(number)))
                _ = blobs.get(blob, for: purpose, from: Self.node(1), &turn[at: .start])
            }
            let hashes = turn.mail.compactMap { if case .fetch(let hash, _) = $0.message { hash } else { nil } }
            return Set(hashes).count
        }
        #expect(try asked(1, of: 100) == JobLimits.smallFetchesOfOne)
        #expect(try asked(JobMessage.longestPart / 4, of: 100) == 4)
        #expect(try asked(JobMessage.longestPart, of: 100) == JobLimits.fetchesOfOne)
        #expect(try asked(10 * JobMessage.longestPart, of: 100) == JobLimits.fetchesOfOne)
    }

    /// Once all parts are there, the blob is checked even if nobody wants it any more. It is not fetched again
    /// meanwhile: the outcome on the first copy would be taken for one on the second.
    @Test(arguments: [Checked.right, .wrong]) func aBlobBeingCheckedIsNotFetchedAgain(shelved: Checked) throws {
        var blobs = Blobs()
        var turn = Turn(now: .start, keepsJournal: false)
        func fetches() -> [NodeID] {
            defer { turn = Turn(now: .start, keepsJournal: false) }
            return turn.mail.compactMap { if case .fetch = $0.message { $0.to } else { nil } }
        }
        let module = Self.module(0)
        let purposes = (1...2 as ClosedRange<UInt64>).map { Blobs.Purpose.output(AttemptID(job: JobID(1), number: $0)) }
        _ = blobs.get(module, for: purposes[0], from: Self.node(0), &turn[at: .start])
        #expect(fetches() == [Self.node(0)])
        _ = blobs.part(module.hash, 0, [7], from: Self.node(0), &turn[at: .start])
        let gone = blobs.lost(Self.node(0), &turn[at: .start])
        #expect(gone.map(\.loss) == [.gone])
        #expect(turn.effects == [.job(.keepPart(module, offset: 0, [7])), .job(.shelve(module))])
        _ = blobs.get(module, for: purposes[1], from: Self.node(1), &turn[at: .start])
        #expect(fetches().isEmpty)
        let outcomes = blobs.shelved(module.hash, shelved, &turn)
        blobs.begin(&turn[at: .start])
        if shelved == .right {
            #expect(outcomes.map(\.purpose) == [purposes[1]] && outcomes[0].loss == nil)
            #expect(fetches().isEmpty)
        } else {
            // The second node did not send the wrong bytes, so it is not blamed.
            #expect(outcomes.isEmpty && fetches() == [Self.node(1)])
        }
    }

    /// Many jobs want the same module: it is fetched once.
    @Test func manyJobsHaveItFetchedOnce() {
        var party = Party(random: RandomStream(seed: 1, block: 0, lane: 0))
        for number in UInt64(1)...20 { party.want(.recipe(JobID(number)), Self.module(3), from: Self.node(0)) }
        #expect(party.open.count == JobLimits.partsAsked)
        var asked = 0
        while let (node, hash, offset) = party.open.first {
            asked += 1
            party.open.removeFirst()
            var turn = Turn(now: .start, keepsJournal: false)
            let count = min(JobMessage.longestPart, Self.module(3).size - offset)
            let outcomes = party.blobs.part(
                hash, offset, [UInt8](repeating: 7, count: count), from: node, &turn[at: party.now])
            party.carryOut(turn, outcomes)
        }
        #expect(asked == (Self.module(3).size + JobMessage.longestPart - 1) / JobMessage.longestPart)
        var turn = Turn(now: .start, keepsJournal: false)
        let outcomes = party.blobs.shelved(Self.module(3).hash, .right, &turn)
        #expect(outcomes.count == 20 && outcomes.allSatisfy { $0.loss == nil })
        // The module is here already. A job that wants it again has not kept it, so it is not fetched again.
        #expect(
            party.blobs.get(Self.module(3), for: .recipe(JobID(1)), from: Self.node(0), &turn[at: party.now])
                == .notKept(nil))
    }

    /// While the shell checks a blob, its source may say that it lacks it. If that ended the fetch, the shell's reply would
    /// be taken for one about the next fetch.
    @Test func aBlobThatIsBeingCheckedIsNotLost() throws {
        let (blob, source) = (Self.module(3), Self.node(0))
        var party = Party(random: RandomStream(seed: 1, block: 0, lane: 0))
        party.want(.recipe(JobID(1)), blob, from: source)
        while !party.open.isEmpty {
            let offset = party.open.removeFirst().offset
            var turn = Turn(now: .start, keepsJournal: false)
            let count = min(JobMessage.longestPart, blob.size - offset)
            let outcomes = party.blobs.part(
                blob.hash, offset, [UInt8](repeating: 7, count: count), from: source, &turn[at: party.now])
            party.carryOut(turn, outcomes)
        }
        #expect(party.shelving == [blob.hash])
        var turn = Turn(now: .start, keepsJournal: false)
        #expect(party.blobs.lacking(blob.hash, "forged", from: source, &turn).isEmpty)
        #expect(turn.effects.isEmpty && turn.mail.isEmpty)
        #expect(party.blobs.shelved(blob.hash, .right, &turn).map(\.loss) == [nil])
    }

    /// A job names the hash of an output with a false size. Only the wish of that job is lost, and the node that wrote
    /// the output is not to blame.
    @Test func aFalseSizeCostsOnlyTheJobThatNamesIt() throws {
        let (blob, source) = (Self.module(0), Self.node(0))
        let misnamed = try #require(BlobReference(hash: blob.hash, size: blob.size + 1))
        let output = Blobs.Purpose.output(AttemptID(job: JobID(2), number: 1))
        let octets = [UInt8](repeating: 7, count: blob.size)
        var blobs = Blobs()
        var turn = Turn(now: .start, keepsJournal: false)
        #expect(blobs.get(misnamed, for: .recipe(JobID(1)), from: source, &turn) == nil)
        #expect(blobs.get(blob, for: output, from: source, &turn) == nil)
        let lost = blobs.part(blob.hash, 0, octets, from: source, &turn)
        #expect(lost.map(\.purpose) == [.recipe(JobID(1))] && lost.map(\.loss) == [.wrong])
        blobs.begin(&turn)
        #expect(blobs.part(blob.hash, 0, octets, from: source, &turn).isEmpty)
        let came = blobs.shelved(blob.hash, .right, &turn)
        #expect(came.map(\.purpose) == [output] && came.map(\.loss) == [nil])
    }

    /// The number of requests in flight grows while parts arrive promptly, and falls when the link is slow.
    @Test func asMuchIsUnderWayAsComesPromptly() throws {
        let hash = try #require(BlobHash([UInt8](repeating: 9, count: BlobHash.length)))
        let blob = try #require(BlobReference(hash: hash, size: 200 * JobMessage.longestPart))
        var party = Party(random: RandomStream(seed: 1, block: 0, lane: 0))
        party.want(.recipe(JobID(1)), blob, from: Self.node(0))
        func come(_ count: Int, each time: Duration) {
            for _ in 0..<count {
                let offset = party.open.removeFirst().offset
                party.now = party.now + time
                var turn = Turn(now: .start, keepsJournal: false)
                let octets = [UInt8](repeating: 7, count: JobMessage.longestPart)
                let outcomes = party.blobs.part(
                    blob.hash, offset, octets, from: Self.node(0), &turn[at: party.now])
                party.carryOut(turn, outcomes)
            }
        }
        #expect(party.open.count == JobLimits.partsAsked)
        come(3 * JobLimits.mostPartsAsked, each: .milliseconds(1))
        #expect(party.open.count == JobLimits.mostPartsAsked)
        come(3 * JobLimits.mostPartsAsked, each: JobLimits.promptPart)
        #expect(party.open.count == JobLimits.partsAsked)
    }

    /// A node sends only blobs that a job names, and limits the requests of each node.
    @Test func theBlobsGivenToANodeAreBounded() {
        var blobs = Blobs()
        var turn = Turn(now: .start, keepsJournal: false)
        let hash = Self.module(3).hash
        blobs.fetch(hash, 0, by: Self.node(1), isNamed: false, &turn)
        #expect(turn.effects.isEmpty && turn.mail.map(\.message) == [.lacking(hash, "no job here needs it")])
        blobs.ordered(Self.module(3))
        for offset in 0..<1000 { blobs.fetch(hash, offset, by: Self.node(1), isNamed: false, &turn) }
        #expect(turn.effects.count == JobLimits.fetchesOfOne * JobLimits.mostPartsAsked)
        blobs.read(hash, 0, [1], for: Self.node(1), &turn)
        blobs.fetch(hash, 0, by: Self.node(1), isNamed: false, &turn)
        #expect(turn.effects.count == JobLimits.fetchesOfOne * JobLimits.mostPartsAsked + 1)
        // Nothing is read or sent for a node that has left.
        _ = blobs.lost(Self.node(1), &turn[at: .start])
        let sent = turn.mail.count
        blobs.read(hash, 0, [1], for: Self.node(1), &turn)
        #expect(turn.mail.count == sent)
    }

    /// A wish of a local user survives a lost link: it is repeated after a reconnect, and given up after a timeout.
    @Test func aFileIsWaitedFor() {
        for comesBack in [true, false] {
            var blobs = Blobs()
            var turn = Turn(now: .start, keepsJournal: false)
            let purpose = Blobs.Purpose.whole(JobID(1), token: 7)
            #expect(blobs.get(Self.module(0), for: purpose, from: Self.node(1), &turn[at: .start]) == nil)
            #expect(turn.mail.count == 1)
            #expect(blobs.lost(Self.node(1), &turn[at: .start]) == [])
            #expect(blobs.wakeTime == .start + JobLimits.lostJobTimeout)
            blobs.begin(&turn[at: .start])
            #expect(turn.mail.count == 1)
            guard comesBack else {
                let outcomes = blobs.woke(&turn[at: .start + JobLimits.lostJobTimeout])
                #expect(outcomes.map(\.purpose) == [purpose] && outcomes.map(\.loss) == [.gone])
                #expect(blobs.isIdle)
                continue
            }
            blobs.back(Self.node(1))
            blobs.begin(&turn[at: .start])
            #expect(turn.mail.count == 2)
            _ = blobs.part(Self.module(0).hash, 0, [1], from: Self.node(1), &turn[at: .start])
            let outcomes = blobs.shelved(Self.module(0).hash, .right, &turn)
            #expect(outcomes.map(\.loss) == [nil] && blobs.isIdle)
        }
    }

    /// A blob that cannot be stored is not blamed on its sender.
    @Test func noRoomIsNoLie() {
        var blobs = Blobs()
        var turn = Turn(now: .start, keepsJournal: false)
        let purpose = Blobs.Purpose.output(AttemptID(job: JobID(1), number: 1))
        _ = blobs.get(Self.module(0), for: purpose, from: Self.node(1), &turn[at: .start])
        _ = blobs.part(Self.module(0).hash, 0, [1], from: Self.node(1), &turn[at: .start])
        let outcomes = blobs.shelved(Self.module(0).hash, .trouble("the disk is full"), &turn)
        #expect(outcomes.map(\.loss) == [.notKept("the disk is full")])
    }

    /// A node without cores that holds a replica fetches the job's module or tables, because it may have to resume the
    /// job.
    @Test(arguments: [true, false]) func aReplicaHolderFetchesTheJobsBlobs(hasModule: Bool) throws {
        let nodes = (1...2 as ClosedRange<UInt8>).compactMap { NodeID([UInt8](repeating: $0, count: 16)) }
        let id = JobID(5)
        let hash = try #require(BlobHash([UInt8](repeating: 9, count: 32)))
        let blob = try #require(BlobReference(hash: hash, size: 1000))
        let order = VirtualNode.order(seed: 1, goal: Goal(trials: 1000))
        var workerTasks = WorkerTasks(cores: 0)
        func effects(_ body: (inout WorkerTasks, inout Turn) -> Void) -> [Effect] {
            var turn = Turn(now: .start, keepsJournal: false)
            body(&workerTasks, &turn)
            return turn.effects
        }
        let spec = JobSpec(
            JobRecipe(
                experiment: order.experiment, goal: order.goal, module: hasModule ? blob : nil,
                payload: hasModule ? nil : blob))
        #expect(effects { $0.job(id, spec, epoch: 0, from: nodes[0], &$1) }.isEmpty)
        #expect(effects { $0.hold(id, from: nodes[1], &$1) }.isEmpty && workerTasks.preparing(id) == nil)
        #expect(effects { $0.hold(id, from: nodes[0], &$1) } == [.job(.prepare(id, spec.recipe))])
        #expect(workerTasks.preparing(id)?.coordinator == nodes[0])
        #expect(effects { $0.hold(id, from: nodes[0], &$1) }.isEmpty)
        var turn = Turn(now: .start, keepsJournal: false)
        workerTasks.prepared(id, .ready(VirtualNode.facts), &turn)
        #expect(turn.mail.count == 1)
        // The blob is not requested again when the node gets cores.
        #expect(effects { $0.took(cores: 2, &$1) }.isEmpty)
    }
}
