import PotluckCrypto
import PotluckKit
import PotluckModel
import PotluckSystem

/// The modules that are here: in memory those used last, on disk more of them; and those of which parts have come.
///
/// Nothing is given out, to a node or to the sandbox, whose hash was not looked at here.
final class ModuleShelf: Sendable {
    /// As many as there are jobs at once: 32 MiB at most, and mostly one.
    private static let mostInMemory = 64
    /// 64 MiB at most, and mostly a few.
    private static let mostOnDisk = 128
    /// Simulations that are made of them; each has its machine code in memory.
    private static let mostMade = 16

    private struct State {
        /// The ones used last at the end.
        var octets: [(hash: ModuleHash, octets: [UInt8])] = []
        var made: [(hash: ModuleHash, simulation: AnySimulation)] = []
        var parts: [ModuleHash: [UInt8]] = [:]
    }

    private let state = Guarded(State())
    private let folder: CacheFolder?

    init(keptIn folder: String?) {
        self.folder = folder.flatMap {
            CacheFolder($0, most: Self.mostOnDisk, largest: ModuleReference.largest)
        }
    }

    // MARK: Whole ones

    /// Puts a module here, and says which it is; nil where it is too large for one, or empty.
    func put(_ octets: [UInt8]) -> ModuleReference? {
        guard let module = ModuleReference(of: octets) else { return nil }
        remember(octets, module.hash)
        folder?.keep(octets, as: Self.name(module.hash))
        return module
    }

    /// All of a module; nil where it is not here.
    func octets(of hash: ModuleHash) -> [UInt8]? {
        let known = state.with { state -> [UInt8]? in
            guard let index = state.octets.firstIndex(where: { $0.hash == hash }) else { return nil }
            let entry = state.octets.remove(at: index)
            state.octets.append(entry)
            return entry.octets
        }
        if let known { return known }
        guard let read = folder?.read(Self.name(hash)), ModuleHash(SHA256.hash(read)) == hash else { return nil }
        remember(read, hash)
        return read
    }

    private func remember(_ octets: [UInt8], _ hash: ModuleHash) {
        state.with { state in
            state.octets.removeAll { $0.hash == hash }
            if state.octets.count >= Self.mostInMemory { state.octets.removeFirst() }
            state.octets.append((hash, octets))
        }
    }

    private static func name(_ hash: ModuleHash) -> String { "\(hash).wasm" }

    // MARK: Parts

    /// So much of a module, from there on; nothing where it is not here or ends before.
    func part(of hash: ModuleHash, at offset: Int, atMost length: Int) -> [UInt8] {
        guard let octets = octets(of: hash), octets.indices.contains(offset) else { return [] }
        return Array(octets[offset..<min(offset + length, octets.count)])
    }

    func keep(_ part: [UInt8], of module: ModuleReference, at offset: Int) {
        state.with { state in
            var octets = state.parts.removeValue(forKey: module.hash) ?? [UInt8](repeating: 0, count: module.size)
            if offset >= 0, offset + part.count <= octets.count {
                octets.replaceSubrange(offset..<offset + part.count, with: part)
            }
            state.parts[module.hash] = octets
        }
    }

    /// All parts have come: whether they are what was named.
    func shelve(_ module: ModuleReference) -> Bool {
        guard let octets = state.with({ $0.parts.removeValue(forKey: module.hash) }),
            ModuleHash(SHA256.hash(octets)) == module.hash
        else { return false }
        return put(octets) == module
    }

    func discard(_ hash: ModuleHash) { state.with { $0.parts[hash] = nil } }

    // MARK: Simulations

    /// What is made of a module, once for all jobs. Called by one thread at a time.
    func simulation(
        of hash: ModuleHash, _ make: ([UInt8]) -> Result<AnySimulation, PluginRefusal>
    ) -> Result<AnySimulation, PluginRefusal>? {
        let known = state.with { $0.made.first { $0.hash == hash }?.simulation }
        if let known { return .success(known) }
        guard let octets = octets(of: hash) else { return nil }
        let made = make(octets)
        if case .success(let simulation) = made {
            state.with { state in
                if state.made.count >= Self.mostMade { state.made.removeFirst() }
                state.made.append((hash, simulation))
            }
        }
        return made
    }
}

extension ModuleReference {
    /// Nil where it is too large for a module, or empty.
    public init?(of octets: [UInt8]) {
        guard let hash = ModuleHash(SHA256.hash(octets)) else { return nil }
        self.init(hash: hash, size: octets.count)
    }
}
