import Potluck

/// The example in `Session`'s comment, so that it compiles.
func example(show: (String) -> Void) async throws {
    // begin
    let session = try await Session.start(
        "Monty", mode: .peer, access: .code(try JoinCode(typed: "maple river candle ocean tiger")))
    for await event in session.events {
        switch event {
        case .peer(let peer) where peer.state == .connected:
            try await session.send(["hello": peer.displayName], to: .some([peer.node]))
        case .message(let message) where message.isValue:
            let greeting = try message.decoded(as: [String: String].self)
            show("\(greeting)")
        case .message(let message): await session.send(message.octets, to: .some([message.sender]))
        case .ended: show("over")
        default: break
        }
    }
    // end
}
