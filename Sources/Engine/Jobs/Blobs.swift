import PotluckCore

/// Transfers of blobs: those that this node fetches, each once for all its uses, and the parts that other nodes
/// request.
///
/// This type decides which part to request from which node, and keeps no bytes. The engine passes arriving parts to the
/// shell, which joins them and checks the hash.
struct Blobs: Sendable {
    /// The purpose for which a blob is wanted.
    enum Wish: Hashable, Sendable {
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

    /// The end of a wish: the blob is here, or why it is not.
    struct Outcome: Sendable, Equatable {
        let wish: Wish
        let blob: BlobReference
        let source: NodeID
        let loss: Loss?
    }

    private struct Want: Sendable {
        let blob: BlobReference
        let source: NodeID
        /// Whether the blob has arrived.
        var isHere = false
        /// While the source is disconnected: when to give up waiting for it. Nil otherwise.
        var parkedUntil: Instant?
    }

    private struct Fetch: Sendable {
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
    private struct Line: Hashable {
        let source: NodeID
        let job: JobID
    }

    private var wants = OrderedTable<Wish, Want>()
    /// The earliest time at which a parked wish is given up; nil if none is parked.
    private var nextParked: Instant?
    private var fetches = OrderedTable<BlobHash, Fetch>()
    /// For each line, the number of all fetches that had begun when its latest one began. The line that has waited
    /// longest is next, so that the outputs of one job do not hold up another job on a slow link.
    private var turns: [Line: UInt64] = [:]
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
    /// has already arrived for this wish and was not kept.
    mutating func want(
        _ blob: BlobReference, for wish: Wish, from source: NodeID, isConnected: Bool = true, _ turn: inout Turn
    ) -> Loss? {
        if let want = wants[wish], want.isHere, want.blob == blob { return .notKept(nil) }
        wants[wish] = Want(blob: blob, source: source)
        if !isConnected { park(wish, now: turn.now) }
        hasNews = true
        begin(&turn)
        return nil
    }

    /// Whether no blob is wanted.
    var isIdle: Bool { wants.count == 0 }

    /// Whether a job waits for a blob before it can be prepared.
    var hasRecipes: Bool { wants.keys.contains { if case .recipe = $0 { true } else { false } } }

    /// Drops the wishes for which `isWished` is false, and the fetches that no wish needs any more.
    mutating func keepOnly(_ turn: inout Turn, where isWished: (Wish) -> Bool) {
        let before = wants.count
        for wish in wants.keys where !isWished(wish) { wants[wish] = nil }
        guard wants.count < before else { return }
        for hash in fetches.keys {
            let isWanted = wants.values.contains { $0.blob == fetches[hash]?.blob && !$0.isHere }
            if !isWanted { giveUp(hash, &turn) }
        }
    }

    /// A part arrived. A part that was not requested from that node is ignored.
    mutating func part(
        _ hash: BlobHash, _ offset: Int, _ octets: [UInt8], from node: NodeID, _ turn: inout Turn
    ) -> [Outcome] {
        guard let fetch = fetches[hash], fetch.source == node, fetch.awaits(offset) else { return [] }
        guard octets.count == fetch.length(of: offset) else { return lose(hash, .wrong, &turn) }
        turn.act(.keepPart(fetch.blob, offset: offset, octets))
        fetches.change(hash) { $0.came(offset, now: turn.now) }
        ask(hash, &turn)
        if fetches[hash]?.isWhole == true { turn.act(.shelve(fetch.blob)) }
        return []
    }

    mutating func lacking(_ hash: BlobHash, _ why: String, from node: NodeID, _ turn: inout Turn) -> [Outcome] {
        // Once all parts are here, the shell checks the blob and does not need its source.
        guard let fetch = fetches[hash], fetch.source == node, !fetch.isWhole else { return [] }
        return lose(hash, .lacking(why), &turn)
    }

    /// Takes the shell's verdict on a whole blob. Returns the wishes that end with it.
    mutating func shelved(_ hash: BlobHash, _ shelved: Checked, _ turn: inout Turn) -> [Outcome] {
        guard let fetch = fetches[hash], fetch.isWhole else { return [] }
        switch shelved {
        case .right: break
        case .wrong: return lose(hash, .wrong, &turn)
        case .trouble(let why): return lose(hash, .notKept(why), &turn)
        }
        fetches[hash] = nil
        hasNews = true
        var outcomes: [Outcome] = []
        for (wish, want) in wants.elements where want.blob == fetch.blob && !want.isHere {
            // The wish is kept. If the job asks for the same blob again, the shell could not keep it.
            if case .recipe = wish { wants.change(wish) { $0.isHere = true } } else { wants[wish] = nil }
            outcomes.append(Outcome(wish: wish, blob: want.blob, source: want.source, loss: nil))
        }
        return outcomes
    }

    /// A node's link is lost, and parts in flight on it are lost, too. A fetch for the user of this node starts over
    /// when the node reconnects; others end with a loss.
    mutating func lost(_ node: NodeID, _ turn: inout Turn) -> [Outcome] {
        reading[node] = nil
        for hash in fetches.keys where fetches[hash]?.source == node { giveUp(hash, &turn) }
        for (wish, want) in wants.elements where want.source == node { park(wish, now: turn.now) }
        return lose(.gone) { $0.source == node && $0.parkedUntil == nil }
    }

    private mutating func park(_ wish: Wish, now: Instant) {
        guard case .whole = wish else { return }
        let until = now + JobLimits.lostJobTimeout
        wants.change(wish) { $0.parkedUntil = until }
        nextParked = min(nextParked ?? until, until)
    }

