import PotluckKit
import PotluckModel

/// The encoding of `lend`, `drop`, `results` and `failure`.
extension JobMessage {
    static func lend(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var id: JobID?, chunks: [LentChunk] = []
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 2: chunks = try LentChunk.unpacked(field.octets)
            case 3: try LentChunk.setBounds(field.octets, of: &chunks)
            default: break
            }
        }
        return .lend(try there(id), chunks)
    }

    static func drop(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var id: JobID?, attempts: [UInt64] = []
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 2: attempts = try unpacked(field.octets)
            default: break
            }
        }
        return .drop(try there(id), attempts: attempts)
    }

    /// Encodes each number as its difference from the number after the previous one.
    static func packed(_ attempts: [UInt64]) -> [UInt8] {
        var writer = ByteWriter(reserving: 2 * attempts.count)
        var expected: UInt64 = 0
        for attempt in attempts {
            writer.difference(attempt, from: expected)
            expected = attempt &+ 1
        }
        return writer.bytes
    }

    private static func unpacked(_ octets: ArraySlice<UInt8>) throws(WireError) -> [UInt64] {
        var reader = ByteReader(octets)
        guard !reader.isAtEnd else { throw .malformed("an empty field, which must be left out") }
        var attempts: [UInt64] = []
        var expected: UInt64 = 0
        while !reader.isAtEnd {
            guard attempts.count < LentChunk.most else { throw .tooLong(limit: LentChunk.most) }
            let attempt = try reader.difference(from: expected)
            attempts.append(attempt)
            expected = attempt &+ 1
        }
        return attempts
    }

    static func results(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var id: JobID?, results: [WorkResult] = []
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 2:
                let items = try field.list(limit: LentChunk.most, itemLimit: .max)
                results.reserveCapacity(items.count)
                for item in items { results.append(try WorkResult(item)) }
            default: break
            }
        }
        return .results(try there(id), results)
    }

    static func solution(
        _ fields: inout FieldReader, _ message: (JobID, Best) -> JobMessage
    ) throws(WireError) -> JobMessage {
        var id: JobID?, best: Best?
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 2: best = try field.best()
            default: break
            }
        }
        return message(try there(id), try there(best))
    }

    static func failure(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var id: JobID?, attempt: UInt64 = 0, block: UInt64 = 0, text = ""
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 2: attempt = try field.number()
            case 3: block = try field.number(atMost: mostBlocks - 1)
            case 4: text = try field.line(limit: maximumLine)
            default: break
            }
        }
        return .failure(try there(id), attempt: attempt, block: block, text: text)
    }
}

extension LentChunk {
    /// Encodes three numbers for each chunk: the attempt, as its difference from the number after the previous
    /// one; the first block, as its difference from the end of the previous chunk; and the number of blocks.
    /// Consecutive chunks, the usual case, take only a few bytes each.
    static func packed(_ chunks: [LentChunk]) -> [UInt8] {
        var writer = ByteWriter(reserving: 6 * chunks.count)
        var attempt: UInt64 = 0, block: UInt64 = 0
        for chunk in chunks {
            writer.difference(chunk.attempt, from: attempt)
            writer.difference(chunk.blocks.lowerBound, from: block)
            writer.varint(chunk.blocks.upperBound - chunk.blocks.lowerBound)
            attempt = chunk.attempt &+ 1
            block = chunk.blocks.upperBound
        }
        return writer.bytes
    }

    static func unpacked(_ octets: ArraySlice<UInt8>) throws(WireError) -> [LentChunk] {
        var reader = ByteReader(octets)
        guard !reader.isAtEnd else { throw .malformed("an empty field, which must be left out") }
        var chunks: [LentChunk] = []
        var attempt: UInt64 = 0, block: UInt64 = 0
        while !reader.isAtEnd {
            guard chunks.count < most else { throw .tooLong(limit: most) }
            let number = try reader.difference(from: attempt)
            let first = try reader.difference(from: block)
            let count = try reader.varint()
            guard first < JobMessage.mostBlocks, (1...JobMessage.mostBlocks - first).contains(count) else {
                throw .malformed("a chunk without blocks, or with block numbers that are too large")
            }
            chunks.append(LentChunk(attempt: number, blocks: first..<first + count))
            attempt = number &+ 1
            block = first + count
        }
        return chunks
    }
}

