import PotluckCore
import PotluckSystem

/// An announcement as an mDNS service: its names and its TXT strings. docs/PROTOCOL.md has the table of keys.
public enum TXTRecord {
    /// The DNS-SD service type of a node.
    static let serviceType = "_potluck._tcp"
    /// The version of the record. Like the beacon's, it rises only if older nodes would misunderstand the record.
    static let version = 1
    /// The longest record that is decoded, in bytes. Ours have about 210.
    static let maximumLength = 400

    /// Returns the subtype under which a session's nodes are found.
    static func subtype(of session: SessionHash) -> String { "_\(session)._sub.\(serviceType)" }

    /// Returns the instance name, at most 63 bytes. The node ID distinguishes two nodes called "ana", so that mDNS
    /// renames neither.
    static func instanceName(of announcement: Announcement) -> String {
        let suffix = announcement.node.short
        guard let name = announcement.name, !name.isEmpty else { return "potluck \(suffix)" }
        return "\(name.prefix(octets: 63 - suffix.utf8.count - 1)) \(suffix)"
    }

    /// Returns the strings of the record, in order. None exceeds 255 bytes.
    static func strings(_ announcement: Announcement) -> [String] {
        var strings = [
            "v=\(version)", "id=\(announcement.node)", "mode=\(announcement.mode)", "sh=\(announcement.sessionHash)",
        ]
        if let session = announcement.session { strings.append("sid=\(session)") }
        if let name = announcement.name { strings.append("name=\(name)") }
        if announcement.isOpen { strings.append("open=1") }
        return strings
    }

    /// Returns the encoded record: each string with its length in one byte before it.
    public static func encode(_ announcement: Announcement) -> [UInt8] {
        strings(announcement).flatMap { string in
            let octets = Array(string.utf8.prefix(255))
            return [UInt8(octets.count)] + octets
        }
    }

    /// Returns nil if the record is not one of ours, or if its session does not match its hash. `port` is the
    /// service's.
    public static func decode(_ record: some Collection<UInt8>, port: UInt16) -> Announcement? {
        guard record.count <= maximumLength, let values = values(of: Array(record)) else { return nil }
        guard values["v"] == "\(version)", let id = values["id"].flatMap({ [UInt8](hexadecimal: $0) }),
            let node = NodeID(id),
            let mode = Mode.allCases.first(where: { $0.description == values["mode"] }),
            let hash = values["sh"].flatMap({ [UInt8](hexadecimal: $0) }), let sessionHash = SessionHash(hash)
        else { return nil }
        return Announcement(
            node: node, mode: mode, sessionHash: sessionHash, session: values["sid"].flatMap { SessionID($0) },
            name: values["name"], port: port, isOpen: values["open"] == "1"
        ).checked
    }

    /// Returns the values by key as RFC 6763 says: keys ignore case, the first of a repeated key counts, and strings
    /// without a key are skipped. Returns nil if the record is truncated or not UTF-8.
    private static func values(of record: [UInt8]) -> [String: String]? {
        var values: [String: String] = [:]
        var rest = record[...]
        while let length = rest.popFirst() {
            guard rest.count >= Int(length) else { return nil }
            let entry = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            guard let string = String(validating: entry, as: UTF8.self) else { return nil }
            guard let equals = string.firstIndex(of: "="), equals > string.startIndex else { continue }
            let key = string[..<equals].lowercased()
            if values[key] == nil { values[key] = String(string[string.index(after: equals)...]) }
        }
        return values
    }
}

extension Announcement {
    /// The announcement itself, or nil if its session does not match its hash, or if its name must not be displayed.
    var checked: Announcement? {
        if let session, session.hash != sessionHash { return nil }
        if let name, !Announcement.isValid(name: name) { return nil }
        return self
    }
}

extension String {
    /// Returns as many whole characters from the beginning as fit within the limit.
    func prefix(octets limit: Int) -> String {
        var kept = ""
        for character in self {
            guard kept.utf8.count + character.utf8.count <= limit else { break }
            kept.append(character)
        }
        return kept
    }
}
