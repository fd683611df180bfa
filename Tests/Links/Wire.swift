import PotluckCore
import PotluckNet

/// Two ends of a link and the bytes in flight between them, split as TCP might split them.
struct Wire {
    var ends: [LinkCore]
    var news: [[LinkCore.News]] = [[], []]
    /// The bytes that left one end and have not reached the other.
    var underWay: [[UInt8]] = [[], []]
    var now = Instant.start
    private var generator: SeededGenerator

    init(seed: UInt64) {
        ends = [LinkCore(at: .start, asksFirst: true), LinkCore(at: .start, asksFirst: false)]
        generator = SeededGenerator(seed: seed)
    }

    /// Takes one record from an end. Returns false if it has nothing to send.
    mutating func fill(_ end: Int) -> Bool {
        let record = Self.record(of: &ends[end])
        underWay[end] += record
        return !record.isEmpty
    }

    static func record(of core: inout LinkCore) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: LinkLimits.frameHeader + LinkLimits.frameBody) { buffer, count in
            count = core.fill(UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Delivers some of the bytes in flight to the other end.
    mutating func deliver(from end: Int) throws {
        guard !underWay[end].isEmpty else { return }
        let most = UInt64(underWay[end].count)
        let count = Int(generator.next(below: generator.next(below: 4) == 0 ? most : min(most, 50))) + 1
        let chunk = Array(underWay[end].prefix(count))
        underWay[end].removeFirst(chunk.count)
        try chunk.withUnsafeBytes { try ends[1 - end].receive($0, at: now, into: &news[1 - end]) }
        ends[1 - end].returnCredit()
    }

    /// Delivers until nothing is in flight.
    mutating func exchange() throws {
        var isMoving = true
        while isMoving {
            isMoving = false
            for end in 0...1 {
                if fill(end) { isMoving = true }
                while !underWay[end].isEmpty {
                    try deliver(from: end)
                    isMoving = true
                }
            }
        }
    }

    func messages(at end: Int) -> [[UInt8]] {
        news[end].compactMap { if case .message(let message) = $0 { message } else { nil } }
    }
}

extension LinkCore {
    /// Receives these bytes at once and returns what they contain.
    mutating func receive(_ octets: [UInt8], at now: Instant = .start) throws -> [News] {
        var news: [News] = []
        try octets.withUnsafeBytes { try receive($0, at: now, into: &news) }
        return news
    }
}

/// Encodes a frame.
func frame(_ kind: UInt8, _ body: [UInt8], flags: UInt8 = 0) -> [UInt8] {
    [UInt8(body.count & 0xff), UInt8(body.count >> 8), kind, flags] + body
}
