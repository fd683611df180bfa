import Glibc
import PotluckCore
import PotluckSystem

/// Changes of the list of nodes as JSON for other programs, one object per line.
package enum NodeJSON {
    package typealias Members = [(key: String, value: JSON)]

    /// `now` is on the discovery's clock, like the entry's times.
    package static func value(_ change: NodeChange, now: Instant) -> JSON {
        switch change {
        case .appeared(let entry): line("appeared", entry, now: now)
        case .changed(let entry): line("changed", entry, now: now)
        case .disappeared(let entry, let departure): line("disappeared", entry, now: now, why: "\(departure)")
        }
    }

    private static func line(_ event: String, _ entry: NodeEntry, now: Instant, why: String? = nil) -> JSON {
        let said = entry.announcement
        var members =
            start(event) + [
                ("node", .string("\(said.node)")), ("session", JSON(said.session?.name)),
                ("sessionHash", .string("\(said.sessionHash)")), ("name", JSON(said.name)),
                ("mode", .string("\(said.mode)")), ("standing", .string("\(entry.standing)")),
                ("open", JSON(said.isOpen)), ("verified", JSON(entry.trust == .verified)),
                ("sources", JSON(entry.sources.map { .string($0 == .beacon ? "beacon" : "mdns") })),
                ("host", JSON(entry.host)), ("sameMachine", JSON(entry.sameMachine)), ("port", JSON(Int(said.port))),
                ("addresses", JSON(entry.endpoints.map { .string("\($0)") })),
                ("since", .string(date(before: now - entry.since))),
            ]
        if let why { members.append(("why", .string(why))) }
        return .object(members)
    }

    /// The members that begin each line: the event, and the time in nanoseconds of CLOCK_BOOTTIME, so that lines of
    /// several processes can be compared.
    package static func start(_ event: String) -> [(key: String, value: JSON)] {
        [("event", .string(event)), ("at", .integer(nanoseconds(of: CLOCK_BOOTTIME)))]
    }

    /// The time that was `ago` before now, in UTC and ISO 8601.
    private static func date(before ago: Duration) -> String {
        var seconds = Int((nanoseconds(of: CLOCK_REALTIME) - ago.nanoseconds) / 1_000_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
