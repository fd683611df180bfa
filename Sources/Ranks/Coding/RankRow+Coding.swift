import PotluckCore

extension RankRow {
    static let blank = RankRow(standing: .ended, traffic: RankTraffic(), waits: RankWaits())

    mutating func visit<B: ByteVisitor>(_ b: inout B, mostWaits: Int) throws(WireError) {
        var (cause, time): (RankActivity.Cause?, Duration) =
            if case .waits(let cause, let time) = standing { (cause, time) } else { (nil, .zero) }
        let other = standing == .ended && !b.isReading ? RankStanding.ended : RankStanding.computes
        let number = try b.standing(&cause, else: other)
        if let cause {
            try b.duration(&time)
            standing = .waits(cause, for: time)
        } else {
            standing = number == RankStanding.ended ? .ended : .computes
        }
        try traffic.visit(&b)
        try waits.visit(&b, most: mostWaits)
    }

    /// The row as all nodes of a session get it, with only the longest of the waits for certain ranks.
    var brief: RankRow {
        let longest = waits.longest.map { [$0.rank: $0.time] } ?? [:]
        return RankRow(standing: standing, traffic: traffic, waits: RankWaits(whole: waits.whole, ranks: longest))
    }
}

extension RankTraffic {
    fileprivate mutating func visit<B: ByteVisitor>(_ b: inout B) throws(WireError) {
        try b.count(&messagesSent)
        try b.count(&octetsSent)
        try b.count(&messagesReceived)
        try b.count(&octetsReceived)
    }
}

extension RankWaits {
    /// The most ranks for which one rank waits: all, and any of several.
    static let most = RankLimits.ranks + 1

    fileprivate mutating func visit<B: ByteVisitor>(_ b: inout B, most: Int) throws(WireError) {
        try b.duration(&whole)
        var list = ranks.sorted { $0.key < $1.key }.map { (rank: $0.key, time: $0.value) }
        var count = list.count
        try b.number(&count, atMost: most)
        var last = -2
        for index in 0..<count {
            var (rank, time): (Int?, Duration) = index < list.count ? list[index] : (nil, .zero)
            if rank == -1 { rank = nil }
            try b.optional(&rank, atMost: RankLimits.ranks - 1)
            try b.check((rank ?? -1) > last, "a rank that is repeated or out of order")
            last = rank ?? -1
            try b.duration(&time)
            if index == list.count { list.append((last, time)) }
        }
        ranks = Dictionary(uniqueKeysWithValues: list.map { ($0.rank, $0.time) })
    }
}

extension RankTrace {
    /// The most events in an item, so that an item is short.
    static let mostSent = 1 << 16
}

extension RankTrace.Event {
    /// An event of each kind, by its number less one. Append-only.
    static let blanks: [RankTrace.Event] = [
        .sent(message: 0, to: 0, octets: 0, at: .start), .received(message: 0, from: 0, at: .start),
        .waited(.checkpoint, since: .start, for: .zero),
    ]

    mutating func visit<B: ByteVisitor>(_ b: inout B) throws(WireError) {
        var number =
            switch self {
            case .sent: 1
            case .received: 2
            case .waited: 3
            }
        try b.number(&number, atMost: Self.blanks.count)
        try b.check(number > 0, "an unknown event")
        if b.isReading { self = Self.blanks[number - 1] }
        switch self {
        case .sent(var message, var receiver, var octets, var moment):
            try b.count(&message)
            try b.rank(&receiver)
            try b.number(&octets, atMost: RankLimits.message)
            try b.moment(&moment)
            self = .sent(message: message, to: receiver, octets: octets, at: moment)
        case .received(var message, var source, var moment):
            try b.count(&message)
            try b.rank(&source)
            try b.moment(&moment)
            self = .received(message: message, from: source, at: moment)
        case .waited(let cause, var moment, var time):
            var wait: RankActivity.Cause? = b.isReading ? nil : cause
            _ = try b.standing(&wait, else: -1)
            try b.moment(&moment)
            try b.duration(&time)
            self = .waited(wait ?? cause, since: moment, for: time)
        }
    }
}
