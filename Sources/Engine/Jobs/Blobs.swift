import PotluckCore

/// Transfers of blobs: those that this node fetches, each once for all its uses, and the parts that other nodes
/// request.
///
/// This type decides which part to request from which node, and keeps no bytes. The engine passes arriving parts to the
/// shell, which joins them and checks the hash.
struct Blobs: Sendable {
    /// The purpose for which a blob is wanted.
    enum Purpose: Hashable, Sendable {
        /// To prepare a job: its module or its tables.
        case recipe(JobID)
        /// The output of a chunk.
        case output(AttemptID)
        /// The output of a job, for the user of this node; the token is for the answer.
        case whole(JobID, token: UInt64)

        var job: JobID {
            switch self {
            case .recipe(let job), .whole(let job, _): job
            case .output(let attempt): attempt.job
            }
        }
    }

    /// Why a blob did not come.
    enum Loss: Sendable, Equatable {
        /// The source does not have it, and says why.
        case lacking(String)
        case late
        /// The bytes do not match the hash.
        case wrong
        /// The source disconnected.
        case gone
        /// It arrived and could not be stored; the reason, if it is known.
        case notKept(String?)

        /// Whether the source is the cause, so that another node may have the blob.
        var isOfSource: Bool { if case .notKept = self { false } else { true } }

        /// Returns the reason in one line. `what` names the blob and ends with a verb; `sender` is the source's name.
        func words(_ what: String, from sender: String) -> String {
            switch self {
            case .lacking(let why): "\(what) not arrive from \(sender): \(why)"
            case .late: "\(what) not arrive from \(sender): no data for \(JobLimits.partTime.components.seconds) s"
            case .wrong: "\(what) not arrive from \(sender): wrong SHA-256"
            case .gone: "\(what) not arrive: \(sender) disconnected"
            case .notKept(let why): "\(what) not fit here\(why.map { ": \($0)" } ?? "")"
            }
        }
    }

    /// A blob is here for its purpose, or why it is not.
    struct Outcome: Sendable, Equatable {
        let purpose: Purpose
        let blob: BlobReference
        let source: NodeID
        let loss: Loss?
    }

    /// A blob that this node needs for one purpose.
    private struct WantedBlob: Sendable {
        let blob: BlobReference
        let source: NodeID
        /// Whether the blob has arrived.
        var isHere = false
        /// While the source is disconnected: when to give up waiting for it. Nil otherwise.
        var parkedUntil: Instant?
    }

    /// A blob whose parts this node requests from one node.
    private struct Transfer: Sendable {
        let blob: BlobReference
        let source: NodeID
        /// The offset of the first part that was not requested yet.
        var next = 0
        /// The parts in flight: their offsets, and when they were requested.
        var asked: [(offset: Int, at: Instant)] = []
        /// The most parts in flight; adjusted to the speed of the link.
        var most = JobLimits.partsAsked
        var deadline: Instant

        /// Whether all parts have arrived. The shell is checking the blob then.
        var isWhole: Bool { asked.isEmpty && next == blob.size }

        func length(of offset: Int) -> Int { min(JobMessage.longestPart, blob.size - offset) }

        /// Whether the part at this offset is in flight.
        func awaits(_ offset: Int) -> Bool { asked.contains { $0.offset == offset } }

        mutating func came(_ offset: Int, now: Instant) {
            guard let index = asked.firstIndex(where: { $0.offset == offset }) else { return }
            let isPrompt = now - asked.remove(at: index).at <= JobLimits.promptPart
            most = isPrompt ? min(most + 1, JobLimits.mostPartsAsked) : max(most - 1, JobLimits.partsAsked)
            deadline = now + JobLimits.partTime
        }
    }

    /// The blobs that one node sends for one job.
    private struct TransferQueue: Hashable {
        let source: NodeID
        let job: JobID
    }

    private var wanted = OrderedTable<Purpose, WantedBlob>()
    /// The earliest time at which a parked blob is given up; nil if none is parked.
    private var nextParked: Instant?
    private var transfers = OrderedTable<BlobHash, Transfer>()
    /// For each queue, the number of all transfers that had begun when its latest one began. The queue that has waited
    /// longest is next, so that the outputs of one job do not hold up another job on a slow link.
    private var turns: [TransferQueue: UInt64] = [:]
    private var begun: UInt64 = 0
    /// The blobs of jobs that were ordered at this node, the newest last. The coordinators of these jobs may request
    /// them.
    private var ordered: [BlobHash] = []
    /// Whether `begin` may find a blob to request since its last call.
    private var hasNews = false
    /// The number of parts that the shell is reading for each node.
    private var reading = OrderedTable<NodeID, Int>()

