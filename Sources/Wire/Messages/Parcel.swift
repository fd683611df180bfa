import PotluckModel

/// Data or text that a program or a user sends to other nodes of the session.
public struct Parcel: Hashable, Sendable {
    /// In bytes. Both sides keep a message in memory, and thirty messages at once must not burden a small laptop.
    public static let maximumContent = 1 << 20
    /// In bytes: a screenful.
    public static let maximumText = 4096
    /// The most recipients of a parcel, and the most entries of a roster.
    public static let maximumRecipients = 256

    public enum Content: Hashable, Sendable {
        case data([UInt8], as: Form = .octets)
        /// A text for screens.
        case text(String)
    }

    /// How to interpret the bytes of a program's parcel.
    public enum Form: UInt64, Sendable {
        case octets = 0
        /// An encoded value.
        case value = 1
    }

    public var content: Content
    /// The number of a reliable parcel to this receiver, counted from 1; nil for a parcel that may be lost.
    public var number: UInt64?
    /// The original sender, if a server forwards the parcel.
    public var origin: NodeID?
    /// The nodes to which a server forwards the parcel; empty for all nodes.
    public var recipients: [NodeID]

    public init(_ content: Content, number: UInt64? = nil, origin: NodeID? = nil, recipients: [NodeID] = []) {
        self.content = content
        self.number = number
        self.origin = origin
        self.recipients = recipients
    }

    /// The approximate number of bytes in memory and on the link.
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
        writer.nodes(4, recipients)
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
            case 4: recipients = try field.nodes(limit: Self.maximumRecipients)
            // An unknown form is treated as plain bytes.
            case 5: form = Form(rawValue: try field.number()) ?? .octets
            default: break
            }
        }
        if case .data(let octets, _) = content { content = .data(octets, as: form) }
        self.init(content, number: number, origin: origin, recipients: recipients)
    }
}
