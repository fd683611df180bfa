import PotluckEngine
import PotluckModel
import PotluckWire

/// Modules: octets that follow from their hash, so that one that is wrong shows.
extension Room {
    /// Mostly of a few parts, so that they come over the slowest links while somebody waits.
    private static let sizes = 1...80_000

    func newModule() -> ModuleReference {
        let words = (0..<4).map { _ in random.next() }
        let octets = (0..<ModuleHash.length).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64($0 % 8 * 8)) }
        guard let hash = ModuleHash(octets), let module = ModuleReference(hash: hash, size: pick(Self.sizes)) else {
            preconditionFailure("thirty-two octets are a hash")
        }
        return module
    }

    private static func octet(of hash: ModuleHash, at index: Int) -> UInt8 {
        hash.octets[index % ModuleHash.length] ^ UInt8(truncatingIfNeeded: index / ModuleHash.length &* 31)
    }

    func readPart(_ laptop: Laptop, _ hash: ModuleHash, _ offset: Int, for node: NodeID) {
        var octets: [UInt8] = []
        if let size = laptop.shelf[hash], offset < size {
            octets = (offset..<min(size, offset + Modules.longestPart)).map { Self.octet(of: hash, at: $0) }
        }
        if laptop.character.forges, !octets.isEmpty {
            note("\(laptop.name) forges a part of a module")
            octets[pick(0...octets.count - 1)] ^= 1
        }
        let (seat, start) = (laptop.seat, laptop.start)
        // Each by itself: they may overtake each other.
        after(.microseconds(20) ... .milliseconds(3)) { room in
            room.handle(seat, start: start, .partRead(hash, offset: offset, octets, for: node))
        }
    }

    func keepPart(_ laptop: Laptop, _ module: ModuleReference, _ offset: Int, _ octets: [UInt8]) {
        if laptop.parts[module.hash, default: [:]].updateValue(octets, forKey: offset) != nil {
            fail(.modules, "\(laptop.name) has the part at \(offset) twice")
        }
        if laptop.parts.count > Modules.most {
            fail(.bounded, "\(laptop.name) puts \(laptop.parts.count) modules together")
        }
    }

    func shelve(_ laptop: Laptop, _ module: ModuleReference) {
        guard let parts = laptop.parts.removeValue(forKey: module.hash) else {
            return fail(.modules, "\(laptop.name) shelves a module of which nothing came")
        }
        var end = 0
        var isRight = true
        for (offset, octets) in parts.sorted(by: { $0.key < $1.key }) {
            if offset != end { fail(.modules, "\(laptop.name) has \(offset) after \(end) of a module") }
            end = offset + octets.count
            isRight =
                isRight && octets.indices.allSatisfy { octets[$0] == Self.octet(of: module.hash, at: offset + $0) }
        }
        if end != module.size { fail(.modules, "\(laptop.name) has \(end) octets of a module of \(module.size)") }
        let (seat, start, right) = (laptop.seat, laptop.start, isRight)
        after(.microseconds(50) ... .milliseconds(20)) { room in
            guard room.laptops[seat].start == start else { return }
            if right {
                room.laptops[seat].shelf[module.hash] = module.size
                room.laws.tally.modules += 1
            } else {
                room.note("\(room.laptops[seat].name) got another module than the one that was named")
            }
            room.handle(seat, start: start, .shelved(module.hash, isRight: right))
        }
    }
}

/// What the engine keeps to.
private enum Modules {
    static let longestPart = JobMessage.longestPart
    /// Two at a time, and one that is being looked at.
    static let most = 3
}
