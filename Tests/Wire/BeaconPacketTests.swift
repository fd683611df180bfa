import Testing

@testable import PotluckCore

/// The bytes of docs/PROTOCOL.md, and packets from untrusted senders.
@Suite struct BeaconPacketTests {
    private let node = NodeID(firstOctetsOf: Array(0x10...0x1f))
    private let asked = NodeID(firstOctetsOf: Array(0xa0...0xaf))
    private let hash = SessionHash(firstOctetsOf: Array(1...8))
    private let tag = [UInt8](repeating: 0xee, count: 16)

    private func announcement(
        session: String? = "Monty", name: String? = "ana", isOpen: Bool = false
    ) -> Announcement {
        Announcement(
            node: node, mode: .peer, sessionHash: hash, session: session.flatMap { SessionID($0) }, name: name,
            port: 0x1234, isOpen: isOpen)
    }

    @Test func goldenBytes() {
        let question = BeaconPacket(
            kind: .question, announcement: announcement(), sequence: 0x0403_0201, asked: [asked])
        #expect(
            question.body().hexadecimal == "50544c4b" + "01" + "02" + "03" + "3412" + "101112131415161718191a1b1c1d1e1f"
                + "0102030405060708" + "01020304" + "054d6f6e7479" + "03616e61" + "10a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
                + "00")
        let hidden = BeaconPacket(
            kind: .leaving, announcement: announcement(session: nil, name: nil, isOpen: true), sequence: 1)
        #expect(
            hidden.body().hexadecimal == "50544c4b" + "01" + "03" + "03" + "3412" + "101112131415161718191a1b1c1d1e1f"
                + "0102030405060708" + "01000000" + "00" + "00" + "00" + "01")
    }

    /// The first nodes sent nothing after the nodes that are asked. Their sessions do not count as open.
    @Test func olderNodesHaveNoFlags() throws {
        let packet = BeaconPacket(kind: .present, announcement: announcement(), sequence: 7)
        #expect(try BeaconPacket.decode(packet.body().dropLast() + tag).packet == packet)
    }

    @Test func anEncodedPacketDecodes() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            let packet = BeaconPacket.any(&generator)
            let bytes = packet.body() + tag
            #expect(bytes.count <= BeaconPacket.maximumLength)
            let read = try BeaconPacket.decode(bytes)
            #expect(read.packet == packet)
            #expect(Array(read.tag) == tag)
            #expect(Array(read.body) == packet.body())
        }
    }

    /// A beacon's head has the same values as the decoded beacon. Bytes that are no beacon have no head.
    @Test func aHeadIsThatOfThePacket() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<300 {
            let packet = BeaconPacket.any(&generator)
            let bytes = packet.body() + tag
            let head = BeaconHead(bytes.span)
            #expect(head?.kind == packet.kind && head?.node == packet.announcement.node)
            #expect(head?.sequence == packet.sequence)
            #expect(head?.session == BeaconHead.word(of: packet.announcement.sessionHash))
            var noise = bytes
            noise[Int(generator.next(below: 6))] ^= 0x80
            let short = Array(bytes.prefix(Int(generator.next(below: 56))))
            let long = bytes + [UInt8](repeating: 0, count: BeaconPacket.maximumLength + 1 - bytes.count)
            for none in [noise, short, long] {
                let head = BeaconHead(none.span)
                #expect(head == nil)
            }
        }
    }

    @Test func theLongestPacketFits() {
        let longest = BeaconPacket(
            kind: .question,
            announcement: announcement(
                session: String(repeating: "s", count: SessionID.maximumLength),
                name: String(repeating: "n", count: Announcement.maximumName)), sequence: .max,
            asked: Array(repeating: asked, count: 100))
        #expect(longest.asked.count == BeaconPacket.maximumAsked)
        #expect(longest.body().count + BeaconPacket.tagLength <= BeaconPacket.maximumLength)
    }

    @Test func fieldsOfLaterVersionsAreSkipped() throws {
        let packet = BeaconPacket(kind: .present, announcement: announcement(), sequence: 7)
        #expect(try BeaconPacket.decode(packet.body() + [9, 9, 9] + tag).packet == packet)
    }

    @Test func packetsThatAreNoBeaconAreRefused() {
        let good = BeaconPacket(kind: .present, announcement: announcement(), sequence: 7).body()
        func isRefused(_ change: (inout [UInt8]) -> Void) -> Bool {
            var body = good
            change(&body)
            return (try? BeaconPacket.decode(body + tag)) == nil
        }
        #expect(!isRefused { _ in })
        #expect(isRefused { $0[0] = 0 }, "magic")
        #expect(isRefused { $0[4] = 2 }, "version")
        #expect(isRefused { $0[5] = 4 }, "kind")
        #expect(isRefused { $0[6] = 0 }, "mode")
        #expect(isRefused { $0[37] = 64 }, "a session name over the limit")
        #expect(isRefused { $0[38] = 0xff }, "no UTF-8")
        #expect(isRefused { $0[38] = 0x1b }, "an escape sequence for somebody's terminal")
        #expect(isRefused { $0[$0.count - 2] = 3 }, "questions that are not there")
        #expect(isRefused { $0 += [UInt8](repeating: 0, count: 400) }, "too long")
        for length in 0..<good.count - 1 {
            #expect((try? BeaconPacket.decode(Array(good.prefix(length)) + tag)) == nil)
        }
    }
}

extension BeaconPacket {
    /// Returns a random packet that a node could send.
    static func any(_ generator: inout SeededGenerator) -> BeaconPacket {
        func octets(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
            (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        }
        func text(_ generator: inout SeededGenerator) -> String {
            String(repeating: "ü", count: Int(generator.next(below: 31)) + 1)
        }
        let hidden = generator.next(below: 3) == 0
        let announcement = Announcement(
            node: NodeID(firstOctetsOf: octets(16, &generator)),
            mode: Mode.allCases[Int(generator.next(below: 3))],
            sessionHash: SessionHash(firstOctetsOf: octets(8, &generator)),
            session: hidden ? nil : SessionID(text(&generator)), name: hidden ? nil : text(&generator),
            port: UInt16(truncatingIfNeeded: generator.next()), isOpen: generator.next(below: 2) == 0)
        let asked = (0..<generator.next(below: 9)).map { _ in NodeID(firstOctetsOf: octets(16, &generator)) }
        return BeaconPacket(
            kind: Kind.allCases[Int(generator.next(below: 4))], announcement: announcement,
            sequence: UInt32(truncatingIfNeeded: generator.next()), asked: asked)
    }
}
