import PotluckModel
import PotluckWire

/// The blobs that are fetched, each once for all that want it, and the parts that other nodes ask for.
///
/// It decides which node is asked for which part, and keeps no octets. Parts go to the shell as they come; the shell joins them and
/// checks the hash.
struct Blobs: Sendable {
    /// What a blob is wanted for.
    enum Wish: Hashable, Sendable {
        /// To prepare a job: its module or its tables.
        case recipe(JobID)
        /// The output of a chunk.
        case output(AttemptID)
        /// The output of a job, for the user of this node; the token is for the answer.
        case whole(JobID, token: UInt64)
    }

    /// Why a blob did not come.
    enum Loss: Sendable, Equatable {
        /// The source does not have it, and says why.
        case lacking(String)
        case late
        /// The octets do not match the hash.
        case wrong
        /// The source disconnected.
        case gone
        /// It came and could not be kept: why, if that is known.
        case notKept(String?)

        /// Whether another node may have it.
        var isOfSource: Bool { if case .notKept = self { false } else { true } }

        /// In one line, with what it is and the name of who should have sent it.
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
        /// Whether it came already.
        var isHere = false
        /// Its source has no link just now, and is waited for until then.
        var parkedUntil: Instant?
    }

    private struct Fetch: Sendable {
        let blob: BlobReference
        let source: NodeID
        /// Before this all has been asked for.
        var next = 0
        /// Where the parts that have not come yet begin, and when they were asked for.
        var asked: [(offset: Int, at: Instant)] = []
        /// How many parts may be under way.
        var most = JobLimits.partsAsked
        var deadline: Instant

        /// All of it is here, and the shell looks whether it is right.
        var isWhole: Bool { asked.isEmpty && next == blob.size }

        func length(of offset: Int) -> Int { min(JobMessage.longestPart, blob.size - offset) }

        /// False where that was not asked for.
        func awaits(_ offset: Int) -> Bool { asked.contains { $0.offset == offset } }

        mutating func came(_ offset: Int, now: Instant) {
            guard let index = asked.firstIndex(where: { $0.offset == offset }) else { return }
            let isPrompt = now - asked.remove(at: index).at <= JobLimits.promptPart
            most = isPrompt ? min(most + 1, JobLimits.mostPartsAsked) : max(most - 1, JobLimits.partsAsked)
            deadline = now + JobLimits.partTime
        }
    }

    private var wants = OrderedTable<Wish, Want>()
    /// No wish is parked until an earlier time. Nil where none is parked.
    private var nextParked: Instant?
    private var fetches = OrderedTable<BlobHash, Fetch>()
    /// What jobs ordered here name, the newest last: their coordinators may ask for it.
    private var ordered: [BlobHash] = []
    /// Whether something may be asked for that was not before.
    private var hasNews = false
    /// How many parts the shell is reading for each node.
    private var reading = OrderedTable<NodeID, Int>()

    // MARK: Coming here

    /// A blob is not here. Nil where its source is asked for it, as soon as it is connected.
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

    /// Whether nothing is wanted here.
    var isIdle: Bool { wants.count == 0 }

    /// Whether a job waits for something to get ready.
    var hasRecipes: Bool { wants.keys.contains { if case .recipe = $0 { true } else { false } } }

    /// Forgets the wishes that nobody has any more.
    mutating func keepOnly(_ turn: inout Turn, where isWished: (Wish) -> Bool) {
        let before = wants.count
        for wish in wants.keys where !isWished(wish) { wants[wish] = nil }
        guard wants.count < before else { return }
        for hash in fetches.keys {
            let isWanted = wants.elements.contains { $0.value.blob.hash == hash && !$0.value.isHere }
            if !isWanted { giveUp(hash, &turn) }
        }
    }

    /// A part came; what nobody asked that node for is nothing.
    mutating func part(
        _ hash: BlobHash, _ offset: Int, _ octets: [UInt8], from node: NodeID, _ turn: inout Turn
    ) -> [Outcome] {
        guard let fetch = fetches[hash], fetch.source == node, fetch.awaits(offset) else { return [] }
        guard octets.count == fetch.length(of: offset) else { return lose(hash, .wrong, &turn) }
        turn.effects.append(.keepPart(fetch.blob, offset: offset, octets))
        fetches.change(hash) { $0.came(offset, now: turn.now) }
        ask(hash, &turn)
        if fetches[hash]?.isWhole == true { turn.effects.append(.shelve(fetch.blob)) }
        return []
    }

    mutating func lacking(_ hash: BlobHash, _ why: String, from node: NodeID, _ turn: inout Turn) -> [Outcome] {
        guard fetches[hash]?.source == node else { return [] }
        return lose(hash, .lacking(why), &turn)
    }