    // MARK: Fetching

    /// Fetches a blob that this node lacks, as soon as its source is connected. Returns nil, or the loss if the blob
    /// has already arrived for this purpose and was not kept.
    mutating func get(
        _ blob: BlobReference, for purpose: Purpose, from source: NodeID, isConnected: Bool = true, _ turn: inout Turn
    ) -> Loss? {
        if let item = wanted[purpose], item.isHere, item.blob == blob { return .notKept(nil) }
        wanted[purpose] = WantedBlob(blob: blob, source: source)
        if !isConnected { park(purpose, now: turn.now) }
        hasNews = true
        begin(&turn)
        return nil
    }

    /// Whether no blob is wanted.
    var isIdle: Bool { wanted.count == 0 }

    /// Whether a job waits for a blob before it can be prepared.
    var hasRecipes: Bool { wanted.keys.contains { if case .recipe = $0 { true } else { false } } }

    /// Drops the blobs for whose purpose `isNeeded` is false, and the transfers that no purpose needs any more.
    mutating func keepOnly(_ turn: inout Turn, where isNeeded: (Purpose) -> Bool) {
        let before = wanted.count
        for purpose in wanted.keys where !isNeeded(purpose) { wanted[purpose] = nil }
        guard wanted.count < before else { return }
        for hash in transfers.keys {
            let isWanted = wanted.values.contains { $0.blob == transfers[hash]?.blob && !$0.isHere }
            if !isWanted { giveUp(hash, &turn) }
        }
    }

    /// A part arrived. A part that was not requested from that node is ignored.
    mutating func part(
        _ hash: BlobHash, _ offset: Int, _ octets: [UInt8], from node: NodeID, _ turn: inout Turn
    ) -> [Outcome] {
        guard let transfer = transfers[hash], transfer.source == node, transfer.awaits(offset) else { return [] }
        guard octets.count == transfer.length(of: offset) else { return lose(hash, .wrong, &turn) }
        turn.act(.keepPart(transfer.blob, offset: offset, octets))
        transfers.change(hash) { $0.came(offset, now: turn.now) }
        ask(hash, &turn)
        if transfers[hash]?.isWhole == true { turn.act(.shelve(transfer.blob)) }
        return []
    }

    mutating func lacking(_ hash: BlobHash, _ why: String, from node: NodeID, _ turn: inout Turn) -> [Outcome] {
        // Once all parts are here, the shell checks the blob and does not need its source.
        guard let transfer = transfers[hash], transfer.source == node, !transfer.isWhole else { return [] }
        return lose(hash, .lacking(why), &turn)
    }

    /// Takes the shell's verdict on a whole blob. Returns the purposes that it serves.
    mutating func shelved(_ hash: BlobHash, _ shelved: Checked, _ turn: inout Turn) -> [Outcome] {
        guard let transfer = transfers[hash], transfer.isWhole else { return [] }
        switch shelved {
        case .right: break
        case .wrong: return lose(hash, .wrong, &turn)
        case .trouble(let why): return lose(hash, .notKept(why), &turn)
        }
        transfers[hash] = nil
        hasNews = true
        var outcomes: [Outcome] = []
        for (purpose, item) in wanted.elements where item.blob == transfer.blob && !item.isHere {
            // It stays wanted. If the job asks for the same blob again, the shell could not keep it.
            if case .recipe = purpose { wanted.change(purpose) { $0.isHere = true } } else { wanted[purpose] = nil }
            outcomes.append(Outcome(purpose: purpose, blob: item.blob, source: item.source, loss: nil))
        }
        return outcomes
    }

    /// A node's link is lost, and parts in flight on it are lost, too. A transfer for the user of this node starts over
    /// when the node reconnects; others end with a loss.
    mutating func lost(_ node: NodeID, _ turn: inout Turn) -> [Outcome] {
        reading[node] = nil
        for hash in transfers.keys where transfers[hash]?.source == node { giveUp(hash, &turn) }
        for (purpose, item) in wanted.elements where item.source == node { park(purpose, now: turn.now) }
        return lose(.gone) { $0.source == node && $0.parkedUntil == nil }
    }

