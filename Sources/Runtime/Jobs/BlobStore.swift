import PotluckCrypto
import PotluckKit
import PotluckModel
import PotluckSystem

/// The blobs that are here: modules, in memory those used last and on disk more of them; what jobs take and write, as long as
/// somebody holds it; and those of which parts have come.
///
/// Nothing is given out, to a node, to the sandbox or to whoever wants a file, whose hash was not looked at here.
final class BlobStore: Sendable {
    /// What a blob is kept for. It goes when nothing is left.
    enum Holder: Hashable, Sendable {
        /// It came from another node, and the engine has not said yet who takes it.
        case fetched
        /// Somebody here orders a job that takes it.
        case ordered(JobTicket)
        case job(JobID)
        case attempt(AttemptID)
        /// All that a job wrote. Another may have written the same.
        case sealed(JobID)
        /// Somebody here asked for it, and gets it in a moment.
        case asked(token: UInt64)
    }

    /// Octets, in memory or in a file.
    enum Body: Sendable {
        case memory([UInt8])
        case file(SpoolFile, count: Int)

        var count: Int {
            switch self {
            case .memory(let octets): octets.count
            case .file(_, let count): count
            }
        }

        /// So much from there on, or as much as there is.
        func part(at offset: Int, atMost length: Int) throws(SpoolFile.Trouble) -> [UInt8] {
            guard (0..<count).contains(offset) else { return [] }
            let end = offset + min(length, count - offset)
            switch self {
            case .memory(let octets): return Array(octets[offset..<end])
            case .file(let file, _): return try file.read(end - offset, at: offset)
            }
        }
    }

    /// As many modules as there are jobs at once: 32 MiB at most, and mostly one.
    private static let mostModules = 64
    /// 64 MiB at most, and mostly a few.
    private static let mostOnDisk = 128
    /// Simulations that are made of modules; each has its machine code in memory.
    private static let mostMade = 16
    /// What is longer is in a file: what a chunk writes seldom is.
    private static let longestInMemory = 2 << 20
    /// And so is the rest, where all together is more than this.
    private static let mostMemory = 64 << 20
    /// At a time a file is looked at in pieces of this.
    static let piece = 1 << 20

    private struct Entry {
        let body: Body
        var holders: Set<Holder>
    }

    private struct Parts {
        var body: Body
        var trouble: SpoolFile.Trouble?
        /// Of the octets before `summed`: parts come in order, and so there is nothing left to read when the last one is here.
        var sum = SHA256.Sum()
        var summed = 0
    }

    private struct State {
        /// The modules used last at the end.
        var modules: [(hash: BlobHash, octets: [UInt8])] = []
        var made: [(hash: BlobHash, simulation: AnySimulation)] = []
        var entries: [BlobHash: Entry] = [:]
        var parts: [BlobHash: Parts] = [:]
        /// Attempts whose output will be kept: nobody has dropped them.
        var expected: Set<AttemptID> = []
        /// Octets of entries and parts that are in memory.
        var memory = 0
    }

    private let state = Guarded(State())
    private let modules: CacheFolder?
    private let spool: String

    /// Modules are kept for the next time in `folder`; files without a name are made in `spool`.
    init(keptIn folder: String?, spool: String) {
        modules = folder.flatMap {
            CacheFolder($0, most: Self.mostOnDisk, largest: BlobReference.largestModule)
        }
        self.spool = spool
    }

    // MARK: Modules

    /// Puts a module here, and says which it is; nil where it is too large for one, or empty.
    func put(module octets: [UInt8]) -> BlobReference? {
        guard let blob = BlobReference(ofModule: octets) else { return nil }
        remember(octets, blob.hash)
        modules?.keep(octets, as: Self.name(blob.hash))
        return blob
    }

    /// All of a module; nil where it is not here.
    func module(_ hash: BlobHash) -> [UInt8]? {
        let known = state.with { state -> [UInt8]? in
            guard let index = state.modules.firstIndex(where: { $0.hash == hash }) else { return nil }
            let entry = state.modules.remove(at: index)
            state.modules.append(entry)
            return entry.octets
        }
        if let known { return known }
        // It just came.
        if let octets = octets(of: hash, atMost: BlobReference.largestModule) {
            _ = put(module: octets)
            return octets
        }
        guard let read = modules?.read(Self.name(hash)), BlobHash(SHA256.hash(read)) == hash else { return nil }
        remember(read, hash)
        return read
    }