    /// The shell has looked at a whole blob.
    mutating func shelved(_ hash: BlobHash, _ shelved: Shelved, _ turn: inout Turn) -> [Outcome] {
        guard let fetch = fetches[hash], fetch.isWhole else { return [] }
        switch shelved {
        case .right: break
        case .wrong: return lose(hash, .wrong, &turn)
        case .trouble(let why): return lose(hash, .notKept(why), &turn)
        }
        fetches[hash] = nil
        hasNews = true
        var outcomes: [Outcome] = []
        for (wish, want) in wants.elements where want.blob.hash == hash && !want.isHere {
            // What gets a job ready is remembered: asked for a second time, it could not be kept.
            if case .recipe = wish { wants.change(wish) { $0.isHere = true } } else { wants[wish] = nil }
            outcomes.append(Outcome(wish: wish, blob: want.blob, source: want.source, loss: nil))
        }
        return outcomes
    }

    /// A node's link is lost: what was under way over it will not come. What somebody here wants to have is asked for anew when
    /// it is back.
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

    /// A node has a link again.
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

    /// Nobody is judged by the time that this laptop slept.
    mutating func slept(_ now: Instant) {
        for hash in fetches.keys { fetches.change(hash) { $0.deadline = now + JobLimits.partTime } }
        for (wish, want) in wants.elements where want.parkedUntil != nil { park(wish, now: now) }
    }

    /// What is under way from one node.
    private struct Load {
        var blobs = 0
        var octets = 0

        /// Beyond the usual number, blobs may be asked for as long as all of them together fit into one part: a link that is slow to
        /// answer brings a thousand small blobs as soon as one large one.
        func hasRoom(for blob: BlobReference) -> Bool {
            blobs < JobLimits.fetchesOfOne
                || blobs < JobLimits.smallFetchesOfOne && octets + blob.size <= JobMessage.longestPart
        }

        mutating func add(_ blob: BlobReference) {
            blobs += 1
            octets += blob.size
        }
    }

    /// Asks for what is wanted and not under way, few blobs at a time, and of each node fewer.
    mutating func begin(_ turn: inout Turn) {
        guard hasNews else { return }
        hasNews = false
        var loads: [NodeID: Load] = [:]
        var large = 0
        for fetch in fetches.values {
            loads[fetch.source, default: Load()].add(fetch.blob)
            if !fetch.blob.fitsInOnePart { large += 1 }
        }
        for want in wants.values where !want.isHere && want.parkedUntil == nil {
            guard loads[want.source, default: Load()].hasRoom(for: want.blob),
                want.blob.fitsInOnePart || large < JobLimits.fetches, fetches[want.blob.hash] == nil
            else { continue }
            loads[want.source, default: Load()].add(want.blob)
            if !want.blob.fitsInOnePart { large += 1 }
            fetches[want.blob.hash] = Fetch(
                blob: want.blob, source: want.source, deadline: turn.now + JobLimits.partTime)
            ask(want.blob.hash, &turn)
        }
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

    /// It does not come from there: whoever wanted it from there goes without. Others may have it from elsewhere.
    private mutating func lose(_ hash: BlobHash, _ loss: Loss, _ turn: inout Turn) -> [Outcome] {
        guard let source = fetches[hash]?.source else { return [] }
        end(hash, &turn)
        return lose(loss) { $0.blob.hash == hash && $0.source == source }
    }

    private mutating func lose(_ loss: Loss, where isMeant: (Want) -> Bool) -> [Outcome] {
        var outcomes: [Outcome] = []
        for (wish, want) in wants.elements where !want.isHere && isMeant(want) {
            wants[wish] = nil
            outcomes.append(Outcome(wish: wish, blob: want.blob, source: want.source, loss: loss))
        }
        return outcomes
    }

    /// What is whole already is in the shell's hands: it is not fetched again before the shell has said what it is.
    private mutating func giveUp(_ hash: BlobHash, _ turn: inout Turn) {
        if fetches[hash]?.isWhole == false { end(hash, &turn) }
    }

    private mutating func end(_ hash: BlobHash, _ turn: inout Turn) {
        fetches[hash] = nil
        hasNews = true
        turn.effects.append(.discard(hash))
    }

    // MARK: Going elsewhere

    /// A job was ordered here that names it.
    mutating func ordered(_ blob: BlobReference) {
        ordered.removeAll { $0 == blob.hash }
        if ordered.count >= 2 * JobLimits.jobs { ordered.removeFirst() }
        ordered.append(blob.hash)
    }

    /// A node asks for a part. `isNamed` says whether a job of this node's own names the blob: what else is kept here is
    /// nobody's business.
    mutating func fetch(_ hash: BlobHash, _ offset: Int, by node: NodeID, isNamed: Bool, _ turn: inout Turn) {
        guard isNamed || ordered.contains(hash) else {
            return turn.send(.lacking(hash, "no job here needs it"), to: node)
        }
        // Nobody who keeps to the rules asks for more at once.
        let count = reading[node] ?? 0
        guard count < JobLimits.fetchesOfOne * JobLimits.mostPartsAsked else { return }
        reading[node] = count + 1
        turn.effects.append(.readPart(hash, offset: offset, for: node))
    }

    /// The shell has read it; nothing where it is not here or has no such part.
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
