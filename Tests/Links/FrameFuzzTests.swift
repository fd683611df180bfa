import Foundation
import PotluckLinks
import PotluckModel
import Testing

/// Octets that nobody should send: as many rounds as POTLUCK_FUZZ says. CI runs a million.
@Suite struct FrameFuzzTests {
    private static let rounds = ProcessInfo.processInfo.environment["POTLUCK_FUZZ"].flatMap(UInt64.init) ?? 1000

    /// What an honest peer might send, to begin with.
    private static func seed(_ generator: inout SeededGenerator) -> [UInt8] {
        var octets: [UInt8] = []
        for _ in 0...generator.next(below: 6) {
            switch generator.next(below: 7) {
            case 0: octets += frame(3, (0..<8).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
            case 1: octets += frame(4, [UInt8](repeating: 0, count: 8))
            case 2: octets += frame(2, [4, 0, 0, 0, 4, 0, 0, 0])
            case 3: octets += frame(5, [0])
            case 4: octets += frame(UInt8(truncatingIfNeeded: generator.next()), [1, 2, 3])
            default:
                let size = Int(generator.next(below: generator.next(below: 8) == 0 ? 16_380 : 40)) + 1
                octets += frame(
                    UInt8(generator.next(below: 2)), [UInt8](repeating: 7, count: size),
                    flags: UInt8(generator.next(below: 2)))
            }
        }
        return octets
    }

    private static func mutate(_ octets: inout [UInt8], _ generator: inout SeededGenerator) {
        for _ in 0..<generator.next(below: 5) where !octets.isEmpty {
            let place = Int(generator.next(below: UInt64(octets.count)))
            switch generator.next(below: 5) {
            case 0: octets[place] ^= 1 << UInt8(generator.next(below: 8))
            case 1: octets[place] = [0, 1, 0x7f, 0x80, 0xff][Int(generator.next(below: 5))]
            case 2: octets.remove(at: place)
            case 3: octets.insert(UInt8(truncatingIfNeeded: generator.next()), at: place)
            default: octets = Array(octets[place...] + octets[..<place])
            }
        }
    }

    private struct Outcome: Equatable {
        var news: [LinkCore.News] = []
        var fault: LinkFault?
        var answer: [UInt8] = []
    }

    private static func run(_ octets: [UInt8], chunks: (Int) -> Int) -> Outcome {
        var core = LinkCore(at: .start, asksFirst: true)
        // Something was sent, so that credit may come back.
        _ = core.send([1, 2, 3, 4], lane: .control, reliability: .reliable)
        _ = core.send([1, 2, 3, 4], lane: .bulk, reliability: .reliable)
        _ = Wire.record(of: &core)
        var outcome = Outcome()
        var rest = octets[...]
        while !rest.isEmpty, outcome.fault == nil {
            let chunk = rest.prefix(chunks(rest.count))
            rest = rest.dropFirst(chunk.count)
            chunk.withUnsafeBytes { bytes in
                do throws(LinkFault) { try core.receive(bytes, at: .start, into: &outcome.news) } catch {
                    outcome.fault = error
                }
            }
        }
        core.settle()
        outcome.answer = Wire.record(of: &core)
        return outcome
    }

    /// The rounds in parts, so that all cores have some and nobody else's test waits for all of them.
    private static let parts: UInt64 = 64

    /// No crash, no more than what came, and the same whatever TCP does to it.
    @Test(arguments: 0..<parts) func anyOctetsGiveTheSameHoweverTheyAreCut(part: UInt64) {
        for seed in stride(from: part, to: Self.rounds, by: Int(Self.parts)) {
            var generator = SeededGenerator(seed: seed)
            var octets = Self.seed(&generator)
            Self.mutate(&octets, &generator)
            let whole = Self.run(octets) { $0 }
            let kept = whole.news.reduce(0) { if case .message(let message) = $1 { $0 + message.count } else { $0 } }
            #expect(kept <= octets.count)
            let single = Self.run(octets) { _ in 1 }
            let cut = Self.run(octets) { Int(generator.next(below: UInt64($0))) + 1 }
            #expect(whole == single && whole == cut, "seed \(seed)")
        }
    }
}
