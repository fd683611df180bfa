import PotluckModel

/// What a program or a person sends to others in the session.
public struct Parcel: Hashable, Sendable {
    /// A message is held in memory on both sides, and thirty of them at once must not hurt a small laptop.
    public static let maximumContent = 1 << 20
    /// A screenful.
    public static let maximumText = 4096
    /// No session has more nodes.
    public static let maximumRecipients = 256

    public enum Content: Hashable, Sendable {
        case data([UInt8], as: Form = .octets)
        /// For people's screens.
        case text(String)
    }

    /// What a program's octets are.
    public enum Form: UInt64, Sendable {
        case octets = 0
        /// A coded value.
        case value = 1
    }

    public var content: Content
    /// Counts the reliable parcels to this receiver up from 1; nil for one that may be lost.
    public var number: UInt64?
    /// Who sent it first, where a server passes it on.
    public var origin: NodeID?
    /// Who it is for, where a server is to pass it on; empty for everybody.
    public var recipients: [NodeID]

    public init(_ content: Content, number: UInt64? = nil, origin: NodeID? = nil, recipients: [NodeID] = []) {
        self.content = content
        self.number = number
        self.origin = origin
        self.recipients = recipients
    }

    /// What it takes up in memory and on the link, roughly.
    public var size: Int {
        switch content {
        case .data(let octets, _): octets.count + 64
        case .text(let text): text.utf8.count + 64
        }
    }

    func encoded() -> [UInt8] {
        let kind: Message.Kind
        let octets: [UInt8]
        var form = Form.octets
        switch content {
        case .data(let data, let its): (kind, octets, form) = (.data, data, its)
        case .text(let text): (kind, octets) = (.text, Array(text.utf8))
        }
        var writer = FieldWriter(kind: kind.rawValue)
        writer.number(1, number ?? 0)
        writer.octets(2, octets)
        if let origin { writer.octets(3, origin.octets) }
        if !recipients.isEmpty { writer.octets(4, recipients.flatMap(\.octets)) }
        writer.number(5, form.rawValue)
        return writer.bytes
    }

    init(_ kind: Message.Kind, _ fields: inout FieldReader) throws(WireError) {
        var content = kind == .text ? Content.text("") : .data([])
        var number: UInt64?, origin: NodeID?, recipients: [NodeID] = [], form = Form.octets
        while let field = try fields.next() {
            switch field.tag {
            case 1: number = try field.number()
            case 2:
                content =
                    kind == .text
                    ? .text(try field.text(limit: Self.maximumText))
                    : .data(try field.bytes(limit: Self.maximumContent))
            case 3: origin = NodeID(try field.bytes(exactly: NodeID.length))
            case 4: recipients = try Self.nodes(field)
            // A form of a later version is octets to us.
            case 5: form = Form(rawValue: try field.number()) ?? .octets
            default: break
            }
        }
        if case .data(let octets, _) = content { content = .data(octets, as: form) }
        self.init(content, number: number, origin: origin, recipients: recipients)
    }

    private static func nodes(_ field: Field) throws(WireError) -> [NodeID] {
        let octets = try field.bytes(limit: maximumRecipients * NodeID.length)
        guard octets.count.isMultiple(of: NodeID.length) else { throw .malformed("half a node ID") }
        return stride(from: 0, to: octets.count, by: NodeID.length).compactMap {
            NodeID(octets[$0..<$0 + NodeID.length])
        }
    }
}
