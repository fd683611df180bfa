import PotluckCore
import PotluckNet
import PotluckSystem

/// The pages that lend their cores. Each is a node of the session, which this process runs for it.
public final class PageLender: PageWorkers {
    enum Limits {
        /// The most cores of one page that are used. Each takes two threads here; no phone or laptop of a class has more.
        static let ofPage = 16
        /// The most cores of all pages together: thirty laptops of eight cores. More threads would slow this laptop down.
        static let ofAll = 240
        /// The shortest time between two nodes of one page, which may be told to lend and to stop in turn.
        static let pause: Duration = .seconds(1)
    }

    /// A page that joined.
    private struct Page {
        var name: String
        let address: [UInt8]
        let send: @Sendable (GatewayMessage) -> Void
        /// The cores that it lends.
        var wanted = 0
        /// The cores of its node that is about to start.
        var starting = 0
        var node: Node?
        /// Whether a task is changing its node.
        var isChanging = false
        /// The standing of its node that the page was last told; nil while it lends nothing.
        var standing: PageStanding?

        /// Tells the page where it stands, unless it knows.
        mutating func tell(_ new: PageStanding) {
            guard new != standing else { return }
            standing = new
            send(.lending(new))
        }
    }

    /// The node that computes for the session in the place of a page.
    private struct Node {
        let device: PageDevice
        let session: Session
        var cores: Int
    }

    private struct Host {
        let session: Session
        let computing: Computing
    }

    private struct State {
        var host: Host?
        var pages: [PageID: Page] = [:]

        /// The cores that the page's node may have.
        func granted(_ id: PageID) -> Int {
            let others = pages.reduce(0) { $0 + ($1.key == id ? 0 : $1.value.node?.cores ?? $1.value.starting) }
            return max(0, min(pages[id]?.wanted ?? 0, Limits.ofPage, Limits.ofAll - others))
        }
    }

    private let state = Guarded(State())
    /// Called with a page whose node the session removed: the host did, or it lied.
    private let removed = Guarded<(@Sendable (PageID) -> Void)?>(nil)

    public init() {}

    public func watchRemoved(_ report: @escaping @Sendable (PageID) -> Void) { removed.with { $0 = report } }

    /// From now on pages compute for this session, by these simulations.
    public func begin(_ session: Session, _ computing: Computing) {
        state.with { $0.host = Host(session: session, computing: computing) }
        offer()
    }

    // MARK: What pages say

    public func opened(
        _ page: PageID, name: String, at address: [UInt8], send: @escaping @Sendable (GatewayMessage) -> Void
    ) {
        state.with { $0.pages[page] = Page(name: name, address: address, send: send) }
    }

    public func renamed(_ page: PageID, to name: String) { state.with { $0.pages[page]?.name = name } }

    public func lends(_ page: PageID, cores: Int) {
        state.with { state in
            state.pages[page]?.wanted = cores
            guard cores == 0 else { return }
            // The page has thrown all work away.
            state.pages[page]?.node?.device.close()
            state.pages[page]?.standing = nil
        }
        change(page)
    }

    public func received(_ work: PageWork, from page: PageID) {
        state.with { $0.pages[page]?.node?.device }?.received(work)
    }

    public func closed(_ page: PageID) {
        guard let node = state.with({ $0.pages.removeValue(forKey: page)?.node }) else { return offer() }
        node.device.close()
        Task { await node.session.leave() }
        offer()
    }

    // MARK: Their nodes

    private enum Step {
        case start(Page, PageDevice, cores: Int, Host)
        case set(Session, cores: Int)
        case stop(Session)
    }

    /// Gives cores that became free to the pages that wait for some.
    private func offer() {
        let waiting = state.with { state in
            state.pages.filter { min($0.value.wanted, Limits.ofPage) > $0.value.node?.cores ?? 0 }.keys.sorted {
                $0.number < $1.number
            }
        }
        for id in waiting { change(id) }
    }

    /// Changes a page's node as the page wants it, one step after the other.
    private func change(_ id: PageID) {
        let mayBegin = state.with { state in
            guard state.pages[id]?.isChanging == false else { return false }
            state.pages[id]?.isChanging = true
            return true
        }
        guard mayBegin else { return }
        Task { [self] in
            while let step = next(id) {
                switch step {
                case .stop(let session): await session.leave()
                case .set(let session, let cores): await session.setCores(cores)
                case .start(let page, let device, let cores, let host):
                    start(id, page, device, cores, host)
                    try? await Task.sleep(for: Limits.pause)
                }
                offer()
            }
        }
    }

    private func next(_ id: PageID) -> Step? {
        state.with { state in
            let granted = state.granted(id)
            if let node = state.pages[id]?.node {
                if state.pages[id]?.wanted == 0 || node.device.isClosed {
                    state.pages[id]?.node = nil
                    return .stop(node.session)
                }
                if granted > 0, granted != node.cores {
                    state.pages[id]?.node?.cores = granted
                    return .set(node.session, cores: granted)
                }
            } else if let page = state.pages[id], granted > 0, let host = state.host {
                state.pages[id]?.starting = granted
                state.pages[id]?.tell(.joining)
                return .start(page, PageDevice(send: page.send), cores: granted, host)
            }
            state.pages[id]?.isChanging = false
            if granted == 0, state.pages[id]?.wanted ?? 0 > 0 { state.pages[id]?.tell(.full) }
            return nil
        }
    }

    private func start(_ id: PageID, _ page: Page, _ device: PageDevice, _ cores: Int, _ host: Host) {
        var computing = host.computing
        computing.cores = cores
        computing.store = nil
        computing.device = device
        guard let session = host.session.lend(page.name, at: page.address, computing) else {
            return state.with { state in
                state.pages[id]?.wanted = 0
                state.pages[id]?.starting = 0
            }
        }
        let isWanted = state.with { state in
            state.pages[id]?.node = Node(device: device, session: session, cores: cores)
            state.pages[id]?.starting = 0
            return state.pages[id] != nil
        }
        // A session halts while nobody reads its events.
        Task { [weak self] in
            for await event in session.events {
                switch event {
                case .peer(let host): self?.note(host.state, of: id, device)
                case .ended(.removed): self?.removed.with { $0 }?(id)
                case .ended(.declined): self?.declined(id, device)
                default: break
                }
            }
        }
        guard !isWanted else { return }
        device.close()
        Task { await session.leave() }
    }

    /// Tells a page the state of its node, as the host's node sees it.
    private func note(_ state: PeerState, of id: PageID, _ device: PageDevice) {
        let standing: PageStanding =
            switch state {
            case .connected: .member
            case .connecting(.theirHost): .asking
            case .available, .connecting, .suspect, .gone: .joining
            }
        self.state.with { state in
            guard state.pages[id]?.wanted ?? 0 > 0, !device.isClosed else { return }
            state.pages[id]?.tell(standing)
        }
    }

    /// The host has declined a page's node. The page may ask again.
    private func declined(_ id: PageID, _ device: PageDevice) {
        state.with { state in
            guard !device.isClosed else { return }
            state.pages[id]?.tell(.declined)
            state.pages[id]?.wanted = 0
        }
        device.close()
        change(id)
    }
}
