import PotluckEngine
import PotluckRanks

/// A rank that plays its part of a script, as a thread would.
struct RankPlayer {
    let rank: Int
    let steps: [RankStep]
    /// The place of its next step.
    var next = 0
    /// A hash of what each step received; 0 for steps that received nothing.
    private(set) var slots: [UInt64]
    /// The requests of steps that are not complete, oldest first.
    var open: [Request] = []
    /// How many messages it has sent.
    var sent = 0
    var phase = Phase.free

    struct Request: Equatable {
        let step: Int
        let number: Int32
        /// The number of the message that it sends; nil if it receives.
        let message: Int?
    }

    enum Phase: Equatable {
        /// It continues with its next step.
        case free
        /// It looks whether one of these requests is complete, and waits if none is.
        case wants([Request])
        /// It waits until one of these is.
        case waits([Request])
        case probes(RankPattern)
        case isAtCheckpoint
        case ended

        var isWaiting: Bool {
            switch self {
            case .waits, .probes, .isAtCheckpoint: true
            case .free, .wants, .ended: false
            }
        }
    }

    /// - Parameter state: the state that it kept at a checkpoint; nil if it starts at its beginning.
    init(_ rank: Int, _ steps: [RankStep], _ state: [UInt8]?) {
        (self.rank, self.steps) = (rank, steps)
        slots = Array(repeating: 0, count: steps.count)
        guard let state, state.count == Self.octets(ofState: steps) else { return }
        let words = stride(from: 0, to: state.count, by: Self.word).map { start in
            state[start..<start + Self.word].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        next = Int(clamping: words[0])
        slots = Array(words[1...])
    }

    private static let word = 8

    /// The bytes of the state of a rank with these steps.
    static func octets(ofState steps: [RankStep]) -> Int { (steps.count + 1) * word }

    /// The state that it keeps at a checkpoint, which is its next step.
    var state: [UInt8] {
        ([UInt64(next + 1)] + slots).flatMap { word in
            (0..<Self.word).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
    }

    /// The message that its next step sends.
    func message(_ sending: RankSending) -> RankMessage {
        let first = 31 &* rank &+ 7 &* next
        let octets = (0..<sending.octets).map { UInt8(truncatingIfNeeded: first &+ 13 &* $0) }
        var message = RankMessage(source: rank, tag: sending.tag, context: sending.context, octets: octets)
        message.number = sent
        return message
    }

    mutating func keep(_ message: RankMessage, of step: Int) {
        var hash = TraceHash()
        hash.mix(UInt64(message.source))
        hash.mix(UInt64(message.tag))
        hash.mix(message.octets)
        slots[step] = hash.value
    }

    /// What it waits for; nil if it does not wait.
    var cause: RankActivity.Cause? {
        switch phase {
        case .waits(let requests):
            guard let first = requests.first.flatMap(cause) else { return nil }
            return requests.count == 1 ? first : .requests(requests.count, first: first)
        case .probes(let pattern): return .message(pattern)
        case .isAtCheckpoint: return .checkpoint
        case .free, .wants, .ended: return nil
        }
    }

    private func cause(_ request: Request) -> RankActivity.Cause? {
        let step = steps[request.step]
        return step.sending.map { .receiver($0.receiver) } ?? step.pattern.map { .message($0) }
    }
}