    private func remember(_ octets: [UInt8], _ hash: BlobHash) {
        state.with { state in
            state.modules.removeAll { $0.hash == hash }
            if state.modules.count >= Self.mostModules { state.modules.removeFirst() }
            state.modules.append((hash, octets))
        }
    }

    private static func name(_ hash: BlobHash) -> String { "\(hash).wasm" }

    /// What is made of a module, once for all jobs. Called by one thread at a time.
    func simulation(
        of hash: BlobHash, _ make: ([UInt8]) -> Result<AnySimulation, PluginRefusal>
    ) -> Result<AnySimulation, PluginRefusal>? {
        let known = state.with { $0.made.first { $0.hash == hash }?.simulation }
        if let known { return .success(known) }
        guard let octets = module(hash) else { return nil }
        let made = make(octets)
        if case .success(let simulation) = made {
            state.with { state in
                if state.made.count >= Self.mostMade { state.made.removeFirst() }
                state.made.append((hash, simulation))
            }
        }
        return made
    }

    // MARK: What is held

    /// Puts octets here for somebody; nil where they are too many, or none.
    func put(_ octets: [UInt8], for holder: Holder, atMost largest: Int) throws(SpoolFile.Trouble) -> BlobReference? {
        guard let blob = BlobReference(of: octets, atMost: largest) else { return nil }
        if hold(blob.hash, for: holder) { return blob }
        if reserve(octets.count) {
            add(.memory(octets), blob.hash, holder)
        } else {
            let file = try newFile()
            try file.write(octets, at: 0)
            add(.file(file, count: octets.count), blob.hash, holder)
        }
        return blob
    }

    /// What an attempt wrote. Where it was dropped meanwhile it is not kept.
    func put(_ octets: [UInt8], of attempt: AttemptID) throws(SpoolFile.Trouble) -> BlobReference? {
        let blob = try put(octets, for: .attempt(attempt), atMost: BlobReference.largestOutput)
        if let blob, !state.with({ $0.expected.contains(attempt) }) { release(blob.hash, .attempt(attempt)) }
        return blob
    }

    func expect(_ attempt: AttemptID) { state.with { _ = $0.expected.insert(attempt) } }

    /// Nobody wants what these wrote.
    func drop(where isMeant: (AttemptID) -> Bool) {
        state.with { state in
            state.expected = state.expected.filter { !isMeant($0) }
            for (hash, entry) in state.entries {
                for case .attempt(let attempt) in entry.holders where isMeant(attempt) {
                    release(hash, .attempt(attempt), &state)
                }
            }
        }
    }

    /// All that a job wrote, put together in a file.
    func put(sealed file: SpoolFile, count: Int, _ hash: BlobHash, of job: JobID) {
        add(.file(file, count: count), hash, .sealed(job))
    }

    func newFile() throws(SpoolFile.Trouble) -> SpoolFile { try SpoolFile(in: spool) }

    private func add(_ body: Body, _ hash: BlobHash, _ holder: Holder) {
        state.with { state in
            if state.entries[hash] == nil {
                state.entries[hash] = Entry(body: body, holders: [holder])
            } else {
                state.entries[hash]?.holders.insert(holder)
                state.memory -= Self.memory(body)
            }
        }
    }

    /// Somebody else wants it, too. False where it is not here.
    func hold(_ hash: BlobHash, for holder: Holder) -> Bool {
        state.with { $0.entries[hash]?.holders.insert(holder) != nil }
    }

    func release(_ hash: BlobHash, _ holder: Holder) { state.with { release(hash, holder, &$0) } }

    private func release(_ hash: BlobHash, _ holder: Holder, _ state: inout State) {
        guard state.entries[hash]?.holders.remove(holder) != nil, let entry = state.entries[hash],
            entry.holders.isEmpty
        else { return }
        state.entries[hash] = nil
        state.memory -= Self.memory(entry.body)
    }

