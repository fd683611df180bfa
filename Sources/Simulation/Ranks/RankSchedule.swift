import PotluckEngine
import PotluckKit
import PotluckRanks

/// A program with ranks, its nodes and its delays, drawn entirely from a seed.
public enum RankSchedule {
    /// The outcome of a schedule.
    public struct Outcome: Sendable {
        public let seed: UInt64
        public fileprivate(set) var failure: RankLawError?
        /// A hash of everything that happened.
        public fileprivate(set) var hash: UInt64 = 0
        public fileprivate(set) var events = 0
        public fileprivate(set) var messages = 0
        public fileprivate(set) var letters = 0
        public fileprivate(set) var checkpoints = 0
        /// How often the program began again after a node was lost.
        public fileprivate(set) var restarts = 0
        /// How many forged letters and reports a copy of a world or a lead got.
        public fileprivate(set) var forged = 0
        public fileprivate(set) var end = End.finished

        public enum End: Sendable, CaseIterable {
            case finished, deadlock, open
        }
    }

    /// A fault that breaks a law on purpose. A law that cannot be broken proves nothing.
    public enum Sabotage: Sendable, CaseIterable {
        /// Messages come with other bytes.
        case otherBytes
        /// Offers come with other tags.
        case otherTags
        /// Messages are lost on their way.
        case lostMessages
        /// Nodes do not hear what others have received.
        case lostAnswers
        /// Each letter comes twice.
        case doubledLetters
        /// The bytes of synchronous messages are asked for before a receive takes them.
        case hastyOffers
        /// Senders of synchronous messages do not hear that they were received.
        case untoldSenders
        /// The worlds let more wait than they should.
        case wideRooms, wideEagerRooms
        /// The lead keeps more of the ranks' states than it should.
        case wideStates
        /// Ranks send other bytes on other nodes.
        case otherNodes
        /// The lead hears nothing.
        case lostReports
        /// The lead does not hear of letters on their way.
        case blindReports
        /// The lead does not hear what is open.
        case closedReports
        /// The lead hears other causes than those for which ranks wait.
        case otherWaits
        /// The states of a checkpoint are changed on their way.
        case otherStates
        /// Ranks are woken, and none of their requests is complete.
        case idleWakes
        /// The forger's misfits fit.
        case mildMisfits
    }

    private static let mostRanks = 8
    private static let mostNodes = 5
    /// The most nodes that are lost.
    private static let mostLosses = 3
    /// The event before which a node is lost. Most programs have more.
    private static let lossBefore = 300

    /// Plays a schedule. `listener` gets a line for each event.
    public static func run(
        seed: UInt64, sabotage: Sabotage? = nil, listener: ((String) -> Void)? = nil
    ) -> Outcome {
        var play = Play(seed, sabotage, listener)
        do throws(RankLawError) { try play.run() } catch { play.outcome.failure = error }
        play.outcome.hash = play.hash.value
        return play.outcome
    }

    private struct Play {
        var outcome: Outcome
        var hash = TraceHash()
        private var random: RandomStream
        private let sabotage: Sabotage?
        private let listener: ((String) -> Void)?
        private let kind: RankAuthor.Kind
        private let script: RankScript
        private let rooms: RankRooms

        init(_ seed: UInt64, _ sabotage: Sabotage?, _ listener: ((String) -> Void)?) {
            outcome = Outcome(seed: seed)
            (self.sabotage, self.listener) = (sabotage, listener)
            random = RandomStream(seed: seed, block: 0, lane: 0)
            kind = random.chance(0.6) ? .sound : random.chance(0.5) ? .faulty : .wild
            rooms = Self.rooms(&random)
            var author = RankAuthor(
                kind, size: 2 + random.below(RankSchedule.mostRanks - 1), rooms,
                RandomStream(seed: seed, block: 1, lane: 0))
            script = author.script()
        }

        /// Small rooms, which fill soon, or the real ones.
        private static func rooms(_ random: inout RandomStream) -> RankRooms {
            var rooms = RankRooms()
            rooms.eager = random.below(200)
            rooms.eagerRoom = random.below(2000)
            rooms.eagerReturn = 1 + random.below(1 + rooms.eagerRoom)
            if random.chance(0.7) { rooms.room = 1 + random.below(3000) }
            return rooms
        }

        mutating func run() throws(RankLawError) {
            let alone = kind == .wild && random.chance(0.9) ? nil : try play(nil)
            var (states, passed, restarts) = ([[UInt8]]?.none, [[[UInt8]]](), 0)
            while true {
                let mayLose = kind != .wild && restarts < RankSchedule.mostLosses && random.chance(0.4)
                let (end, checkpoints) = try play(
                    try map(), states, loss: mayLose ? 1 + random.below(RankSchedule.lossBefore) : nil)
                passed += checkpoints
                if case .ended? = end.fault {
                    (states, restarts) = (end.states, restarts + 1)
                    continue
                }
                note(end, passed.count, restarts)
                if let alone, kind != .wild { try compare(alone, end, passed) }
                return
            }
        }

        private func compare(
            _ alone: (end: RankEnd, passed: [[[UInt8]]]), _ end: RankEnd, _ passed: [[[UInt8]]]
        ) throws(RankLawError) {
            guard end.fault == alone.end.fault else {
                throw RankLawError(
                    .same, "it ends with \(String(describing: end.fault)), not \(String(describing: alone.end.fault))")
            }
            guard end.slots == alone.end.slots else { throw RankLawError(.same, "its ranks received other messages") }
            guard passed == alone.passed else { throw RankLawError(.same, "its checkpoints are others") }
            if kind == .sound, let fault = end.fault { throw RankLawError(.same, "it ends with \(fault)") }
        }

        private mutating func note(_ end: RankEnd, _ checkpoints: Int, _ restarts: Int) {
            (outcome.checkpoints, outcome.restarts) = (checkpoints, restarts)
            switch end.fault {
            case .deadlock: outcome.end = .deadlock
            case .openAtCheckpoint: outcome.end = .open
            default: outcome.end = .finished
            }
        }

        /// Ranks on some nodes, each of which has one at least.
        private mutating func map() throws(RankLawError) -> RankMap {
            let nodes = random.chance(0.1) ? 1 : 2 + random.below(min(RankSchedule.mostNodes, script.size) - 1)
            var places = (0..<script.size).map { $0 < nodes ? $0 : random.below(nodes) }
            for place in places.indices { places.swapAt(place, random.below(places.count)) }
            guard let map = RankMap(places) else { throw RankLawError(.reason, "there is no map of \(places)") }
            return map
        }

        /// - Parameter map: nil if nobody leads.
        private mutating func play(
            _ map: RankMap?, _ states: [[UInt8]]? = nil, loss: Int? = nil
        ) throws(RankLawError) -> (end: RankEnd, passed: [[[UInt8]]]) {
            let setting = RankStage.Setting(
                script: script, map: map ?? RankMap(size: script.size), isLed: map != nil, rooms: rooms, states: states,
                loss: loss, isForged: random.chance(0.3), sabotage: sabotage, listener: listener)
            listener?("map \(map?.places ?? []), rooms \(rooms)")
            let stage = RankStage(setting, seed: random.next64())
            stage.run()
            hash.mix(stage.hash.value)
            outcome.events += stage.tally.events
            outcome.letters += stage.tally.letters
            outcome.forged += stage.tally.forged
            outcome.messages += stage.ledger.sent.count
            if let failure = stage.failure { throw failure }
            guard let end = stage.end else { throw RankLawError(.ends, "it has no end") }
            return (end, stage.passed)
        }
    }
}
