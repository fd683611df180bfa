import PotluckCore
import PotluckNet

/// The members of the session and the viewers of its page, encoded once. For each viewer one word differs.
struct Members {
    private(set) var version: UInt64 = 0
    private var octets: [UInt8] = []
    /// The place of each viewer's word, which says whether the viewer is the page that reads it.
    private var places: [PageID: Int] = [:]

    private static let (no, yes) = (Array("false".utf8), Array("true ".utf8))

    /// Encodes the list. Returns whether it changed.
    @discardableResult mutating func publish(
        _ members: [PageMember], _ viewers: [(page: PageID, name: String)], waiting: [String]
    ) -> Bool {
        var new = Array("{\"is\":\"session\",\"members\":[".utf8)
        var places: [PageID: Int] = [:]
        let lines = Array(JSON(waiting.map(JSON.string)).text.utf8)
        let room = GatewayLimits.picture - min(lines.count, GatewayLimits.picture / 2)
        func add(_ member: PageMember, _ page: PageID?) {
            let one = GatewayMessage.octets(of: member)
            guard new.count + one.count < room else { return }
            if new.last != UInt8(ascii: "[") { new.append(UInt8(ascii: ",")) }
            new += one
            // The word is the last one, before a brace.
            if let page { places[page] = new.count - 1 - Self.no.count }
        }
        // A page that lends its cores is a node, too. It is listed once.
        let names = Set(viewers.map(\.name))
        let (lending, others) = (
            members.filter { $0.kind == .browser && names.contains($0.name) },
            members.filter { $0.kind != .browser || !names.contains($0.name) }
        )
        for member in others { add(member, nil) }
        for viewer in viewers {
            let node = lending.first { $0.name == viewer.name }
            add(node ?? PageMember(name: viewer.name, cores: 0, kind: .viewer), viewer.page)
        }
        new += Array("],\"waiting\":".utf8) + (lines.count <= GatewayLimits.picture / 2 ? lines : Array("[]".utf8))
        new.append(UInt8(ascii: "}"))
        guard new != octets || places != self.places else { return false }
        (octets, self.places) = (new, places)
        version += 1
        return true
    }

    /// The message for one page.
    func octets(for page: PageID) -> [UInt8] {
        var own = octets
        if let place = places[page] { own.replaceSubrange(place..<place + Self.no.count, with: Self.yes) }
        return own
    }
}
