import PotluckModel
import PotluckWire

/// Modules on their way here, each once however many jobs want it, and the parts of them that others ask for.
///
/// It decides who is asked for what, and never sees an octet that it keeps: parts go to the shell as they come, which puts
/// them together and looks whether they are what the job names.
struct Modules: Sendable {
    /// Why a job's module did not come.
    enum Loss: Sendable, Equatable {
        /// Whoever should have it said so, and why.
        case lacking(String)
        case late
        /// What came is another one.
        case wrong
        case gone
        /// It came, and is not here all the same.
        case notKept

        /// In one line, with the name of who should have sent it.
        func words(_ sender: String) -> String {
            switch self {
            case .lacking(let why): "its module does not come from \(sender): \(why)"
            case .late:
                "its module does not come from \(sender): nothing for \(JobLimits.partTime.components.seconds) s"
            case .wrong: "what \(sender) sent is not the module that the job names: its SHA-256 is another"
            case .gone: "its module does not come: \(sender) is gone"
            case .notKept: "its module came from \(sender), but could not be kept here"
            }
        }
    }

    /// What came of a job's wish: its module is here now, or why not.
    struct Verdict: Sendable, Equatable {
        let job: JobID
        let source: NodeID
        let loss: Loss?
    }

    private struct Want: Sendable {
        let module: ModuleReference
        let source: NodeID
        /// Whether it came already.
        var isHere = false
    }

    private struct Fetch: Sendable {
        let module: ModuleReference
        let source: NodeID
        /// Before this all has been asked for.
        var next = 0
        /// Where the parts that have not come yet begin.
        var asked: [Int] = []
        var deadline: Instant

        /// All of it is here, and the shell looks whether it is right.
        var isWhole: Bool { asked.isEmpty && next == module.size }

        func length(of offset: Int) -> Int { min(JobMessage.longestPart, module.size - offset) }
    }

    private var wants = OrderedTable<JobID, Want>()
    private var fetches = OrderedTable<ModuleHash, Fetch>()
    /// What jobs ordered here name, the newest last: their coordinators may ask for it.
    private var ordered: [ModuleHash] = []
    /// How many parts the shell is reading for each node.
    private var reading = OrderedTable<NodeID, Int>()

    // MARK: Coming here

    /// A job's module is not here. Nil where somebody is asked for it.
    mutating func want(
        _ module: ModuleReference, for job: JobID, from source: NodeID, _ deeds: inout Deeds, now: Instant
    ) -> Loss? {
        if let want = wants[job], want.isHere { return .notKept }
        wants[job] = Want(module: module, source: source)
        begin(&deeds, now: now)
        return nil
    }

    /// Whether nothing is wanted here.
    var isIdle: Bool { wants.count == 0 }

    /// Which jobs want something.
    var jobs: [JobID] { wants.keys }

    /// Forgets the wishes of all other jobs: nobody gets them ready any more.
    mutating func keepOnly(_ jobs: [JobID], _ deeds: inout Deeds, now: Instant) {
        for job in wants.keys where !jobs.contains(job) { wants[job] = nil }
        for hash in fetches.keys {
            let isWanted = wants.elements.contains { $0.value.module.hash == hash && !$0.value.isHere }
            if !isWanted { end(hash, &deeds) }
        }
        begin(&deeds, now: now)
    }

    /// A part came; what nobody asked that node for is nothing.
    mutating func part(
        _ hash: ModuleHash, _ offset: Int, _ octets: [UInt8], from node: NodeID, _ deeds: inout Deeds, now: Instant
    ) -> [Verdict] {
        guard let fetch = fetches[hash], fetch.source == node, fetch.asked.contains(offset) else { return [] }
        guard octets.count == fetch.length(of: offset) else { return lose(hash, .wrong, &deeds) }
        deeds.effects.append(.keepPart(fetch.module, offset: offset, octets))
        fetches.change(hash) {
            $0.asked.removeAll { $0 == offset }
            $0.deadline = now + JobLimits.partTime
        }
        ask(hash, &deeds)
        if fetches[hash]?.isWhole == true { deeds.effects.append(.shelve(fetch.module)) }
        return []
    }

    mutating func lacking(_ hash: ModuleHash, _ why: String, from node: NodeID, _ deeds: inout Deeds) -> [Verdict] {
        guard fetches[hash]?.source == node else { return [] }
        return lose(hash, .lacking(why), &deeds)
    }

