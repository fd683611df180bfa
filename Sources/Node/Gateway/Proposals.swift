import PotluckNet

/// The simulations that guests sent to the host, until the host opens or declines them. Nothing of them is compiled or kept on disk
/// before.
struct Proposals {
    private struct Entry {
        let number: Int
        /// The guest's tab.
        let client: [UInt8]
        let by: String
        let script: PageScript
    }

    private var entries: [Entry] = []
    private var last = 0
    /// Changes with the list.
    private(set) var version: UInt64 = 0

    var message: GatewayMessage {
        .proposals(entries.map { PageProposal($0.number, by: $0.by, name: $0.script.name) })
    }

    /// Adds a guest's script in place of an earlier one of the same tab. Returns false if there are too many.
    mutating func add(_ script: PageScript, by name: String, _ client: [UInt8]) -> Bool {
        let others = entries.filter { $0.client != client }
        guard others.count < GatewayLimits.proposals else { return false }
        last += 1
        version += 1
        entries = others + [Entry(number: last, client: client, by: name, script: script)]
        return true
    }

    /// Removes a script. Returns it and its guest's tab; nil if there is none of this number.
    mutating func take(_ number: Int) -> (script: PageScript, client: [UInt8])? {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return nil }
        version += 1
        let entry = entries.remove(at: index)
        return (entry.script, entry.client)
    }
}
