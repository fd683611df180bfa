import PotluckModel

/// How a module gets to those who lack it: `fetch`, `part` and `lacking`, and how jobs name it.
extension JobMessage {
    static func encoded(
        _ kind: Message.Kind, _ module: ModuleHash, _ offset: Int = 0, _ write: (inout FieldWriter) -> Void = { _ in }
    ) -> [UInt8] {
        encoded(kind, nil) {
            $0.octets(1, module.octets)
            $0.number(2, UInt64(clamping: offset))
            write(&$0)
        }
    }

    static func fetch(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var module: ModuleHash?, offset = 0
        while let field = try fields.next() {
            switch field.tag {
            case 1: module = try field.module()
            case 2: offset = try field.offset()
            default: break
            }
        }
        return .fetch(try there(module), offset: offset)
    }

    static func part(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var module: ModuleHash?, offset = 0, octets: [UInt8]?
        while let field = try fields.next() {
            switch field.tag {
            case 1: module = try field.module()
            case 2: offset = try field.offset()
            case 3: octets = try field.bytes(limit: longestPart)
            default: break
            }
        }
        return .part(try there(module), offset: offset, octets: try there(octets))
    }

    static func lacking(_ fields: inout FieldReader) throws(WireError) -> JobMessage {
        var module: ModuleHash?, why = ""
        while let field = try fields.next() {
            switch field.tag {
            case 1: module = try field.module()
            case 2: why = try field.line(limit: maximumLine)
            default: break
            }
        }
        return .lacking(try there(module), why)
    }
}

extension ModuleReference {
    func write(to writer: inout FieldWriter) {
        writer.octets(1, hash.octets)
        writer.number(2, UInt64(size))
    }

    init(fields octets: ArraySlice<UInt8>) throws(WireError) {
        var hash: ModuleHash?, size = 0
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: hash = try field.module()
            case 2: size = Int(try field.number(atMost: UInt64(Self.largest)))
            default: break
            }
        }
        self = try JobMessage.there(ModuleReference(hash: try JobMessage.there(hash), size: size))
    }
}

extension Field {
    fileprivate func module() throws(WireError) -> ModuleHash? {
        ModuleHash(try bytes(exactly: ModuleHash.length))
    }

    /// Where a part begins: before the end of the greatest module.
    fileprivate func offset() throws(WireError) -> Int {
        Int(try number(atMost: UInt64(ModuleReference.largest - 1)))
    }
}
