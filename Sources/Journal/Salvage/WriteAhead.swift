/// What SQLite has written beside a store and not yet into it (`-wal`), read from octets of which any may be wrong.
///
/// Each frame is a page with a checksum that goes on from the one before. SQLite reads up to the first frame that is wrong. Here the
/// frames behind it are looked at, too: each says what the checksum before it was.
struct WriteAhead {
    /// A page that was written.
    struct Frame {
        /// Counted from 1, as SQLite does.
        let page: Int
        /// Where its octets begin.
        let start: Int
        let isWhole: Bool
        /// Whether it ends a transaction.
        let isCommit: Bool
    }

    static let headerLength = 32
    static let frameHeaderLength = 24
    private static let magic: UInt32 = 0x377f_0682
    private static let pageSize = StoreHeader.pageSize

    let octets: [UInt8]
    /// Those of the present log; older ones may lie behind them.
    let frames: [Frame]
    /// How many frames SQLite can read.
    let readable: Int
    /// Two numbers that are in each frame of the log, and others in the next log.
    let salts: UInt64

    init(_ octets: [UInt8]) {
        self.octets = octets
        let reader = Reader(octets)
        let isHeaderWhole = reader.isHeaderWhole
        // Where the header is wrong, the first frame says what belongs to it.
        salts = reader.word(isHeaderWhole ? 16 : Self.headerLength + 8)
        let length = Self.frameHeaderLength + Self.pageSize
        let count = max(0, octets.count - Self.headerLength) / length
        var frames: [Frame] = []
        var chain = 0
        for slot in 0..<count {
            let start = Self.headerLength + slot * length
            guard reader.word(start + 8) == salts else { continue }
            let before = slot == 0 ? 24 : start - length + 16
            let isWhole = reader.isFrameWhole(at: start, seed: before)
            if isHeaderWhole, isWhole, chain == slot { chain += 1 }
            frames.append(
                Frame(
                    page: Int(reader.number(start)), start: start + Self.frameHeaderLength, isWhole: isWhole,
                    isCommit: reader.number(start + 4) != 0))
        }
        self.frames = frames
        readable = chain
    }

    /// Whether something is there that SQLite does not come to. The last transaction may be half written where a program was killed,
    /// and nobody was told that it was safe.
    var isDamaged: Bool { frames.contains { $0.isWhole && ($0.start - Self.headerLength) / Self.frame >= readable } }

    private static let frame = frameHeaderLength + pageSize

    /// The newest state of each page that was committed.
    var pages: [Int: Range<Int>] {
        var pages: [Int: Range<Int>] = [:]
        guard let last = frames.lastIndex(where: { $0.isCommit && $0.isWhole }) else { return pages }
        for frame in frames[...last] where frame.isWhole && frame.page > 0 {
            pages[frame.page] = frame.start..<(frame.start + Self.pageSize)
        }
        return pages
    }

    /// Numbers at places, which are in the octets.
    private struct Reader {
        let octets: [UInt8]
        let isBigEndian: Bool

        init(_ octets: [UInt8]) {
            self.octets = octets
            isBigEndian = octets.count >= 4 && octets[3] & 1 == 1
        }

        /// Four octets, the largest first; 0 beyond the end.
        func number(_ at: Int) -> UInt32 {
            guard at + 4 <= octets.count else { return 0 }
            return octets.withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: at, as: UInt32.self)) }
        }

        func word(_ at: Int) -> UInt64 { UInt64(number(at)) << 32 | UInt64(number(at + 4)) }

        var isHeaderWhole: Bool {
            guard octets.count >= WriteAhead.headerLength, number(0) & ~1 == WriteAhead.magic,
                number(8) == UInt32(WriteAhead.pageSize)
            else { return false }
            return checksum(0..<24, from: (0, 0)) == (number(24), number(28))
        }

        func isFrameWhole(at start: Int, seed: Int) -> Bool {
            let page = start + WriteAhead.frameHeaderLength
            var sum = checksum(start..<(start + 8), from: (number(seed), number(seed + 4)))
            sum = checksum(page..<(page + WriteAhead.pageSize), from: sum)
            return sum == (number(start + 16), number(start + 20))
        }

        private func checksum(_ range: Range<Int>, from start: (UInt32, UInt32)) -> (UInt32, UInt32) {
            var (a, b) = start
            octets.withUnsafeBytes { bytes in
                for at in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                    let first = bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
                    let second = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
                    a = a &+ (isBigEndian ? UInt32(bigEndian: first) : UInt32(littleEndian: first)) &+ b
                    b = b &+ (isBigEndian ? UInt32(bigEndian: second) : UInt32(littleEndian: second)) &+ a
                }
            }
            return (a, b)
        }
    }
}