    /// A job has ended here.
    func release(all job: JobID) {
        drop { $0.job == job }
        state.with { state in for hash in state.entries.keys { release(hash, .job(job), &state) } }
    }

    func body(of hash: BlobHash) -> Body? { state.with { $0.entries[hash]?.body } }

    /// All of it; nil where it is not here.
    func octets(of hash: BlobHash, atMost largest: Int) -> [UInt8]? {
        guard let body = body(of: hash), body.count <= largest else { return nil }
        return try? body.part(at: 0, atMost: body.count)
    }

    /// So much of a blob, from there on; nothing where it is not here or ends before.
    func part(of hash: BlobHash, at offset: Int, atMost length: Int) -> [UInt8] {
        if let body = body(of: hash) { return (try? body.part(at: offset, atMost: length)) ?? [] }
        guard let octets = module(hash) else { return [] }
        return (try? Body.memory(octets).part(at: offset, atMost: length)) ?? []
    }

    // MARK: Parts

    func keep(_ part: [UInt8], of blob: BlobReference, at offset: Int) {
        guard offset >= 0, offset + part.count <= blob.size else { return }
        var parts: Parts
        if let known = state.with({ $0.parts.removeValue(forKey: blob.hash) }) {
            parts = known
        } else {
            do throws(SpoolFile.Trouble) {
                parts = Parts(body: try empty(blob.size))
            } catch {
                parts = Parts(body: .memory([]), trouble: error)
            }
        }
        if parts.trouble == nil {
            switch parts.body {
            case .memory(var octets):
                parts.body = .memory([])
                octets.replaceSubrange(offset..<offset + part.count, with: part)
                parts.body = .memory(octets)
            case .file(let file, _):
                do throws(SpoolFile.Trouble) { try file.write(part, at: offset) } catch { parts.trouble = error }
            }
        }
        if offset < parts.summed { (parts.sum, parts.summed) = (SHA256.Sum(), 0) }
        if offset == parts.summed {
            parts.sum.add(part)
            parts.summed += part.count
        }
        state.with { $0.parts[blob.hash] = parts }
    }

    /// Room for so many octets.
    private func empty(_ count: Int) throws(SpoolFile.Trouble) -> Body {
        reserve(count) ? .memory([UInt8](repeating: 0, count: count)) : .file(try newFile(), count: count)
    }

    /// Whether so many octets have room in memory; from now on they count.
    private func reserve(_ count: Int) -> Bool {
        state.with { state in
            guard count <= Self.longestInMemory, state.memory + count <= Self.mostMemory else { return false }
            state.memory += count
            return true
        }
    }

    private static func memory(_ body: Body) -> Int { if case .memory(let octets) = body { octets.count } else { 0 } }

    /// All parts have come: whether they are what was named.
    func shelve(_ blob: BlobReference) throws(SpoolFile.Trouble) -> Bool {
        guard let parts = state.with({ $0.parts.removeValue(forKey: blob.hash) }) else { return false }
        if let trouble = parts.trouble { throw trouble }
        for start in stride(from: parts.summed, to: blob.size, by: Self.piece) {
            parts.sum.add(try parts.body.part(at: start, atMost: Self.piece))
        }
        guard parts.body.count == blob.size, BlobHash(parts.sum.hash()) == blob.hash else {
            state.with { $0.memory -= Self.memory(parts.body) }
            return false
        }
        add(parts.body, blob.hash, .fetched)
        return true
    }

    /// Lets go of what came of it from other nodes; whoever else holds it keeps it.
    func discard(_ hash: BlobHash) {
        state.with { state in
            if let parts = state.parts.removeValue(forKey: hash) { state.memory -= Self.memory(parts.body) }
            release(hash, .fetched, &state)
        }
    }
}

extension BlobReference {
    /// Nil where they are too many, or none.
    init?(of octets: [UInt8], atMost largest: Int) {
        guard let hash = BlobHash(SHA256.hash(octets)) else { return nil }
        self.init(hash: hash, size: octets.count, atMost: largest)
    }

    public init?(ofModule octets: [UInt8]) { self.init(of: octets, atMost: Self.largestModule) }
}
