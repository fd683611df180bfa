import Potluck
import PotluckCore

/// The nodes of a session that a message of its user reaches, by their names.
struct Hearers: Equatable {
    var now: [NodeID: String] = [:]
    /// Their link is lost, and they get the message when they reconnect.
    var later: [NodeID: String] = [:]

    /// Says who gets a message. `viewers` are the pages that get it, too.
    func words(_ recipients: Recipients, viewers: Int) -> String {
        func meant(_ nodes: [NodeID: String]) -> [String] {
            guard case .some(let wanted) = recipients else { return nodes.values.sorted() }
            return wanted.compactMap { nodes[$0] }
        }
        let (present, absent) = (meant(now), meant(later))
        var counts = [Self.count(present.count, "node"), Self.count(viewers, "viewer")].compactMap(\.self)
        if case .some = recipients { counts = present }
        let sent = counts.isEmpty ? nil : "sent to \(counts.joined(separator: " and "))"
        let waits: String? =
            switch absent.count {
            case 0: nil
            case 1: "\(absent[0]) is not connected at the moment and gets it on reconnecting"
            default: "\(absent.count) nodes are not connected at the moment and get it on reconnecting"
            }
        return [sent, waits].compactMap(\.self).joined(separator: "; ")
    }

    private static func count(_ number: Int, _ noun: String) -> String? {
        number == 0 ? nil : number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}
