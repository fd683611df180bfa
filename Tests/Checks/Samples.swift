import PotluckCore
import PotluckKit

/// Sample messages for tests, and bytes written in hexadecimal.
package enum Samples {
    package static func node(_ first: UInt8) -> NodeID { NodeID(firstOctetsOf: (0..<16).map { first &+ $0 }) }

    package static func octets(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    package static let session = SessionHash(firstOctetsOf: [0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7])

    package static let hello = Hello(
        introduction: Introduction(
            versions: 1...1, session: session, mode: .server, name: "ana", cores: 8,
            founding: Founding(0x0807_0605_0403_0201), dial: 3),
        publicKey: (0..<32).map { 0x20 + $0 }, signature: (0..<64).map { 0x40 + $0 })

    package static let roster = [
        RosterEntry(node: node(0), mode: .server, name: "ana", cores: 8, isConnected: true),
        RosterEntry(node: node(16), mode: .client, name: "Bö", cores: 0, isConnected: false),
    ]

    /// One message of each kind, and more where optional fields matter.
    package static let messages: [Message] =
        [
            .hello(hello), .welcome(Welcome(version: 1, role: .submits, row: 1)),
            .welcome(Welcome(version: 1, role: .hosts, row: 2, receivedRow: 1, received: 300)), .decline(.session),
            .hold(.consent),
            .goodbye(.leaving), .goodbye(.removed), .parcel(Parcel(.data([1, 2, 3]), number: 7)),
            .parcel(Parcel(.data([]))),
            .parcel(Parcel(.data([3, 1], as: .value), number: 8)),
            .parcel(Parcel(.text("Grüezi"), number: 1, origin: node(0), recipients: [node(16)])),
            .received(129), .roster([]), .roster(roster), .role(.watches),
        ] + JobSamples.messages.map { .job($0) } + RankSamples.frames.map { .ranks($0) }

    package static func random(_ random: inout RandomStream) -> Message {
        var message = messages[Int(random.next() % UInt32(messages.count))]
        if case .parcel(var parcel) = message {
            parcel.content = .data((0..<random.next() % 64).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            parcel.number = random.next() % 2 == 0 ? nil : random.next64() | 1
            message = .parcel(parcel)
        }
        if case .job = message {
            var any = AnyJobMessage(seed: random.next64())
            message = .job(any.next())
        }
        if case .ranks = message {
            var any = AnyRankItem(random: random)
            message = .ranks(any.frame())
            random = any.random
        }
        return message
    }
}
