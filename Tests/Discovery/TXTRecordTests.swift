import PotluckCore
import PotluckSystem
import Testing

@testable import PotluckNet

@Suite struct TXTRecordTests {
    private let node = NodeID(firstOctetsOf: Array(0x10...0x1f))

    private func announcement(
        name: String? = "ana", hidden: Bool = false, isOpen: Bool = false
    ) -> Announcement {
        Announcement(
            node: node, mode: .server, sessionHash: Party.monty.hash, session: hidden ? nil : Party.monty,
            name: hidden ? nil : name, port: 7077, isOpen: isOpen)
    }

    @Test func goldenStrings() {
        #expect(
            TXTRecord.strings(announcement()) == [
                "v=1", "id=101112131415161718191a1b1c1d1e1f", "mode=server", "sh=3331b52c8a1696ea", "sid=Monty",
                "name=ana",
            ])
        #expect(
            TXTRecord.strings(announcement(hidden: true)) == [
                "v=1", "id=101112131415161718191a1b1c1d1e1f", "mode=server", "sh=3331b52c8a1696ea",
            ])
        #expect(TXTRecord.strings(announcement(hidden: true, isOpen: true)).last == "open=1")
        #expect(TXTRecord.subtype(of: Party.monty.hash) == "_3331b52c8a1696ea._sub._potluck._tcp")
        #expect(TXTRecord.instanceName(of: announcement()) == "ana 10111213")
        #expect(TXTRecord.instanceName(of: announcement(hidden: true)) == "potluck 10111213")
    }

    @Test func anEncodedRecordDecodes() {
        for (hidden, isOpen) in [(false, false), (true, false), (false, true), (true, true)] {
            let said = announcement(hidden: hidden, isOpen: isOpen)
            let record = TXTRecord.encode(said)
            #expect(record.count <= TXTRecord.maximumLength)
            #expect(TXTRecord.decode(record, port: 7077) == said)
        }
    }

    @Test func namesStayWholeAndShort() {
        let long = announcement(name: String(repeating: "ü", count: 31))
        let instance = TXTRecord.instanceName(of: long)
        #expect(instance.utf8.count <= 63)
        #expect(instance.hasSuffix("ü 10111213"))
    }

    private func record(_ strings: [String]) -> [UInt8] { strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } }

    @Test func recordsOfOthersAreReadAsRFC6763Says() {
        let strings = TXTRecord.strings(announcement())
        func decode(_ strings: [String]) -> Announcement? { TXTRecord.decode(record(strings), port: 7077) }
        #expect(decode(strings.reversed()) == announcement(), "any order")
        #expect(decode(strings + ["", "=x", "flag", "later=field"]) == announcement(), "unknown strings are skipped")
        #expect(decode(["V=1"] + strings.dropFirst()) == announcement(), "keys regardless of case")
        #expect(decode(strings + ["name=eve"]) == announcement(), "the first of two counts")
        #expect(
            decode(strings + [String(repeating: "x", count: 255), String(repeating: "y", count: 60)]) == nil, "too long"
        )
        for index in 0..<4 {
            var fewer = strings
            fewer.remove(at: index)
            #expect(decode(fewer) == nil, "without \(strings[index])")
        }
        #expect(decode(strings.map { $0.replacing("sid=Monty", with: "sid=Pi") }) == nil, "not that session's hash")
        #expect(decode(strings.map { $0.replacing("name=ana", with: "name=\u{1b}[2J") }) == nil)
        #expect(decode(strings.map { $0.replacing("id=10", with: "id=+1") }) == nil)
    }
}