    private mutating func park(_ purpose: Purpose, now: Instant) {
        guard case .whole = purpose else { return }
        let until = now + JobLimits.lostJobTimeout
        wanted.change(purpose) { $0.parkedUntil = until }
        nextParked = min(nextParked ?? until, until)
    }

    /// Continues to fetch the blobs that wait for a node. Called when it reconnects.
    mutating func back(_ node: NodeID) {
        for (purpose, item) in wanted.elements where item.source == node && item.parkedUntil != nil {
            wanted.change(purpose) { $0.parkedUntil = nil }
            hasNews = true
        }
    }

    mutating func woke(_ turn: inout Turn) -> [Outcome] {
        let late = transfers.keys.flatMap { hash in
            guard let transfer = transfers[hash], !transfer.isWhole, transfer.deadline <= turn.now else {
                return [Outcome]()
            }
            return lose(hash, .late, &turn)
        }
        guard let next = nextParked, next <= turn.now else { return late }
        let gone = lose(.gone) { $0.parkedUntil.map { $0 <= turn.now } ?? false }
        nextParked = wanted.values.compactMap(\.parkedUntil).min()
        return late + gone
    }

    var wakeTime: Instant? {
        transfers.values.reduce(nextParked) { next, transfer in
            transfer.isWhole ? next : min(next ?? transfer.deadline, transfer.deadline)
        }
    }

    /// Starts every timeout over. Called after this laptop slept.
    mutating func slept(_ now: Instant) {
        for hash in transfers.keys { transfers.change(hash) { $0.deadline = now + JobLimits.partTime } }
        for (purpose, item) in wanted.elements where item.parkedUntil != nil { park(purpose, now: now) }
    }

    /// The blobs that are being fetched from one node.
    private struct SourceLoad {
        var blobs = 0
        var octets = 0

        /// Whether one more blob may be fetched. Beyond the usual number, blobs may be fetched as long as all of them
        /// together fit into one part. So a slow link brings many small blobs as soon as one large one.
        func hasRoom(for size: Int) -> Bool {
            blobs < JobLimits.fetchesOfOne
                || blobs < JobLimits.smallFetchesOfOne && octets + size <= JobMessage.longestPart
        }

        /// Whether not even the smallest blob may be fetched.
        var isFull: Bool { !hasRoom(for: 1) }

        mutating func add(_ blob: BlobReference) {
            blobs += 1
            octets += blob.size
        }
    }

    /// Requests the blobs that are wanted and not in flight, within the limits for each node and for all nodes
    /// together.
    mutating func begin(_ turn: inout Turn) {
        guard hasNews else { return }
        hasNews = false
        forgetTurns()
        var loads: [NodeID: SourceLoad] = [:]
        var large = 0
        for transfer in transfers.values {
            loads[transfer.source, default: SourceLoad()].add(transfer.blob)
            if !transfer.blob.fitsInOnePart { large += 1 }
        }
        var held: Set<NodeID> = []
        for (queue, waiting) in queues(loads) where !held.contains(queue.source) {
            for item in waiting where transfers[item.blob.hash] == nil {
                // The others of this source wait, too. Otherwise small blobs would never leave room for a large one.
                guard loads[item.source, default: SourceLoad()].hasRoom(for: item.blob.size) else {
                    held.insert(item.source)
                    break
                }
                guard item.blob.fitsInOnePart || large < JobLimits.fetches else { continue }
                loads[item.source, default: SourceLoad()].add(item.blob)
                if !item.blob.fitsInOnePart { large += 1 }
                begun += 1
                turns[queue] = begun
                transfers[item.blob.hash] = Transfer(
                    blob: item.blob, source: item.source, deadline: turn.now + JobLimits.partTime)
                ask(item.blob.hash, &turn)
            }
        }
    }

