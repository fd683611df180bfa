import PotluckCore

extension SessionEvent: WireUnion {
    package static let cases = WireCases<SessionEvent>([
        .sighted(.appeared(.blank)), .opened(.dialled(0), address: []), .greeted(.dialled(0), .blank, by: .nobody),
        .received(.dialled(0), .received(0)), .closed(.dialled(0), .lost), .wanted(.leave), .woke,
    ])

    /// Visits the tags after 1, where an event has the number of the case.
    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .sighted(var change):
            try v.kind(1)
            try v.union(2, &change)
            self = .sighted(change)
        case .opened(var link, var address):
            try v.kind(2)
            try v.union(2, &link)
            try v.octets(4, &address, atMost: 16)
            self = .opened(link, address: address)
        case .greeted(var link, var introduction, var node):
            try v.kind(3)
            try v.union(2, &link)
            try v.record(4, &introduction)
            try v.id(5, &node)
            self = .greeted(link, introduction, by: node)
        case .received(var link, var message):
            try v.kind(4)
            try v.union(2, &link)
            try v.message(4, &message)
            self = .received(link, message)
        case .closed(var link, var loss):
            try v.kind(5)
            try v.union(2, &link)
            try v.one(4, &loss)
            self = .closed(link, loss)
        case .wanted(var request):
            try v.kind(6)
            try v.union(2, &request)
            self = .wanted(request)
        case .woke: try v.kind(7)
        }
    }
}

extension Introduction: WireRecord {
    package static let blank = Hello.blank.introduction

    /// Visits it as a hello without its proof, which the engine never sees.
    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var hello = Hello(
            introduction: self, publicKey: [UInt8](repeating: 0, count: Hello.keyLength),
            signature: [UInt8](repeating: 0, count: Hello.signatureLength))
        try hello.visit(&v)
        self = hello.introduction
    }
}

extension LinkLoss: WireListed {}

extension LinkName: WireUnion {
    package static let cases = WireCases<LinkName>([.dialled(0), .accepted(0)])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .dialled(var number):
            try v.kind(1)
            try v.number(3, &number)
            self = .dialled(number)
        case .accepted(var number):
            try v.kind(2)
            try v.number(3, &number)
            self = .accepted(number)
        }
    }
}

extension SessionRequest: WireUnion {
    package static let cases = WireCases<SessionRequest>([
        .send([], to: .everyone, reliably: false), .say("", to: .everyone), .accept(.nobody), .decline(.nobody),
        .remove(.nobody), .allow(.watches, .nobody), .choose(.nobody), .connect(host: "", port: 0), .available(false),
        .leave,
    ])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .send(var octets, let form, var recipients, var reliably):
            try v.kind(1)
            var number = form.rawValue
            try v.octets(3, &octets, atMost: .max)
            try v.number(4, &number)
            try v.recipients(5, &recipients)
            try v.flag(7, &reliably)
            self = .send(octets, as: Parcel.Form(rawValue: number) ?? .octets, to: recipients, reliably: reliably)
        case .say(var text, var recipients):
            try v.kind(2)
            try v.text(3, &text, atMost: .max)
            try v.recipients(5, &recipients)
            self = .say(text, to: recipients)
        case .accept(var node):
            try v.kind(3)
            try v.id(3, &node)
            self = .accept(node)
        case .decline(var node):
            try v.kind(4)
            try v.id(3, &node)
            self = .decline(node)
        case .remove(var node):
            try v.kind(5)
            try v.id(3, &node)
            self = .remove(node)
        case .allow(var role, var node):
            try v.kind(6)
            try v.id(3, &node)
            try v.one(4, &role)
            self = .allow(role, node)
        case .choose(var node):
            try v.kind(7)
            try v.id(3, &node)
            self = .choose(node)
        case .connect(var host, var port):
            try v.kind(8)
            try v.text(3, &host, atMost: .max)
            try v.number(4, &port)
            self = .connect(host: host, port: port)
        case .available(var available):
            try v.kind(9)
            try v.flag(3, &available)
            self = .available(available)
        case .leave: try v.kind(10)
        }
    }
}

