import PotluckCore
import PotluckKit

/// A solution of a search that a node of this machine found, for viewers on the same machine.
struct FoundSolution: Sendable, Hashable {
    let job: JobID
    let best: Best
    /// The solution as its author shows it.
    let octets: [UInt8]

    init(job: JobID, best: Best, octets: [UInt8]) {
        (self.job, self.best, self.octets) = (job, best, octets)
    }

    var content: [UInt8] {
        var writer = ByteWriter(reserving: Self.head + octets.count)
        for number in [job.number, UInt64(bitPattern: best.key), best.point] { writer.fixed(number) }
        writer.raw(octets)
        return writer.bytes
    }

    /// Returns nil if the bytes are too few.
    init?(_ content: ArraySlice<UInt8>) {
        var reader = ByteReader(content)
        guard let job = try? reader.fixed(UInt64.self), let key = try? reader.fixed(UInt64.self),
            let point = try? reader.fixed(UInt64.self)
        else { return nil }
        self.init(
            job: JobID(job), best: Best(key: Int64(bitPattern: key), point: point),
            octets: Array(content.dropFirst(Self.head)))
    }

    private static let head = 24
}