    /// The shell has looked at a whole module.
    mutating func shelved(_ hash: ModuleHash, isRight: Bool, _ deeds: inout Deeds) -> [Verdict] {
        guard let fetch = fetches[hash], fetch.isWhole else { return [] }
        guard isRight else { return lose(hash, .wrong, &deeds) }
        fetches[hash] = nil
        var verdicts: [Verdict] = []
        for (job, want) in wants.elements where want.module.hash == hash && !want.isHere {
            wants.change(job) { $0.isHere = true }
            verdicts.append(Verdict(job: job, source: want.source, loss: nil))
        }
        return verdicts
    }

    /// A node's link is lost: what was under way over it will not come.
    mutating func lost(_ node: NodeID, _ deeds: inout Deeds) -> [Verdict] {
        reading[node] = nil
        for hash in fetches.keys where fetches[hash]?.source == node { end(hash, &deeds) }
        return lose(.gone) { $0.source == node }
    }

    mutating func woke(_ deeds: inout Deeds, now: Instant) -> [Verdict] {
        fetches.keys.flatMap { hash in
            guard let fetch = fetches[hash], !fetch.isWhole, fetch.deadline <= now else { return [Verdict]() }
            return lose(hash, .late, &deeds)
        }
    }

    var wakeTime: Instant? { fetches.elements.filter { !$0.value.isWhole }.map(\.value.deadline).min() }

    /// Nobody is judged by the time that this laptop slept.
    mutating func slept(_ now: Instant) {
        for hash in fetches.keys { fetches.change(hash) { $0.deadline = now + JobLimits.partTime } }
    }

    /// Asks for what is wanted and not under way, few modules at a time.
    private mutating func begin(_ deeds: inout Deeds, now: Instant) {
        for (_, want) in wants.elements where !want.isHere && fetches[want.module.hash] == nil {
            guard fetches.count < JobLimits.fetches else { return }
            fetches[want.module.hash] = Fetch(
                module: want.module, source: want.source, deadline: now + JobLimits.partTime)
            ask(want.module.hash, &deeds)
        }
    }

    private mutating func ask(_ hash: ModuleHash, _ deeds: inout Deeds) {
        fetches.change(hash) { fetch in
            while fetch.asked.count < JobLimits.partsAsked, fetch.next < fetch.module.size {
                deeds.send(.fetch(hash, offset: fetch.next), to: fetch.source)
                fetch.asked.append(fetch.next)
                fetch.next += fetch.length(of: fetch.next)
            }
        }
    }

    /// It does not come from there: whoever wanted it from there goes without. Others may have it from elsewhere.
    private mutating func lose(_ hash: ModuleHash, _ loss: Loss, _ deeds: inout Deeds) -> [Verdict] {
        guard let source = fetches[hash]?.source else { return [] }
        end(hash, &deeds)
        return lose(loss) { $0.module.hash == hash && $0.source == source }
    }

    private mutating func lose(_ loss: Loss, where isMeant: (Want) -> Bool) -> [Verdict] {
        var verdicts: [Verdict] = []
        for (job, want) in wants.elements where !want.isHere && isMeant(want) {
            wants[job] = nil
            verdicts.append(Verdict(job: job, source: want.source, loss: loss))
        }
        return verdicts
    }

    private mutating func end(_ hash: ModuleHash, _ deeds: inout Deeds) {
        fetches[hash] = nil
        deeds.effects.append(.discard(hash))
    }

    // MARK: Going elsewhere

    /// A job was ordered here that names it.
    mutating func ordered(_ module: ModuleReference) {
        ordered.removeAll { $0 == module.hash }
        if ordered.count >= JobLimits.jobs { ordered.removeFirst() }
        ordered.append(module.hash)
    }

    /// A node asks for a part. `isNamed` says whether a job of this node's own names the module: what else is kept here is
    /// nobody's business.
    mutating func fetch(_ hash: ModuleHash, _ offset: Int, by node: NodeID, isNamed: Bool, _ deeds: inout Deeds) {
        guard isNamed || ordered.contains(hash) else {
            return deeds.send(.lacking(hash, "no job here names it"), to: node)
        }
        // Nobody who keeps to the rules asks for more at once.
        let count = reading[node] ?? 0
        guard count < JobLimits.fetches * JobLimits.partsAsked else { return }
        reading[node] = count + 1
        deeds.effects.append(.readPart(hash, offset: offset, for: node))
    }

    /// The shell has read it; nothing where it is not here or has no such part.
    mutating func read(_ hash: ModuleHash, _ offset: Int, _ octets: [UInt8], for node: NodeID, _ deeds: inout Deeds) {
        guard let count = reading[node] else { return }
        reading[node] = count > 1 ? count - 1 : nil
        deeds.send(
            octets.isEmpty ? .lacking(hash, "it is not kept any more") : .part(hash, offset: offset, octets: octets),
            to: node)
    }
}
