import PotluckWire

/// The reliable parcels to one peer that it has not acknowledged, in order. They outlive the link: a new link continues where the
/// old one broke.
struct Outbox: Sendable {
    /// The name of this row of parcels. It keeps a peer that forgot us from taking number 1 for a repetition.
    let row: UInt64
    private(set) var waiting: [Parcel] = []
    private(set) var size = 0
    private var next: UInt64 = 1

    init(row: UInt64) { self.row = row }

    /// Returns the parcel with its number, or nil if too much waits already.
    mutating func add(_ parcel: Parcel) -> Parcel? {
        guard waiting.count < SessionLimits.backlogParcels, size + parcel.size <= SessionLimits.backlog else {
            return nil
        }
        var parcel = parcel
        parcel.number = next
        next += 1
        size += parcel.size
        waiting.append(parcel)
        return parcel
    }

    /// The peer forgot us, so the parcels that wait are dropped: it does not know those before. The numbers continue.
    mutating func drop() -> Int {
        defer { (waiting, size) = ([], 0) }
        return waiting.count
    }

    /// Returns false for a number that was never sent.
    mutating func acknowledged(upTo number: UInt64) -> Bool {
        guard number < next else { return false }
        let done = waiting.prefix { ($0.number ?? 0) <= number }
        size -= done.reduce(0) { $0 + $1.size }
        waiting.removeFirst(done.count)
        return true
    }
}

/// What has come from one peer.
struct Inbox: Sendable {
    /// The place of a parcel in its row.
    enum Position: Equatable { case new, repeated, gap }

    private(set) var row: UInt64 = 0
    private(set) var received: UInt64 = 0
    private var acknowledged: UInt64 = 0
    private var octets = 0
    /// Whether nothing came of this row. Its first number may be any, because this node may have forgotten the beginning.
    private var isFresh = true

    /// The peer names its row. A new row starts over.
    mutating func begin(row: UInt64) {
        guard row != self.row else { return }
        self = Inbox()
        self.row = row
    }

    mutating func take(_ number: UInt64, size: Int) -> Position {
        if isFresh { (isFresh, received, acknowledged) = (false, number - 1, number - 1) }
        if number <= received { return .repeated }
        guard number == received + 1 else { return .gap }
        received = number
        octets += size
        return .new
    }

    /// Whether so much is unacknowledged that the acknowledgement must not wait.
    var isUrgent: Bool {
        received - acknowledged >= SessionLimits.acknowledgedParcels || octets >= SessionLimits.acknowledgedOctets
    }

    mutating func acknowledge() -> UInt64 {
        acknowledged = received
        octets = 0
        return received
    }
}