    /// Continues the wishes that wait for a node. Called when it reconnects.
    mutating func back(_ node: NodeID) {
        for (wish, want) in wants.elements where want.source == node && want.parkedUntil != nil {
            wants.change(wish) { $0.parkedUntil = nil }
            hasNews = true
        }
    }

    mutating func woke(_ turn: inout Turn) -> [Outcome] {
        let late = fetches.keys.flatMap { hash in
            guard let fetch = fetches[hash], !fetch.isWhole, fetch.deadline <= turn.now else { return [Outcome]() }
            return lose(hash, .late, &turn)
        }
        guard let next = nextParked, next <= turn.now else { return late }
        let gone = lose(.gone) { $0.parkedUntil.map { $0 <= turn.now } ?? false }
        nextParked = wants.values.compactMap(\.parkedUntil).min()
        return late + gone
    }

    var wakeTime: Instant? {
        fetches.values.reduce(nextParked) { next, fetch in
            fetch.isWhole ? next : min(next ?? fetch.deadline, fetch.deadline)
        }
    }

    /// Starts every timeout over. Called after this laptop slept.
    mutating func slept(_ now: Instant) {
        for hash in fetches.keys { fetches.change(hash) { $0.deadline = now + JobLimits.partTime } }
        for (wish, want) in wants.elements where want.parkedUntil != nil { park(wish, now: now) }
    }

    /// The blobs that are being fetched from one node.
    private struct Load {
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
        var loads: [NodeID: Load] = [:]
        var large = 0
        for fetch in fetches.values {
            loads[fetch.source, default: Load()].add(fetch.blob)
            if !fetch.blob.fitsInOnePart { large += 1 }
        }
        var held: Set<NodeID> = []
        for (line, waiting) in lines(loads) where !held.contains(line.source) {
            for want in waiting where fetches[want.blob.hash] == nil {
                // The others of this source wait, too. Otherwise small blobs would never leave room for a large one.
                guard loads[want.source, default: Load()].hasRoom(for: want.blob.size) else {
                    held.insert(want.source)
                    break
                }
                guard want.blob.fitsInOnePart || large < JobLimits.fetches else { continue }
                loads[want.source, default: Load()].add(want.blob)
                if !want.blob.fitsInOnePart { large += 1 }
                begun += 1
                turns[line] = begun
                fetches[want.blob.hash] = Fetch(
                    blob: want.blob, source: want.source, deadline: turn.now + JobLimits.partTime)
                ask(want.blob.hash, &turn)
            }
        }
    }

    /// Returns the wants that may be requested now, by line, in the order of their turns. Only nodes that can send more
    /// are asked.
    private func lines(_ loads: [NodeID: Load]) -> [(key: Line, value: [Want])] {
        var lines = OrderedTable<Line, [Want]>()
        for (wish, want) in wants.elements where !want.isHere && want.parkedUntil == nil {
            guard loads[want.source]?.isFull != true else { continue }
            let line = Line(source: want.source, job: wish.job)
            if lines[line] == nil { lines[line] = [] }
            lines.change(line) { $0.append(want) }
        }
        let turned = lines.elements.enumerated().sorted {
            (turns[$0.element.key] ?? 0, $0.offset) < (turns[$1.element.key] ?? 0, $1.offset)
        }
        return turned.map(\.element)
    }

    /// Forgets the turns of lines without a want, as soon as most lines are such.
    private mutating func forgetTurns() {
        guard turns.count > 2 * wants.count else { return }
        let lines = Set(wants.elements.map { Line(source: $0.value.source, job: $0.key.job) })
        turns = turns.filter { lines.contains($0.key) }
    }

    private mutating func ask(_ hash: BlobHash, _ turn: inout Turn) {
        fetches.change(hash) { fetch in
            while fetch.asked.count < fetch.most, fetch.next < fetch.blob.size {
                turn.send(.fetch(hash, offset: fetch.next), to: fetch.source)
                fetch.asked.append((fetch.next, turn.now))
                fetch.next += fetch.length(of: fetch.next)
            }
        }
    }

    /// Ends a fetch without the blob. All wishes for it with that source end with the loss; others may still get the
    /// blob from another source. A wish that names the same hash with another size is fetched by itself: one of the two
    /// sizes is wrong, and the node that named the other one is not to blame.
    private mutating func lose(_ hash: BlobHash, _ loss: Loss, _ turn: inout Turn) -> [Outcome] {
        guard let fetch = fetches[hash] else { return [] }
        end(hash, &turn)
        return lose(loss) { $0.blob == fetch.blob && $0.source == fetch.source }
    }

    private mutating func lose(_ loss: Loss, where isMeant: (Want) -> Bool) -> [Outcome] {
        var outcomes: [Outcome] = []
        for (wish, want) in wants.elements where !want.isHere && isMeant(want) {
            wants[wish] = nil
            outcomes.append(Outcome(wish: wish, blob: want.blob, source: want.source, loss: loss))
        }
        return outcomes
    }

    /// Ends a fetch, unless the blob is complete: then the shell is checking it, and it is not fetched again before the
    /// shell replies.
    private mutating func giveUp(_ hash: BlobHash, _ turn: inout Turn) {
        if fetches[hash]?.isWhole == false { end(hash, &turn) }
    }

    private mutating func end(_ hash: BlobHash, _ turn: inout Turn) {
        fetches[hash] = nil
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
