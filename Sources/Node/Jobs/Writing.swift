import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckSystem

extension ChunkRunner {
    /// Creates a runner for a simulation that writes output. The runner adds a print of the output to the tally and
    /// passes the output to `keep`, which may return the blob to fetch it by.
    init(
        _ simulation: PreparedSimulation,
        keep: @escaping @Sendable (_ outputs: [[UInt8]], _ first: UInt64) throws(SpoolFile.SpoolError) -> BlobReference?
    ) {
        self.init { request, isFresh, shouldStop in
            let outcome = simulation.outcome(of: request, isFresh: isFresh, shouldStop)
            guard case .done(var reply, _) = outcome else { return outcome }
            let first = request.blocks.lowerBound
            simulation.layout.put(OutputPrint(reply.outputs, from: first), into: &reply.slots)
            do throws(SpoolFile.SpoolError) {
                let output = reply.outputs.isEmpty ? nil : try keep(reply.outputs, first)
                reply.outputs = []
                return .done(reply, output)
            } catch {
                return .failed(block: first, text: error.reason)
            }
        }
    }
}

extension OutputPrint {
    /// Adds the output of a block. Its four hashes each cover the output's SHA-256, the block's number and the hash's
    /// own number; both numbers have eight bytes.
    mutating func add(_ octets: [UInt8], of block: UInt64) {
        let whole = SHA256.hash(octets)
        let hashes = (0..<4 as Range<UInt64>).map { SHA256.slots(of: whole + [block, $0].octets) }
        add(octets: UInt64(octets.count), hashes: hashes)
    }
}

extension SHA256 {
    /// The SHA-256 of `octets` as four numbers.
    static func slots(of octets: [UInt8]) -> [UInt64] {
        guard let slots = [UInt64](octets: hash(octets)) else { preconditionFailure("a hash has 32 octets") }
        return slots
    }
}

extension [Table] {
    /// The tables as they travel to workers: for each table the rows, the columns and the numbers, eight bytes each.
    public var payload: [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(payloadSize)
        for table in self {
            octets += [UInt64(table.rows), UInt64(table.columns)].octets
            #if _endian(little)
                table.numbers.withUnsafeBytes { octets.append(contentsOf: $0) }
            #else
                octets += table.numbers.map(\.bitPattern).octets
            #endif
        }
        return octets
    }

    private var payloadSize: Int { reduce(0) { $0 + 8 * (2 + $1.numbers.count) } }

    /// Why the tables cannot travel to other nodes, in one line; nil if they can.
    public var obstacle: String? {
        guard payloadSize > BlobReference.largestPayload else { return nil }
        return
            "the tables have \((payloadSize + (1 << 20) - 1) >> 20) MiB, more than the \(BlobReference.largestPayload >> 20) MiB "
            + "that a session carries; run it on one machine"
    }

    /// Returns nil if the bytes do not have the form of tables, or if a number is not finite.
    public init?(payload octets: [UInt8]) {
        guard octets.count.isMultiple(of: 8) else { return nil }
        self = []
        let count = octets.count / 8
        let isRight = octets.withUnsafeBytes { bytes in
            func slot(_ index: Int) -> UInt64 {
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
            }
            var next = 0
            while next < count {
                guard next + 2 <= count, let rows = Int(exactly: slot(next)),
                    let columns = Int(exactly: slot(next + 1)),
                    case let (size, overflow) = rows.multipliedReportingOverflow(by: columns), !overflow,
                    rows > 0 || columns == 0, size <= count - next - 2
                else { return false }
                let start = next + 2
                var areFinite = true
                let numbers = [Double](writing: size) { numbers, count in
                    for index in 0..<size {
                        let number = Double(bitPattern: slot(start + index))
                        areFinite = areFinite && number.isFinite
                        numbers.initializeElement(at: index, to: number)
                    }
                    count = size
                }
                guard areFinite else { return false }
                append(Table(rows: rows, columns: columns, numbers: numbers))
                next = start + size
            }
            return true
        }
        if !isRight { return nil }
    }
}
