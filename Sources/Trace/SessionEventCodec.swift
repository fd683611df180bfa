import PotluckEngine
import PotluckModel
import PotluckWire

extension ByteWriter {
    mutating func put(_ event: SessionEvent) {
        switch event {
        case .sighted(let change):
            fixed(UInt8(1))
            put(change)
        case .opened(let link, let address):
            fixed(UInt8(2))
            put(link)
            counted(address)
        case .greeted(let link, let introduction, let node):
            fixed(UInt8(3))
            put(link)
            put(introduction)
            put(node)
        case .received(let link, let message):
            fixed(UInt8(4))
            put(link)
            put(message)
        case .closed(let link, let loss):
            fixed(UInt8(5))
            put(link)
            fixed(UInt8(LinkLoss.all.firstIndex(of: loss) ?? 0))
        case .wanted(let request):
            fixed(UInt8(6))
            put(request)
        case .woke: fixed(UInt8(7))
        }
    }

    private mutating func put(_ link: SessionLink) {
        switch link {
        case .dialled(let number):
            fixed(UInt8(1))
            varint(number)
        case .accepted(let number):
            fixed(UInt8(2))
            varint(number)
        }
    }

    /// Written as a hello without its proof, which the engine never sees.
    private mutating func put(_ introduction: Introduction) {
        put(
            .hello(
                Hello(
                    introduction: introduction, publicKey: [UInt8](repeating: 0, count: Hello.keyLength),
                    signature: [UInt8](repeating: 0, count: Hello.signatureLength))))
    }

    private mutating func put(_ request: SessionRequest) {
        switch request {
        case .send(let octets, let form, let recipients, let reliably):
            fixed(UInt8(1))
            counted(octets)
            fixed(form.rawValue)
            put(recipients)
            flag(reliably)
        case .say(let text, let recipients):
            fixed(UInt8(2))
            self.text(text)
            put(recipients)
        case .accept(let node): put(3, node)
        case .decline(let node): put(4, node)
        case .remove(let node): put(5, node)
        case .allow(let role, let node):
            put(6, node)
            fixed(UInt8(Role.allCases.firstIndex(of: role) ?? 0))
        case .choose(let node): put(7, node)
        case .connect(let host, let port):
            fixed(UInt8(8))
            text(host)
            fixed(port)
        case .available(let available):
            fixed(UInt8(9))
            flag(available)
        case .leave: fixed(UInt8(10))
        }
    }

    private mutating func put(_ tag: UInt8, _ node: NodeID) {
        fixed(tag)
        put(node)
    }

    private mutating func put(_ recipients: Recipients) {
        switch recipients {
        case .everyone: flag(false)
        case .some(let nodes):
            flag(true)
            list(nodes) { $0.put($1) }
        }
    }

    private mutating func put(_ change: NodeChange) {
        switch change {
        case .appeared: fixed(UInt8(1))
        case .changed: fixed(UInt8(2))
        case .disappeared(_, .left): fixed(UInt8(3))
        case .disappeared(_, .silent): fixed(UInt8(4))
        case .disappeared(_, .withdrawn): fixed(UInt8(5))
        case .disappeared(_, .unreachable): fixed(UInt8(6))
        case .disappeared(_, .replaced(let node)): put(7, node)
        }
        put(change.entry)
    }

    private mutating func put(_ entry: NodeEntry) {
        let announcement = entry.announcement
        put(announcement.node)
        fixed(announcement.mode.rawValue)
        raw(announcement.sessionHash.octets)
        optional(announcement.session) { $0.text($1.name) }
        optional(announcement.name) { $0.text($1) }
        fixed(announcement.port)
        flag(announcement.isOpen)
        fixed(entry.standing.rawValue)
        fixed(entry.trust.rawValue)
        list(entry.sources) { $0.fixed($1.rawValue) }
        optional(entry.host) { $0.text($1) }
        flag(entry.sameMachine)
        list(entry.endpoints) { writer, endpoint in
            writer.counted(endpoint.octets)
            writer.fixed(endpoint.scope)
            writer.fixed(endpoint.port)
        }
        fixed(entry.since.nanoseconds)
    }
}

