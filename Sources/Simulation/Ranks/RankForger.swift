import PotluckCore
import PotluckKit
import PotluckRanks

/// Makes up letters, reports and states with any numbers, for copies of the worlds and of the lead. None may trap.
struct RankForger {
    private var random: RandomStream
    /// The last letters that came to nodes, and where.
    private var seen: [(letter: RankLetter, from: Int, to: Int)] = []
    private static let extremes = [
        0, -1, 1, 2, .max, .min, .max - 1, 1 << 32, RankLimits.message, RankLimits.message + 1,
    ]

    init(_ random: RandomStream) { self.random = random }

    // MARK: worlds

    mutating func saw(_ letter: RankLetter, from: Int, to: Int) {
        if case .received = letter { return }
        if seen.count == Self.memory { seen.removeFirst() }
        seen.append((letter, from, to))
    }

    /// How many letters it remembers.
    private static let memory = 16

    /// Sends forged letters to a copy of a world, until one is refused. Returns how many.
    mutating func attack(
        _ original: RankWorld, _ node: Int, _ sabotage: RankSchedule.Sabotage?
    ) throws(RankLawError) -> Int {
        var world = original
        for count in 1...12 {
            let isMisfit = random.chance(0.2)
            var (letter, from) = isMisfit ? misfit(world, node) : forged(world, node)
            if isMisfit, sabotage == .mildMisfits { (letter, from) = (.received(0, octets: 0), world.map.places[0]) }
            do throws(RankError) {
                try world.deliver(letter, from: from)
            } catch {
                _ = error.description
                return count
            }
            if isMisfit { throw RankLawError(.refused, "\(letter) from node \(from) to node \(node)") }
            use(&world)
        }
        return 12
    }

    /// Calls of the node that has got a forged letter.
    private mutating func use(_ world: inout RankWorld) {
        _ = world.takeWoken()
        _ = world.takeLetters()
        _ = world.takeReport()
        let ranks = world.own.filter { world.activities[$0] == .computing }
        guard !ranks.isEmpty else { return }
        let rank = ranks[random.below(ranks.count)]
        let pattern = RankPattern(source: nil, tag: nil, context: random.below(2))
        do throws(RankError) { _ = try world.receive(rank, pattern, capacity: .max) } catch { _ = error.description }
    }

    private mutating func number() -> Int {
        switch random.below(4) {
        case 0: Self.extremes[random.below(Self.extremes.count)]
        case 1: Int(bitPattern: UInt(truncatingIfNeeded: random.next64()))
        default: random.below(30)
        }
    }

    private mutating func rank(_ map: RankMap) -> Int { random.chance(0.9) ? random.below(map.size) : number() }

    private mutating func octets() -> [UInt8] { Array(repeating: 7, count: random.below(300)) }

    /// A letter that may fit, and where it seems to come from.
    private mutating func forged(_ world: RankWorld, _ node: Int) -> (RankLetter, from: Int) {
        let map = world.map
        let from = random.chance(0.95) ? random.below(map.nodes) : number()
        let source = map.has(from) && random.chance(0.9) ? one(of: map.ranks(of: from)) : rank(map)
        let receiver = random.chance(0.9) ? one(of: map.ranks(of: node)) : rank(map)
        return (letter(source, receiver), from)
    }

    private mutating func one(of values: [Int]) -> Int { values[random.below(values.count)] }

    private mutating func letter(_ source: Int, _ receiver: Int) -> RankLetter {
        let number = random.chance(0.5) ? 20 + random.below(200) : number()
        let tag = random.chance(0.9) ? random.below(3) : self.number()
        let context = random.chance(0.9) ? 0 : self.number()
        switch random.below(6) {
        case 0:
            var message = RankMessage(source: source, tag: tag, context: context, octets: octets())
            message.number = number
            return .message(message, to: receiver, isSynchronous: random.chance(0.5))
        case 1:
            let length = random.chance(0.8) ? random.below(300) : self.number()
            let envelope = RankEnvelope(source: source, tag: tag, context: context, number: number, octets: length)
            return .offer(envelope, to: receiver, isSynchronous: random.chance(0.5))
        // These name messages of the receiver's node.
        case 2: return .ask(source: receiver, number: number)
        case 3: return .octets(octets(), source: source, number: number, to: receiver)
        case 4: return .taken(source: receiver, number: number)
        default: return .received(source, octets: random.chance(0.5) ? random.below(400) : self.number())
        }
    }

