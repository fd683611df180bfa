import PotluckCore
import PotluckNet

extension Check {
    /// A link gives the same news, answer and fault however TCP cuts the incoming bytes, and keeps no more bytes than
    /// arrived.
    static let frames = Check(name: "frames of a link", few: 1000) { seeds in
        for seed in seeds {
            var generator = SeededGenerator(seed: seed)
            var octets = FrameCheck.octets(&generator)
            FrameCheck.mutate(&octets, &generator)
            let whole = FrameCheck.run(octets) { $0 }
            let kept = whole.news.reduce(0) { if case .message(let message) = $1 { $0 + message.count } else { $0 } }
            try must(kept <= octets.count, "seed \(seed): more came out than went in")
            let single = FrameCheck.run(octets) { _ in 1 }
            let cut = FrameCheck.run(octets) { Int(generator.next(below: UInt64($0))) + 1 }
            try must(whole == single && whole == cut, "seed \(seed): it matters how the octets are cut")
        }
    }
}

private enum FrameCheck {
    struct Outcome: Equatable {
        var news: [LinkCore.News] = []
        var fault: LinkError?
        var answer: [UInt8] = []
    }

    private static func frame(_ kind: UInt8, _ body: [UInt8], flags: UInt8 = 0) -> [UInt8] {
        [UInt8(body.count & 0xff), UInt8(body.count >> 8), kind, flags] + body
    }

    /// Returns random frames that an honest peer might send.
    static func octets(_ generator: inout SeededGenerator) -> [UInt8] {
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

    /// Makes up to four changes. Rotates instead of cutting, so that a frame can begin anywhere.
    static func mutate(_ octets: inout [UInt8], _ generator: inout SeededGenerator) {
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

    static func run(_ octets: [UInt8], chunks: (Int) -> Int) -> Outcome {
        var core = LinkCore(at: .start, asksFirst: true)
        // Sends something first, so that the other side may return credit.
        _ = core.send([1, 2, 3, 4], lane: .control, reliability: .reliable)
        _ = core.send([1, 2, 3, 4], lane: .bulk, reliability: .reliable)
        _ = record(of: &core)
        var outcome = Outcome()
        var rest = octets[...]
        while !rest.isEmpty, outcome.fault == nil {
            let chunk = rest.prefix(chunks(rest.count))
            rest = rest.dropFirst(chunk.count)
            chunk.withUnsafeBytes { bytes in
                do throws(LinkError) { try core.receive(bytes, at: .start, into: &outcome.news) } catch {
                    outcome.fault = error
                }
            }
        }
        core.returnCredit()
        outcome.answer = record(of: &core)
        return outcome
    }

    private static func record(of core: inout LinkCore) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: LinkLimits.frameHeader + LinkLimits.frameBody) { buffer, count in
            count = core.fill(UnsafeMutableRawBufferPointer(buffer))
        }
    }
}
