import PotluckCore
import PotluckSystem

/// A right of a page.
public enum PageRight: Sendable, Hashable, CaseIterable {
    case view
    /// To view, and to lend the browser's cores.
    case lend
}

/// The two tickets of a session's page.
public struct PageTickets: Sendable, Equatable {
    public let view: PageTicket
    public let lend: PageTicket

    public init(view: PageTicket, lend: PageTicket) { (self.view, self.lend) = (view, lend) }

    public subscript(_ right: PageRight) -> PageTicket {
        switch right {
        case .view: view
        case .lend: lend
        }
    }
}
