/// SQLite's write-ahead log (`-wal`) of a store, of which any byte may be wrong.
///
/// Each frame is a page with a checksum that continues that of the frame before. SQLite reads up to the first wrong
/// frame. This type also reads the frames behind it, because each is checked against the checksum that the frame before
/// it states.
struct WriteAhead {
    /// A page in the log.
    struct Frame {
        /// Counted from 1, as in SQLite.
        let page: Int
        /// The offset of the page's first byte.
        let start: Int
        /// Whether its checksum is right.
        let isWhole: Bool
        /// Whether the frame ends a transaction.
        let isCommit: Bool
    }

    static let headerLength = 32
    static let frameHeaderLength = 24
    private static let magic: UInt32 = 0x377f_0682
    private static let pageSize = StoreHeader.pageSize

    let octets: [UInt8]
    /// The frames of the present log. Frames of older logs may follow them in the file.
    let frames: [Frame]
    /// The number of frames that SQLite can read.
    let readable: Int
    /// Two numbers in every frame of this log. The next log has others.
    let salts: UInt64

    init(_ octets: [UInt8]) {
        self.octets = octets
        let reader = Reader(octets)
        let isHeaderWhole = reader.isHeaderWhole
        // If the header is wrong, take the salts of the first frame.
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

    /// Whether there are correct frames that SQLite does not reach. An incomplete last transaction is no damage: it
    /// occurs if a program is killed, and was never acknowledged.
    var isDamaged: Bool { frames.contains { $0.isWhole && ($0.start - Self.headerLength) / Self.frame >= readable } }

    private static let frame = frameHeaderLength + pageSize

    /// The place of the newest committed version of each page, in `octets`.
    var pages: [Int: Range<Int>] {
        var pages: [Int: Range<Int>] = [:]
        guard let last = frames.lastIndex(where: { $0.isCommit && $0.isWhole }) else { return pages }
        for frame in frames[...last] where frame.isWhole && frame.page > 0 {
            pages[frame.page] = frame.start..<(frame.start + Self.pageSize)
        }
        return pages
    }

    /// Reads numbers at any offset.
    private struct Reader {
        let octets: [UInt8]
        let isBigEndian: Bool

        init(_ octets: [UInt8]) {
            self.octets = octets
            isBigEndian = octets.count >= 4 && octets[3] & 1 == 1
        }

        /// Four bytes as a number, the most significant first; 0 beyond the end.
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
