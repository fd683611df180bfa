import PotluckCore
import PotluckEngine
import PotluckNet
import PotluckSystem

extension Session {
    /// Starts a node of this session whose chunks a browser computes. The node is an ordinary guest, with an identity of
    /// its own and a link to this node within the process; only it is believed less.
    ///
    /// - Parameters:
    ///   - name: the browser's name for people.
    ///   - address: the browser's address, 4 or 16 octets.
    ///   - computing: the simulations of this node, with the device and its cores.
    /// - Returns: nil if the name is not valid.
    nonisolated func lend(_ name: String, at address: [UInt8], _ computing: Computing) -> Session? {
        guard Announcement.isValid(name: name) else { return nil }
        let here = listening.with { $0 }
        let identity = Identity()
        var chance = SystemRandomNumberGenerator()
        let setup = SessionSetup(
            node: identity.node, name: name, cores: computing.cores, session: here.sessionHash, mode: .client,
            isOpen: here.isOpen, kind: .browser(at: address), seed: chance.next())
        let new = Session(
            setup, computing: computing,
            announcement: Announcement(
                node: setup.node, mode: .client, sessionHash: here.sessionHash, session: nil, name: nil, port: 0,
                isOpen: setup.isOpen),
            identity: identity, transport: ProcessTransport(to: inside), discovery: NoDiscovery(), clock: clock,
            record: nil)
        new.beginSoon()
        Task(executorPreference: transport.executor) { await new.connect(host: "this process", port: 0) }
        return new
    }
}
