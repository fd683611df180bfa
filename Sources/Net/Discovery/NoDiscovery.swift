import PotluckCore
import PotluckSystem

/// The discovery of a node that only connects to given addresses: it sees nobody, and nobody sees it.
public final class NoDiscovery: Discovery {
    private let feed = ChangeFeed()
    private let clock = BootClock()

    public init() {}

    public var now: Instant { clock.now }
    public var entries: [NodeEntry] { [] }
    public func changes() -> NodeChanges { NodeChanges(feed) }
    public func announce(_ announcement: Announcement?) {}
    public func stop() { feed.finish() }
}
