/// The fields of references to blobs.
extension BlobReference: WireRecord {
    package static let blank = BlobReference(hash: .blank, size: 1)!

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var (hash, size) = (hash, size)
        try v.id(1, &hash)
        try v.number(2, &size, atMost: Self.largest)
        try v.check(size > 0, "a message without a required field")
        self = BlobReference(hash: hash, size: size) ?? self
    }
}

extension FieldVisitor {
    mutating func blob(_ tag: UInt64, _ blob: inout BlobReference?, atMost largest: Int) throws(WireError) {
        try optional(tag, &blob)
        try check((blob?.size ?? 0) <= largest, "a blob of more than \(largest) octets")
    }

    mutating func module(_ tag: UInt64, _ module: inout BlobReference?) throws(WireError) {
        try blob(tag, &module, atMost: BlobReference.largestModule)
    }

    mutating func payload(_ tag: UInt64, _ payload: inout BlobReference?) throws(WireError) {
        try blob(tag, &payload, atMost: BlobReference.largestPayload)
    }
}
