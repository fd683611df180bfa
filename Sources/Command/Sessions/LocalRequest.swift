import Potluck
import PotluckCore
import PotluckKit

/// A request of a command to a node of its user on this machine, with the module and the tables of an order.
struct LocalRequest: Sendable {
    let message: LocalMessage
    var module: [UInt8] = []
    /// The tables as bytes.
    var payload: [UInt8] = []

    init(_ message: LocalMessage) { self.message = message }

    /// Orders a job. The tables are encoded once for all orders that have them.
    init(_ order: JobOrder, _ ticket: JobTicket, _ cargo: JobCargo) {
        message = .link(.job(.order(order, ticket: ticket, token: 1)))
        (module, payload) = (cargo.module ?? [], cargo.payload)
    }

    /// Sends the request. Returns false if the node reads nothing.
    func send(over socket: LocalSocket) -> Bool {
        let cargo = Self.cargo(module, isModule: true) + Self.cargo(payload, isModule: false)
        return socket.finish((cargo + [message]).lazy.map(\.frame))
    }

    private static func cargo(_ octets: [UInt8], isModule: Bool) -> [LocalMessage] {
        stride(from: 0, to: octets.count, by: LocalMessage.longestPart).map {
            .cargo(Array(octets[$0...].prefix(LocalMessage.longestPart)), isModule: isModule)
        }
    }

    /// Reads a request. Returns nil if it ends too early, or if only another version of potluck understands it.
    init?(from socket: LocalSocket) {
        var frames = LocalFrames()
        while let message = try? socket.next(&frames, while: { false }) {
            guard case .cargo(let part, let isModule) = message else {
                self.message = message
                return
            }
            if isModule { module += part } else { payload += part }
            guard module.count + payload.count <= Self.mostCargo else { return nil }
        }
        return nil
    }

    /// The most bytes of a module and tables. The session refuses longer ones.
    private static let mostCargo = BlobReference.largestModule + BlobReference.largestPayload + LocalMessage.longestPart
}

/// What the orders of a command have in common besides their fields: the module for nodes that lack the simulation, and
/// the input tables.
struct JobCargo: Sendable {
    let module: [UInt8]?
    let tables: [Table]
    /// The tables as bytes, for a node on this machine.
    let payload: [UInt8]

    init(module: [UInt8]?, tables: [Table]) {
        (self.module, self.tables) = (module, tables)
        payload = tables.isEmpty ? [] : tables.payload
    }
}
