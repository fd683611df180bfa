import PotluckCore
import PotluckKit
import PotluckSystem

/// The blobs of this node: modules, the most recently used ones in memory and more on disk; inputs and outputs of jobs,
/// for as long as they have a holder; and blobs that have arrived in part.
///
/// The store gives out no blob whose hash it has not checked, neither to a node nor to the sandbox or a file.
final class BlobStore: Sendable {
    /// A reason to keep a blob. The store drops a blob that has no holder left.
    enum Holder: Hashable, Sendable {
        /// Another node sent it, and the engine has not yet said which job needs it.
        case fetched
        /// A job that is being submitted here needs it.
        case ordered(JobTicket)
        case job(JobID)
        case attempt(AttemptID)
        /// It is the output of a job. Another job may have the same output.
        case sealed(JobID)
        /// A caller on this node asked for it and will receive it soon.
        case asked(token: UInt64)
    }

    /// A blob's bytes, in memory or in a file.
    enum Body: Sendable {
        case memory([UInt8])
        case file(SpoolFile, count: Int)

        var count: Int {
            switch self {
            case .memory(let octets): octets.count
            case .file(_, let count): count
            }
        }

        /// Returns up to `length` bytes from `offset` on, or fewer at the end.
        func part(at offset: Int, atMost length: Int) throws(SpoolFile.SpoolError) -> [UInt8] {
            guard (0..<count).contains(offset) else { return [] }
            let end = offset + min(length, count - offset)
            switch self {
            case .memory(let octets): return Array(octets[offset..<end])
            case .file(let file, _): return try file.read(end - offset, at: offset)
            }
        }
    }

    /// Modules in memory: one for each job that can run at once. They take at most 32 MiB, and usually 1 MiB.
    private static let mostModules = 64
    /// Modules in the disk cache. They take at most 64 MiB, and usually a few.
    private static let mostOnDisk = 128
    /// The number of simulations made of modules that stay in memory, each with its machine code.
    private static let mostMade = 16
    /// Blobs with more bytes than this go to files. The output of a chunk rarely does.
    private static let longestInMemory = 2 << 20
    /// The most bytes of all blobs in memory. Further blobs go to files.
    private static let mostMemory = 64 << 20
    /// The number of bytes of a file that are read at once.
    static let piece = 1 << 20

    /// A complete blob.
    private struct Entry {
        let body: Body
        var holders: Set<Holder>
    }

    /// A blob that is arriving in parts.
    private struct Parts {
        var body: Body
        /// Why a part could not be kept; nil if all were.
        var trouble: SpoolFile.SpoolError?
        /// The hash of the bytes before `summed`. Parts arrive in order, so usually nothing must be read again once the
        /// last one is here.
        var sum = SHA256.Sum()
        var summed = 0
    }

    private struct State {
        /// The most recently used module is at the end.
        var modules: [(hash: BlobHash, octets: [UInt8])] = []
        var made: [(hash: BlobHash, simulation: AnySimulation)] = []
        var entries: [BlobHash: Entry] = [:]
        var parts: [BlobHash: Parts] = [:]
        /// The attempts whose output will be kept. A dropped attempt is removed.
        var expected: Set<AttemptID> = []
        /// The number of bytes in memory, of entries and parts.
        var memory = 0
    }

    private let state = Guarded(State())
    private let modules: CacheFolder?
    private let spool: String

    /// Keeps modules for later sessions in `folder`, and makes unnamed files in `spool`.
    init(keptIn folder: String?, spool: String) {
        modules = folder.flatMap {
            CacheFolder($0, most: Self.mostOnDisk, largest: BlobReference.largestModule)
        }
        self.spool = spool
    }

    // MARK: Modules

    /// Adds a module. Returns a reference to it, or nil if it is empty or too large.
    func put(module octets: [UInt8]) -> BlobReference? {
        guard let blob = BlobReference(ofModule: octets) else { return nil }
        remember(octets, blob.hash)
        modules?.keep(octets, as: Self.name(blob.hash))
        return blob
    }