    /// Returns the blobs that may be requested now, by queue, in the order of their turns. Only nodes that can send
    /// more are asked.
    private func queues(_ loads: [NodeID: SourceLoad]) -> [(key: TransferQueue, value: [WantedBlob])] {
        var queues = OrderedTable<TransferQueue, [WantedBlob]>()
        for (purpose, item) in wanted.elements where !item.isHere && item.parkedUntil == nil {
            guard loads[item.source]?.isFull != true else { continue }
            let queue = TransferQueue(source: item.source, job: purpose.job)
            if queues[queue] == nil { queues[queue] = [] }
            queues.change(queue) { $0.append(item) }
        }
        let turned = queues.elements.enumerated().sorted {
            (turns[$0.element.key] ?? 0, $0.offset) < (turns[$1.element.key] ?? 0, $1.offset)
        }
        return turned.map(\.element)
    }

    /// Forgets the turns of empty queues, as soon as most queues are empty.
    private mutating func forgetTurns() {
        guard turns.count > 2 * wanted.count else { return }
        let queues = Set(wanted.elements.map { TransferQueue(source: $0.value.source, job: $0.key.job) })
        turns = turns.filter { queues.contains($0.key) }
    }

    private mutating func ask(_ hash: BlobHash, _ turn: inout Turn) {
        transfers.change(hash) { transfer in
            while transfer.asked.count < transfer.most, transfer.next < transfer.blob.size {
                turn.send(.fetch(hash, offset: transfer.next), to: transfer.source)
                transfer.asked.append((transfer.next, turn.now))
                transfer.next += transfer.length(of: transfer.next)
            }
        }
    }

    /// Ends a transfer without the blob. All purposes that name that source get the loss; others may still get the
    /// blob from another source. A blob with the same hash and another size is fetched by itself: one of the two sizes
    /// is wrong, and the node that named the other one is not to blame.
    private mutating func lose(_ hash: BlobHash, _ loss: Loss, _ turn: inout Turn) -> [Outcome] {
        guard let transfer = transfers[hash] else { return [] }
        end(hash, &turn)
        return lose(loss) { $0.blob == transfer.blob && $0.source == transfer.source }
    }

    private mutating func lose(_ loss: Loss, where isMeant: (WantedBlob) -> Bool) -> [Outcome] {
        var outcomes: [Outcome] = []
        for (purpose, item) in wanted.elements where !item.isHere && isMeant(item) {
            wanted[purpose] = nil
            outcomes.append(Outcome(purpose: purpose, blob: item.blob, source: item.source, loss: loss))
        }
        return outcomes
    }

    /// Ends a transfer, unless the blob is complete: then the shell is checking it, and it is not fetched again before
    /// the shell replies.
    private mutating func giveUp(_ hash: BlobHash, _ turn: inout Turn) {
        if transfers[hash]?.isWhole == false { end(hash, &turn) }
    }

    private mutating func end(_ hash: BlobHash, _ turn: inout Turn) {
        transfers[hash] = nil
        hasNews = true
        turn.act(.discard(hash))
    }

    // MARK: Serving

    /// Allows coordinators to fetch a blob of a job that was ordered at this node.
    mutating func ordered(_ blob: BlobReference) {
        ordered.removeAll { $0 == blob.hash }
        if ordered.count >= 2 * JobLimits.jobs { ordered.removeFirst() }
        ordered.append(blob.hash)
    }

    /// A node requests a part. `isNamed` says whether one of this node's jobs needs the blob. Other blobs are not given
    /// out.
    mutating func fetch(_ hash: BlobHash, _ offset: Int, by node: NodeID, isNamed: Bool, _ turn: inout Turn) {
        guard isNamed || ordered.contains(hash) else {
            return turn.send(.lacking(hash, "no job here needs it"), to: node)
        }
        // No correct node has more requests in flight, so this one is ignored.
        let count = reading[node] ?? 0
        guard count < JobLimits.fetchesOfOne * JobLimits.mostPartsAsked else { return }
        reading[node] = count + 1
        turn.act(.readPart(hash, offset: offset, for: node))
    }

    /// The shell has read a part for a node. `octets` is empty if the blob is not here or has no such part.
    mutating func read(_ hash: BlobHash, _ offset: Int, _ octets: [UInt8], for node: NodeID, _ turn: inout Turn) {
        guard let count = reading[node] else { return }
        reading[node] = count > 1 ? count - 1 : nil
        turn.send(
            octets.isEmpty ? .lacking(hash, "it is no longer available") : .part(hash, offset: offset, octets: octets),
            to: node)
    }
}

extension BlobReference {
    fileprivate var fitsInOnePart: Bool { size <= JobMessage.longestPart }
}
