import PotluckModel

/// The encoding of `offer`.
extension OfferedWork {
    static func encoded(_ job: JobID, _ work: [OfferedWork]) -> [UInt8] {
        JobMessage.encoded(.offer, job) { $0.list(2, work.prefix(JobMessage.mostOffered).map(\.octets)) }
    }

    private var octets: [UInt8] {
        FieldWriter.record {
            $0.number(1, blocks.lowerBound)
            $0.number(2, blocks.upperBound)
            $0.duration(3, busy)
            $0.slots(4, tally)
        }
    }

    init(_ octets: ArraySlice<UInt8>) throws(WireError) {
        var first: UInt64 = 0, end: UInt64 = 0, busy = Duration.zero, tally: [UInt64] = []
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: first = try field.number(atMost: JobMessage.mostBlocks)
            case 2: end = try field.number(atMost: JobMessage.mostBlocks)
            case 3: busy = try field.duration()
            case 4: tally = try field.slots(limit: JobMessage.mostSlots)
            default: break
            }
        }
        guard first < end else { throw .malformed("a piece without blocks") }
        self.init(blocks: first..<end, tally: tally, busy: busy)
    }
}

extension JobMessage {
    static func offer(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var id: JobID?, work: [OfferedWork] = []
        while let field = try fields.next() {
            switch field.tag {
            case 1: id = try field.job()
            case 2:
                for item in try field.list(limit: mostOffered, itemLimit: .max) { work.append(try OfferedWork(item)) }
            default: break
            }
        }
        return .offer(try there(id), work)
    }
}
