import Potluck

// Monty Hall in the manner of 2010: clients play, the server adds up, and everybody sees the tally.
//
//     swift run PotluckSessionExample serve Monty maple-river-candle-ocean-tiger
//     swift run PotluckSessionExample join Monty maple-river-candle-ocean-tiger

struct Tally: Codable {
    var games = 0
    var cars = 0
}

@main struct Monty {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4, words[1] == "serve" || words[1] == "join" else {
            return print("usage: PotluckSessionExample serve|join SESSION WORDS")
        }
        let isServer = words[1] == "serve"
        let session = try await Session.start(
            words[2], mode: isServer ? .server : .client, access: .code(try JoinCode(typed: words[3])))
        var sum = Tally()
        for await event in session.events {
            switch event {
            case .peer(let peer):
                print("\(peer.displayName): \(peer.state)")
                if !isServer, peer.state == .connected { try await session.send(play()) }
            case .message(let message) where isServer:
                let played = try message.decoded(as: Tally.self)
                sum = Tally(games: sum.games + played.games, cars: sum.cars + played.cars)
                try await session.send(sum)
                await session.send([UInt8]("next".utf8), to: .some([message.sender]))
            case .message(let message) where message.isValue:
                sum = try message.decoded(as: Tally.self)
                print("\(sum.games) games, \(sum.cars) cars by switching")
            case .message: try await session.send(play())
            case .ended: return
            default: break
            }
        }
    }

    /// A million games: who switches wins unless the first door has the car.
    static func play() -> Tally {
        Tally(games: 1_000_000, cars: (0..<1_000_000).count { _ in Int.random(in: 0..<3) != Int.random(in: 0..<3) })
    }
}