    /// Returns a module, from memory or disk. Returns nil if the store does not have it.
    func module(_ hash: BlobHash) -> [UInt8]? {
        let known = state.with { state -> [UInt8]? in
            guard let index = state.modules.firstIndex(where: { $0.hash == hash }) else { return nil }
            let entry = state.modules.remove(at: index)
            state.modules.append(entry)
            return entry.octets
        }
        if let known { return known }
        // It may have just arrived from another node.
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

    /// Returns the simulation of a module, which `make` creates only once for all jobs. Returns nil if the store does
    /// not have the module. Must be called by one thread at a time.
    func simulation(
        of hash: BlobHash, _ make: ([UInt8]) -> Result<AnySimulation, PluginError>
    ) -> Result<AnySimulation, PluginError>? {
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

    // MARK: Holders

    /// Adds bytes for a holder. Returns a reference to them, or nil if they are empty or more than `largest`.
    func put(_ octets: [UInt8], for holder: Holder, atMost largest: Int) throws(SpoolFile.SpoolError) -> BlobReference?
    {
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

    /// Adds the output of an attempt. The output is not kept if the attempt was dropped in the meantime.
    func put(_ octets: [UInt8], of attempt: AttemptID) throws(SpoolFile.SpoolError) -> BlobReference? {
        let blob = try put(octets, for: .attempt(attempt), atMost: BlobReference.largestOutput)
        if let blob, !state.with({ $0.expected.contains(attempt) }) { release(blob.hash, .attempt(attempt)) }
        return blob
    }

    /// Announces an attempt whose output will be wanted.
    func expect(_ attempt: AttemptID) { state.with { _ = $0.expected.insert(attempt) } }

    /// Drops the outputs of the attempts that match.
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

    /// Adds the output of a whole job, from a file that has it.
    func put(sealed file: SpoolFile, count: Int, _ hash: BlobHash, of job: JobID) {
        add(.file(file, count: count), hash, .sealed(job))
    }

    func newFile() throws(SpoolFile.SpoolError) -> SpoolFile { try SpoolFile(in: spool) }

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

    /// Adds a holder to a blob. Returns false if the store does not have the blob.
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

    /// Removes all holders of a job that has ended here.
    func release(all job: JobID) {
        drop { $0.job == job }
        state.with { state in for hash in state.entries.keys { release(hash, .job(job), &state) } }
    }

    func body(of hash: BlobHash) -> Body? { state.with { $0.entries[hash]?.body } }

    /// Returns all bytes of a blob. Returns nil if the store does not have it, or if it has more than `largest` bytes.
    func octets(of hash: BlobHash, atMost largest: Int) -> [UInt8]? {
        guard let body = body(of: hash), body.count <= largest else { return nil }
        return try? body.part(at: 0, atMost: body.count)
    }

    /// Returns up to `length` bytes of a blob from `offset` on. Returns none if the store does not have the blob or it
    /// ends before.
    func part(of hash: BlobHash, at offset: Int, atMost length: Int) -> [UInt8] {
        if let body = body(of: hash) { return (try? body.part(at: offset, atMost: length)) ?? [] }
        guard let octets = module(hash) else { return [] }
        return (try? Body.memory(octets).part(at: offset, atMost: length)) ?? []
    }

    // MARK: Parts

    /// Adds a part of a blob that is arriving.
    func keep(_ part: [UInt8], of blob: BlobReference, at offset: Int) {
        guard offset >= 0, offset + part.count <= blob.size else { return }
        var parts: Parts
        if let known = state.with({ $0.parts.removeValue(forKey: blob.hash) }) {
            parts = known
        } else {
            do throws(SpoolFile.SpoolError) {
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
                do throws(SpoolFile.SpoolError) { try file.write(part, at: offset) } catch { parts.trouble = error }
            }
        }
        if offset < parts.summed { (parts.sum, parts.summed) = (SHA256.Sum(), 0) }
        if offset == parts.summed {
            parts.sum.add(part)
            parts.summed += part.count
        }
        state.with { $0.parts[blob.hash] = parts }
    }

    /// Makes room for a blob of `count` bytes, in memory or in a file.
    private func empty(_ count: Int) throws(SpoolFile.SpoolError) -> Body {
        reserve(count) ? .memory([UInt8](repeating: 0, count: count)) : .file(try newFile(), count: count)
    }

    /// Reserves memory for `count` bytes. Returns false if they belong in a file instead.
    private func reserve(_ count: Int) -> Bool {
        state.with { state in
            guard count <= Self.longestInMemory, state.memory + count <= Self.mostMemory else { return false }
            state.memory += count
            return true
        }
    }

    private static func memory(_ body: Body) -> Int { if case .memory(let octets) = body { octets.count } else { 0 } }

    /// Checks the hash of a blob after its last part arrived. Returns true and keeps the blob if the hash is right.
    func shelve(_ blob: BlobReference) throws(SpoolFile.SpoolError) -> Bool {
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

    /// Drops the parts of a blob that other nodes sent. A blob with other holders stays.
    func discard(_ hash: BlobHash) {
        state.with { state in
            if let parts = state.parts.removeValue(forKey: hash) { state.memory -= Self.memory(parts.body) }
            release(hash, .fetched, &state)
        }
    }
}

extension BlobReference {
    /// Returns nil if the bytes are empty or more than `largest`.
    init?(of octets: [UInt8], atMost largest: Int) {
        guard let hash = BlobHash(SHA256.hash(octets)) else { return nil }
        self.init(hash: hash, size: octets.count, atMost: largest)
    }

    public init?(ofModule octets: [UInt8]) { self.init(of: octets, atMost: Self.largestModule) }
}
