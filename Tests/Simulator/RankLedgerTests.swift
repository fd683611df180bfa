import PotluckRanks
import Testing

@testable import PotluckSimulation

/// The ledger says what a world that breaks the rules does.
@Suite struct RankLedgerTests {
    private let any = RankPattern(source: nil, tag: nil, context: 0)

    private func message(_ number: Int, source: Int = 0, tag: Int = 0, octets: [UInt8] = [1]) -> RankMessage {
        var message = RankMessage(source: source, tag: tag, context: 0, octets: octets)
        message.number = number
        return message
    }

    private func law(_ body: () throws(RankLawError) -> Void) -> RankLawError.Law? {
        do throws(RankLawError) { try body() } catch { return error.law }
        return nil
    }

    @Test(arguments: [true, false]) func aMessageThatOvertakesIsFound(isAsked: Bool) throws {
        var ledger = RankLedger(size: 2)
        let ids = (0..<2).map { ledger.send(message($0), to: 1, .standard) }
        if isAsked { try ledger.ask(1, step: 0, any) }
        let law = law { () throws(RankLawError) in
            try ledger.arrive(ids[1])
            try ledger.arrive(ids[0])
            try ledger.ask(1, step: 1, any)
        }
        #expect(law == .order)
    }

    @Test func messagesOfDifferentTagsMayOvertake() throws {
        var ledger = RankLedger(size: 2)
        for (number, tag) in [0, 1, 0].enumerated() {
            try ledger.arrive(ledger.send(message(number, tag: tag), to: 1, .standard))
        }
        try ledger.ask(1, step: 0, RankPattern(source: 0, tag: 1, context: 0))
        try ledger.ask(1, step: 1, any)
        try ledger.ask(1, step: 2, any)
        for (step, number) in [1, 0, 2].enumerated() {
            try ledger.receive(message(number, tag: number % 2), 1, step: step)
        }
        #expect(ledger.unreceived == 0)
    }

    @Test func aWrongMessageIsFound() throws {
        var ledger = RankLedger(size: 2)
        for number in 0..<2 { try ledger.arrive(ledger.send(message(number), to: 1, .standard)) }
        try ledger.ask(1, step: 0, any)
        try ledger.ask(1, step: 1, any)
        func law(_ message: RankMessage) -> RankLawError.Law? {
            var copy = ledger
            return self.law { () throws(RankLawError) in try copy.receive(message, 1, step: 0) }
        }
        #expect(law(message(0)) == nil)
        #expect(law(message(1)) == .matching)
        #expect(law(message(2)) == .whole)
        #expect(law(message(0, octets: [2])) == .whole)
        #expect(law(message(0, tag: 1)) == .whole)
        try ledger.receive(message(0), 1, step: 0)
        #expect(law(message(0)) == .whole)
    }
}
