import PotluckCompute
import PotluckCrypto
import PotluckKit
import PotluckModel

extension ChunkRunner {
    /// A simulation that writes: what it writes goes onto the shelf, and the tally tells of it.
    init(_ simulation: PreparedSimulation, onto shelf: Shelf) {
        self.init { request, _, shouldStop in
            let outcome = simulation.outcome(of: request, shouldStop)
            guard case .done(var reply) = outcome else { return outcome }
            var print = OutputPrint()
            for (index, octets) in reply.outputs.enumerated() {
                let block = request.blocks.lowerBound + UInt64(index)
                print.add(octets, of: block)
                do throws(Shelf.Trouble) {
                    try shelf.put(octets, of: block)
                } catch {
                    return .failed(block: block, text: error.reason)
                }
            }
            simulation.layout.put(print, into: &reply.slots)
            reply.outputs = []
            return .done(reply)
        }
    }
}

extension OutputPrint {
    /// What a block wrote: four hashes, each of its SHA-256, its number and the hash's own, in numbers of eight octets.
    mutating func add(_ octets: [UInt8], of block: UInt64) {
        let whole = SHA256.hash(octets)
        let hashes = (0..<4 as Range<UInt64>).map { SHA256.slots(of: whole + Self.octets(of: [block, $0])) }
        add(octets: UInt64(octets.count), hashes: hashes)
    }

    static func octets(of slots: [UInt64]) -> [UInt8] {
        slots.flatMap { slot in withUnsafeBytes(of: slot.littleEndian) { Array($0) } }
    }
}

extension SHA256 {
    /// A hash as four numbers, the least significant octet of each first.
    static func slots(of octets: [UInt8]) -> [UInt64] {
        let hash = hash(octets)
        return stride(from: 0, to: length, by: 8).map { at in
            (0..<8).reduce(0) { $0 | UInt64(hash[at + $1]) << UInt64(8 * $1) }
        }
    }
}

extension [Table] {
    /// What workers get of them: for each rows, columns and the numbers.
    public var payload: [UInt64] {
        flatMap { [UInt64($0.rows), UInt64($0.columns)] + $0.numbers.map(\.bitPattern) }
    }
}
