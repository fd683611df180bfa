import PotluckCore
import PotluckKit

/// The format of outputs in transit: for each block the length of its output, in four bytes with the least significant
/// first, and then the output.
package enum Framed {
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

    /// Passes the complete outputs at the start of `octets` to `take`, at most `blocks` of them. Returns the number of
    /// bytes consumed.
    static func read(_ octets: [UInt8], atMost blocks: Int, _ take: ([UInt8]) throws -> Void) rethrows -> Int {
        var start = 0
        for _ in 0..<blocks {
            var reader = ByteReader(octets[start...])
            guard let count = try? Int(reader.fixed(UInt32.self)), count <= reader.remaining else { break }
            let body = start + header
            try take(Array(octets[body..<body + count]))
            start = body + count
        }
        return start
    }

    /// Returns the outputs of exactly `blocks` blocks. Returns nil if `octets` has any other form.
    package static func outputs(_ octets: [UInt8], blocks: Int) -> [[UInt8]]? {
        var outputs: [[UInt8]] = []
        let count = read(octets, atMost: blocks) { outputs.append($0) }
        return count == octets.count && outputs.count == blocks ? outputs : nil
    }
}

extension OutputPrint {
    /// The print of the outputs of consecutive blocks, beginning with block `first`.
    init(_ outputs: [[UInt8]], from first: UInt64) {
        self.init()
        for (index, octets) in outputs.enumerated() { add(octets, of: first + UInt64(index)) }
    }
}