extension LentChunk {
    /// Encodes the bounds of a search's chunks: for each chunk whether its bound is fixed, the key, and the point. Empty
    /// for other work.
    static func bounds(_ chunks: [LentChunk]) -> [UInt8] {
        guard chunks.contains(where: { $0.bound != nil }) else { return [] }
        var writer = ByteWriter(reserving: 20 * chunks.count)
        for chunk in chunks {
            let bound = chunk.bound ?? SearchBound()
            writer.varint(bound.isFixed ? 1 : 0)
            bound.best.write(to: &writer)
        }
        return writer.bytes
    }

    static func setBounds(_ octets: ArraySlice<UInt8>, of chunks: inout [LentChunk]) throws(WireError) {
        var reader = ByteReader(octets)
        for index in chunks.indices {
            let fixed = try reader.varint()
            guard fixed <= 1 else { throw .malformed("a bound that no search has") }
            chunks[index].bound = SearchBound(try Best(&reader), isFixed: fixed == 1)
        }
        guard reader.isAtEnd else { throw .malformed("bounds without chunks") }
    }
}

extension Field {
    func best() throws(WireError) -> Best {
        var reader = ByteReader(octets)
        let best = try Best(&reader)
        guard reader.isAtEnd else { throw .malformed("a solution that is too long") }
        return best
    }
}

extension Best {
    var packed: [UInt8] {
        var writer = ByteWriter(reserving: 16)
        write(to: &writer)
        return writer.bytes
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.fixed(key)
        writer.fixed(point)
    }

    fileprivate init(_ reader: inout ByteReader) throws(WireError) {
        self.init(key: try reader.fixed(), point: try reader.fixed())
        guard isEmpty ? point == .max : point < SearchSpace.points else {
            throw .malformed("a bound that no search has")
        }
    }
}

extension WorkResult {
    /// Tens of thousands of results may be sent in a second, so each is written without an intermediate buffer.
    static func encoded(_ job: JobID, _ results: [WorkResult], reserving capacity: Int) -> [UInt8] {
        var writer = FieldWriter(kind: Message.Kind.results.rawValue, reserving: capacity)
        writer.id(1, job)
        guard !results.isEmpty else { return writer.bytes }
        let length = results.reduce(0) { $0 + ByteWriter.length(ofVarint: UInt64($1.length)) + $1.length }
        writer.field(2, length: length) { list in
            for result in results { result.write(to: &list) }
        }
        return writer.bytes
    }

    private var length: Int {
        var length = Self.length(attempt) + Self.length(end) + Self.length(busy.onWire)
        if !tally.isEmpty { length += 1 + ByteWriter.length(ofVarint: UInt64(8 * tally.count)) + 8 * tally.count }
        if let output { length += 2 + output.fields.count }
        length += Self.length(effort.expanded) + Self.length(effort.inVain)
        return length
    }

    /// Returns the length of a field that is a number.
    private static func length(_ number: UInt64) -> Int {
        number == 0 ? 0 : 2 + ByteWriter.length(ofVarint: number)
    }

    private func write(to list: inout ByteWriter) {
        list.varint(UInt64(length))
        Self.write(1, attempt, to: &list)
        Self.write(2, end, to: &list)
        Self.write(3, busy.onWire, to: &list)
        if !tally.isEmpty {
            list.varint(4)
            list.varint(UInt64(8 * tally.count))
            list.slots(tally)
        }
        if let output {
            list.varint(5)
            list.counted(output.fields)
        }
        Self.write(6, effort.expanded, to: &list)
        Self.write(7, effort.inVain, to: &list)
    }

    private static func write(_ tag: UInt64, _ number: UInt64, to list: inout ByteWriter) {
        guard number != 0 else { return }
        list.varint(tag)
        list.varint(UInt64(ByteWriter.length(ofVarint: number)))
        list.varint(number)
    }

    init(_ octets: ArraySlice<UInt8>) throws(WireError) {
        var attempt: UInt64 = 0, end: UInt64 = 0, busy = Duration.zero, tally: [UInt64] = []
        var output: BlobReference?, expanded: UInt64 = 0, inVain: UInt64 = 0
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: attempt = try field.number()
            case 2: end = try field.number(atMost: JobMessage.mostBlocks)
            case 3: busy = try field.duration()
            case 4: tally = try field.slots(limit: JobMessage.mostSlots)
            case 5: output = try field.blob(atMost: BlobReference.largestOutput)
            case 6: expanded = try field.number()
            case 7: inVain = try field.number()
            default: break
            }
        }
        self.init(
            attempt: attempt, end: end, tally: tally, busy: busy, output: output,
            effort: SearchEffort(expanded: expanded, inVain: inVain))
    }
}
