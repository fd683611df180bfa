import PotluckNet
import PotluckSystem

/// A right of a page.
public enum PageRight: Sendable, Hashable, CaseIterable {
    case view
    /// To view, and to lend the browser's cores.
    case lend
    /// To view, and to do what the host's terminal does.
    case host

    /// Whether a page that has joined may send a message. This is the only list of what a ticket allows.
    public func allows(_ message: PageMessage) -> Bool {
        switch message {
        case .join: false
        case .name, .pong, .results, .guess: true
        case .lend, .work: self == .lend
        // A text to begin with. All else about files is the host's.
        case .host(.script(.new)): true
        // The host's page keeps its scripts itself.
        case .propose: self != .host
        case .host, .judge: self == .host
        }
    }
}

/// The tickets of a session's page.
public struct PageTickets: Sendable, Equatable {
    public let view: PageTicket
    public let lend: PageTicket
    /// Nil unless the host wants a page of its own.
    public var host: HostTicket?

    public init(view: PageTicket, lend: PageTicket, host: HostTicket? = nil) {
        (self.view, self.lend, self.host) = (view, lend, host)
    }

    public subscript(_ right: PageRight) -> PageTicket? {
        switch right {
        case .view: view
        case .lend: lend
        case .host: host?.ticket
        }
    }

    public static func random() -> PageTickets { PageTickets(view: .random(), lend: .random()) }
}

/// The ticket of the host's page. It is worth something only in the browser that opens it first.
public struct HostTicket: Sendable, Equatable {
    public let ticket: PageTicket
    /// The secret of that browser; nil until then.
    public var device: DeviceSecret?

    public init(_ ticket: PageTicket, device: DeviceSecret? = nil) { (self.ticket, self.device) = (ticket, device) }

    public static func random() -> HostTicket { HostTicket(.random()) }

    /// Whether a browser may open the page: the first one, or the one that was. The first one gets the ticket.
    mutating func admits(_ proof: DeviceProof?, _ key: [UInt8]) -> Bool {
        guard let proof else { return false }
        if let device { return proof.isOf(device, key) }
        device = proof.device(key)
        return device != nil
    }
}
