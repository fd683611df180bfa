import PotluckKit
import PotluckModel

/// What blocks wrote, as it travels: one block after the other, each with its count of octets before it in four octets, the
/// least significant first.
enum Framed {
    static let header = 4

    static func octets(_ outputs: [[UInt8]]) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(outputs.reduce(0) { $0 + header + $1.count })
        for output in outputs {
            octets += head(output)
            octets += output
        }
        return octets
    }

    static func head(_ output: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(output.count).littleEndian) { Array($0) }
    }

    static func count(_ head: ArraySlice<UInt8>) -> Int {
        Int(head.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }

    /// What so many blocks wrote; nil where that is not what the octets are.
    static func outputs(_ octets: [UInt8], blocks: Int) -> [[UInt8]]? {
        var outputs: [[UInt8]] = []
        var rest = octets[...]
        while rest.count >= header, outputs.count < blocks {
            let count = count(rest.prefix(header))
            rest = rest.dropFirst(header)
            guard count <= rest.count else { return nil }
            outputs.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return rest.isEmpty && outputs.count == blocks ? outputs : nil
    }
}

extension OutputPrint {
    /// Of what these blocks wrote.
    init(_ outputs: [[UInt8]], from first: UInt64) {
        self.init()
        for (index, octets) in outputs.enumerated() { add(octets, of: first + UInt64(index)) }
    }
}
