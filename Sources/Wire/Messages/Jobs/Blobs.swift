import PotluckModel

/// The encoding of `fetch`, `part` and `lacking`, which transfer blobs, and of references to blobs.
extension JobMessage {
    static func encoded(
        _ kind: Message.Kind, _ blob: BlobHash, _ offset: Int = 0, _ write: (inout FieldWriter) -> Void = { _ in }
    ) -> [UInt8] {
        encoded(kind, nil) {
            $0.octets(1, blob.octets)
            $0.number(2, UInt64(clamping: offset))
            write(&$0)
        }
    }

    static func fetch(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var blob: BlobHash?, offset = 0
        while let field = try fields.next() {
            switch field.tag {
            case 1: blob = try field.hash()
            case 2: offset = try field.offset()
            default: break
            }
        }
        return .fetch(try there(blob), offset: offset)
    }

    static func part(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var blob: BlobHash?, offset = 0, octets: [UInt8]?
        while let field = try fields.next() {
            switch field.tag {
            case 1: blob = try field.hash()
            case 2: offset = try field.offset()
            case 3: octets = try field.bytes(limit: longestPart)
            default: break
            }
        }
        return .part(try there(blob), offset: offset, octets: try there(octets))
    }

    static func lacking(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var blob: BlobHash?, why = ""
        while let field = try fields.next() {
            switch field.tag {
            case 1: blob = try field.hash()
            case 2: why = try field.line(limit: maximumLine)
            default: break
            }
        }
        return .lacking(try there(blob), why)
    }
}

extension BlobReference {
    /// The reference as a record of fewer than 128 bytes.
    var fields: [UInt8] {
        FieldWriter.record {
            $0.octets(1, hash.octets)
            $0.number(2, UInt64(size))
        }
    }

    init(fields octets: ArraySlice<UInt8>, atMost largest: Int) throws(WireError) {
        var hash: BlobHash?, size = 0
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: hash = try field.hash()
            case 2: size = Int(try field.number(atMost: UInt64(largest)))
            default: break
            }
        }
        self = try JobMessage.there(BlobReference(hash: try JobMessage.there(hash), size: size))
    }
}

extension FieldWriter {
    mutating func blob(_ tag: UInt64, _ blob: BlobReference?) { if let blob { octets(tag, blob.fields) } }
}

extension Field {
    func blob(atMost largest: Int) throws(WireError) -> BlobReference {
        try BlobReference(fields: record(), atMost: largest)
    }

    func module() throws(WireError) -> BlobReference { try blob(atMost: BlobReference.largestModule) }
    func payload() throws(WireError) -> BlobReference { try blob(atMost: BlobReference.largestPayload) }

    fileprivate func hash() throws(WireError) -> BlobHash? { BlobHash(try bytes(exactly: BlobHash.length)) }

    /// The offset of a part, which is less than the size of the largest blob.
    fileprivate func offset() throws(WireError) -> Int { Int(try number(atMost: UInt64(BlobReference.largest - 1))) }
}
