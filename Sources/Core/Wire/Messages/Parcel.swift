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

    /// Visits the kind and the fields.
    mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var form = Form.octets
        if case .text = content { try v.kind(.text) } else { try v.kind(.data) }
        try v.number(1, &number)
        switch content {
        case .data(var octets, let its):
            try v.octets(2, &octets, atMost: Self.maximumContent)
            (content, form) = (.data(octets, as: its), its)
        case .text(var text):
            try v.text(2, &text, atMost: Self.maximumText)
            content = .text(text)
        }
        try v.id(3, &origin)
        try v.nodes(4, &recipients, atMost: Self.maximumRecipients)
        var number = form.rawValue
        try v.number(5, &number)
        // An unknown form is treated as plain bytes.
        if case .data(let octets, _) = content { content = .data(octets, as: Form(rawValue: number) ?? .octets) }
    }
}