extension FieldVisitor {
    /// Visits whether only some nodes get something, and which, under two tags.
    fileprivate mutating func recipients(_ tag: UInt64, _ recipients: inout Recipients) throws(WireError) {
        var (isSome, nodes): (Bool, [NodeID]) =
            if case .some(let nodes) = recipients { (true, nodes) } else { (false, []) }
        try flag(tag, &isSome)
        try self.nodes(tag + 1, &nodes, atMost: JobOrder.mostWorkers)
        recipients = isSome ? .some(nodes) : .everyone
    }
}

extension NodeChange: WireUnion {
    package static let cases = WireCases<NodeChange>([
        .appeared(.blank), .changed(.blank), .disappeared(.blank, .left), .disappeared(.blank, .silent),
        .disappeared(.blank, .withdrawn), .disappeared(.blank, .unreachable),
        .disappeared(.blank, .replaced(by: .nobody)),
    ])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var entry = entry
        switch self {
        case .appeared: try v.kind(1)
        case .changed: try v.kind(2)
        case .disappeared(_, .left): try v.kind(3)
        case .disappeared(_, .silent): try v.kind(4)
        case .disappeared(_, .withdrawn): try v.kind(5)
        case .disappeared(_, .unreachable): try v.kind(6)
        case .disappeared(_, .replaced(var node)):
            try v.kind(7)
            try v.id(3, &node)
            self = .disappeared(entry, .replaced(by: node))
        }
        try v.record(4, &entry)
        switch self {
        case .appeared: self = .appeared(entry)
        case .changed: self = .changed(entry)
        case .disappeared(_, let departure): self = .disappeared(entry, departure)
        }
    }
}

extension NodeEntry: WireRecord {
    package static let blank = NodeEntry(
        announcement: Announcement(
            node: .nobody, mode: .peer, sessionHash: .blank, session: nil, name: nil, port: 0, isOpen: false),
        standing: .present, trust: .unverified, sources: [], host: nil, sameMachine: false, endpoints: [],
        since: .start)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.id(1, &announcement.node)
        try v.one(2, &announcement.mode)
        try v.id(3, &announcement.sessionHash)
        var session = announcement.session?.name
        try v.text(4, &session)
        announcement.session = session.flatMap { SessionID($0) }
        try v.text(5, &announcement.name)
        try v.number(6, &announcement.port)
        try v.flag(7, &announcement.isOpen)
        var (standing, trust) = (standing.rawValue, trust.rawValue)
        try v.number(8, &standing)
        try v.number(9, &trust)
        var sources = sources.map { UInt64($0.rawValue) }
        try v.slots(10, &sources, atMost: 2)
        let (known, trusted) = (NodeEntry.Standing(rawValue: standing), Sighting.Trust(rawValue: trust))
        try v.check(known != nil && trusted != nil, "a node with an unknown standing")
        (self.standing, self.trust) = (known ?? self.standing, trusted ?? self.trust)
        self.sources = sources.compactMap { Sighting.Source(rawValue: .init(truncatingIfNeeded: $0)) }
        try v.text(11, &host)
        try v.flag(12, &sameMachine)
        try v.list(13, &endpoints, atMost: .max)
        var nanoseconds = since.nanoseconds
        try v.number(14, &nanoseconds)
        since = Instant(nanoseconds: nanoseconds)
    }
}

extension Endpoint: WireRecord {
    package static let blank = Endpoint(octets: [0, 0, 0, 0], port: 0)!

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var (octets, scope, port) = (octets, scope, port)
        try v.octets(1, &octets, atMost: 16)
        try v.number(2, &scope)
        try v.number(3, &port)
        let endpoint = Endpoint(octets: octets, scope: scope, port: port)
        try v.check(endpoint != nil, "an invalid address")
        self = endpoint ?? self
    }
}