extension ByteReader {
    mutating func sessionEvent() throws(WireError) -> SessionEvent {
        switch try fixed(UInt8.self) {
        case 1: return .sighted(try change())
        case 2: return .opened(try link(), address: Array(try counted(limit: 16)))
        case 3:
            let link = try link()
            guard case .hello(let hello) = try message() else { throw .malformed("an invalid introduction") }
            return .greeted(link, hello.introduction, by: try node())
        case 4: return .received(try link(), try message())
        case 5:
            let link = try link()
            return .closed(link, try one(of: LinkLoss.all))
        case 6: return .wanted(try request())
        case 7: return .woke
        case let tag: throw .malformed("a session event of an unknown kind: \(tag)")
        }
    }

    mutating func one<Item>(of items: [Item]) throws(WireError) -> Item {
        let index = Int(try fixed(UInt8.self))
        guard items.indices.contains(index) else { throw .malformed("case \(index) of \(items.count)") }
        return items[index]
    }

    private mutating func link() throws(WireError) -> SessionLink {
        try fixed(UInt8.self) == 1 ? .dialled(try varint()) : .accepted(try varint())
    }

    private mutating func request() throws(WireError) -> SessionRequest {
        switch try fixed(UInt8.self) {
        case 1:
            let octets = Array(try counted(limit: .max))
            guard let form = Parcel.Form(rawValue: try fixed()) else { throw .malformed("a parcel of an unknown form") }
            return .send(octets, as: form, to: try recipients(), reliably: try flag())
        case 2: return .say(try text(limit: .max), to: try recipients())
        case 3: return .accept(try node())
        case 4: return .decline(try node())
        case 5: return .remove(try node())
        case 6:
            let node = try node()
            return .allow(try one(of: Role.allCases), node)
        case 7: return .choose(try node())
        case 8: return .connect(host: try text(limit: .max), port: try fixed())
        case 9: return .available(try flag())
        case 10: return .leave
        case let tag: throw .malformed("a request of an unknown kind: \(tag)")
        }
    }

    private mutating func recipients() throws(WireError) -> Recipients {
        guard try flag() else { return .everyone }
        return .some(try list { (reader) throws(WireError) in try reader.node() })
    }

    private mutating func change() throws(WireError) -> NodeChange {
        switch try fixed(UInt8.self) {
        case 1: return .appeared(try entry())
        case 2: return .changed(try entry())
        case 3: return .disappeared(try entry(), .left)
        case 4: return .disappeared(try entry(), .silent)
        case 5: return .disappeared(try entry(), .withdrawn)
        case 6: return .disappeared(try entry(), .unreachable)
        case 7:
            let node = try node()
            return .disappeared(try entry(), .replaced(by: node))
        case let tag: throw .malformed("a change of an unknown kind: \(tag)")
        }
    }

    private mutating func entry() throws(WireError) -> NodeEntry {
        let node = try node()
        guard let mode = Mode(rawValue: try fixed()), let hash = SessionHash(try raw(SessionHash.length)) else {
            throw .malformed("a node with an unknown mode")
        }
        let session = try optional { (reader) throws(WireError) in try reader.text(limit: SessionID.maximumLength) }
        let name = try optional { (reader) throws(WireError) in try reader.text(limit: Announcement.maximumName) }
        let announcement = Announcement(
            node: node, mode: mode, sessionHash: hash, session: session.flatMap { SessionID($0) }, name: name,
            port: try fixed(), isOpen: try flag())
        guard let standing = NodeEntry.Standing(rawValue: try fixed()),
            let trust = Sighting.Trust(rawValue: try fixed())
        else { throw .malformed("a node with an unknown standing") }
        let sources = try list { (reader) throws(WireError) in
            guard let source = Sighting.Source(rawValue: try reader.fixed()) else {
                throw .malformed("a sighting without a source")
            }
            return source
        }
        let host = try optional { (reader) throws(WireError) in try reader.text(limit: .max) }
        let isHere = try flag()
        let endpoints = try list { (reader) throws(WireError) in
            let octets = try reader.counted(limit: 16)
            let scope: UInt32 = try reader.fixed()
            guard let endpoint = Endpoint(octets: octets, scope: scope, port: try reader.fixed()) else {
                throw .malformed("an invalid address")
            }
            return endpoint
        }
        return NodeEntry(
            announcement: announcement, standing: standing, trust: trust, sources: sources, host: host,
            sameMachine: isHere, endpoints: endpoints, since: Instant(nanoseconds: try fixed()))
    }
}

extension LinkLoss {
    static let all: [LinkLoss] = [.unreachable, .wrongCode, .unproven, .lost]
}
