import Potluck
import PotluckGateway
import PotluckModel
import PotluckSystem
import PotluckWeb

/// The pages that lend their cores. Each is a node of the session, which this process runs for it.
final class PageLender: PageWorkers {
    /// A page, and what happens to its node: one thing after the other.
    private struct Page {
        let name: String
        let address: [UInt8]
        let send: @Sendable (GatewayMessage) -> Void
        var lending: (device: PageDevice, node: Task<Session?, Never>)?
    }

    private struct Host {
        let session: Session
        let computing: Computing
    }

    private struct State {
        var host: Host?
        var pages: [PageID: Page] = [:]
    }

    private let state = Guarded(State())
    /// Called with a page whose node the session removed: the host did, or it lied.
    private let removed = Guarded<(@Sendable (PageID) -> Void)?>(nil)

    func watchRemoved(_ report: @escaping @Sendable (PageID) -> Void) { removed.with { $0 = report } }

    /// From now on pages compute for this session, by these simulations.
    func begin(_ session: Session, _ computing: Computing) {
        state.with { $0.host = Host(session: session, computing: computing) }
    }

    func opened(_ page: PageID, name: String, at address: [UInt8], send: @escaping @Sendable (GatewayMessage) -> Void) {
        state.with { $0.pages[page] = Page(name: name, address: address, send: send) }
    }

    func lends(_ page: PageID, cores: Int) {
        state.with { state in
            guard let host = state.host, let known = state.pages[page] else { return }
            guard cores > 0 else { return end(&state.pages[page]) }
            if let (device, node) = known.lending {
                // One after the other, so that the last number counts.
                let next = Task { () -> Session? in
                    let session = await node.value
                    await session?.setCores(cores)
                    return session
                }
                state.pages[page]?.lending = (device, next)
            } else {
                let device = PageDevice(send: known.send)
                state.pages[page]?.lending = (
                    device, Task { [weak self] in await self?.node(page, known, device, cores, of: host) ?? nil }
                )
            }
        }
    }

    func received(_ work: PageWork, from page: PageID) {
        state.with { $0.pages[page]?.lending?.device }?.received(work)
    }

    func closed(_ page: PageID) {
        state.with { state in
            end(&state.pages[page])
            state.pages[page] = nil
        }
    }

    private func end(_ page: inout Page?) {
        guard let (device, node) = page?.lending else { return }
        page?.lending = nil
        device.close()
        Task { await node.value?.leave() }
    }

    /// Starts the node of a page.
    private func node(
        _ id: PageID, _ page: Page, _ device: PageDevice, _ cores: Int, of host: Host
    ) async -> Session? {
        var computing = host.computing
        computing.cores = cores
        computing.store = nil
        computing.device = device
        guard let session = host.session.lend(page.name, at: page.address, computing) else { return nil }
        // A session waits for whoever does not read its events.
        Task { [weak self] in
            for await event in session.events {
                if case .ended(.removed) = event { self?.removed.with { $0 }?(id) }
            }
        }
        return session
    }
}
