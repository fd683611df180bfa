import PotluckCore
import PotluckNet

/// A page on one socket. The same page gets another number when it connects again.
public struct PageID: Hashable, Sendable {
    public let number: UInt64
    init(_ number: UInt64) { self.number = number }
}

/// Represents the pages that lend their cores to the session. All calls come on the gateway's executor, and must return
/// soon.
public protocol PageWorkers: AnyObject, Sendable {
    /// A page with the right to lend joined, under this display name and from this address. `send` sends it a message; it
    /// may be called from any thread, and does nothing once the page is gone.
    func opened(_ page: PageID, name: String, at address: [UInt8], send: @escaping @Sendable (GatewayMessage) -> Void)

    /// The page, which lends nothing at the moment, has another display name.
    func renamed(_ page: PageID, to name: String)

    /// The page lends this many cores from now on.
    func lends(_ page: PageID, cores: Int)

    func received(_ work: PageWork, from page: PageID)

    /// The page is gone.
    func closed(_ page: PageID)
}