    /// A letter that no honest node sends at any time.
    private mutating func misfit(_ world: RankWorld, _ node: Int) -> (RankLetter, from: Int) {
        let map = world.map
        let others = (0..<map.nodes).filter { $0 != node }
        guard !others.isEmpty else { return (.ask(source: 0, number: 0), from: node) }
        // Each letter comes once.
        let again = seen.filter { $0.to == node }
        if !again.isEmpty, random.chance(0.5) {
            let (letter, from, _) = again[random.below(again.count)]
            return (letter, from)
        }
        let from = one(of: others)
        let (source, own) = (one(of: map.ranks(of: from)), one(of: map.ranks(of: node)))
        let unused = 1 << 40 + random.below(1000)
        func envelope(_ source: Int, tag: Int = 0, context: Int = 0, octets: Int = 1) -> RankEnvelope {
            RankEnvelope(source: source, tag: tag, context: context, number: unused, octets: octets)
        }
        let letters: [RankLetter] = [
            .offer(envelope(own), to: own, isSynchronous: false),
            .offer(envelope(source), to: source, isSynchronous: true),
            .offer(envelope(source, tag: -1), to: own, isSynchronous: false),
            .offer(envelope(source, context: -1), to: own, isSynchronous: false),
            .offer(envelope(source, octets: RankLimits.message + 1), to: own, isSynchronous: false),
            .offer(envelope(source, octets: -1), to: own, isSynchronous: false),
            .ask(source: own, number: unused), .octets([1], source: source, number: unused, to: own),
            .taken(source: own, number: unused), .received(source, octets: -1), .received(source, octets: .max),
            .received(own, octets: 0), .received(.min, octets: 0), .ask(source: .max, number: 0),
        ]
        let place = random.below(letters.count + 2)
        guard place < letters.count else { return (letters[0], from: place == letters.count ? node : map.nodes) }
        return (letters[place], from)
    }

    // MARK: lead

    /// Sends forged reports and states to a copy of a lead, until it ends the program. Returns how many.
    mutating func attack(
        _ original: RankLead, _ map: RankMap, _ limits: RankStateLimits
    ) throws(RankLawError) -> Int {
        var lead = original
        for count in 1...12 {
            let node = random.chance(0.95) ? random.below(map.nodes) : number()
            let decision =
                switch random.below(4) {
                case 0: bring(&lead, map, limits, from: node)
                case 1: lead.ready(node)
                default: lead.report(report(map, node), from: node)
                }
            guard lead.checkpoints.held <= 2 * limits.all else {
                throw RankLawError(.bounded, "the lead keeps \(lead.checkpoints.held) bytes of states")
            }
            guard case .end(let fault)? = decision else { continue }
            _ = fault?.description
            return count
        }
        return 12
    }

    /// Brings a state that is as long as one rank's may be, or longer.
    private mutating func bring(
        _ lead: inout RankLead, _ map: RankMap, _ limits: RankStateLimits, from node: Int
    ) -> RankLead.Decision? {
        let rank = rank(map)
        let octets = [UInt8](repeating: 7, count: random.chance(0.5) ? limits.each : random.below(8 * limits.each))
        let isKnown = map.places.indices.contains(rank) && random.chance(0.8)
        return lead.state(rank, octets, from: isKnown ? map.places[rank] : node)
    }

    private mutating func report(_ map: RankMap, _ node: Int) -> RankReport {
        let ranks = map.has(node) ? map.ranks(of: node).count : 1
        let isAtCheckpoint = random.chance(0.3)
        let standings = (0..<(random.chance(0.95) ? ranks : random.below(9))).map { _ in
            isAtCheckpoint ? RankReport.Standing.waits(.checkpoint) : random.chance(0.3) ? .ended : .waits(cause(map))
        }
        let counts = random.chance(0.9) ? map.nodes : random.below(9)
        let isPlain = random.chance(0.7)
        let sent = (0..<counts).map { _ in isPlain ? 0 : number() }
        let open = RankReport.Open(rank: rank(map), messages: number(), requests: number())
        return RankReport(
            standings: standings, sent: sent, received: isPlain ? sent : sent.reversed(),
            open: random.chance(0.7) ? nil : open)
    }

    private mutating func cause(_ map: RankMap, depth: Int = 0) -> RankActivity.Cause {
        switch random.below(4) {
        case 0: .receiver(rank(map))
        case 1 where depth < 3: .requests(random.chance(0.5) ? 2 : number(), first: cause(map, depth: depth + 1))
        case 2: .checkpoint
        default: .message(RankPattern(source: random.chance(0.5) ? nil : rank(map), tag: nil, context: number()))
        }
    }
}

extension RankMap {
    fileprivate func has(_ node: Int) -> Bool { (0..<nodes).contains(node) }
}
