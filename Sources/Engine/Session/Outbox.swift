import PotluckCore

/// The reliable parcels to one peer that it has not acknowledged, in order. They outlive the link: a new link continues
/// where the old one broke.
struct Outbox: Sendable {
    /// Identifies this sequence of parcels. A peer that forgot this node gets a new sequence, so it cannot take number
    /// 1 for a repetition.
    let row: UInt64
    private(set) var waiting: [Parcel] = []
    private(set) var size = 0
    private var next: UInt64 = 1

    init(row: UInt64) { self.row = row }

    /// Numbers and keeps a parcel. Returns it, or nil if too much is unacknowledged already.
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

    /// Drops the unacknowledged parcels, because the peer forgot this node and cannot continue the sequence. Numbering
    /// continues. Returns how many were dropped.
    mutating func drop() -> Int {
        defer { (waiting, size) = ([], 0) }
        return waiting.count
    }

    /// Removes the parcels that the peer has acknowledged. Returns false for a number that was never sent.
    mutating func acknowledged(upTo number: UInt64) -> Bool {
        guard number < next else { return false }
        let done = waiting.prefix { ($0.number ?? 0) <= number }
        size -= done.reduce(0) { $0 + $1.size }
        waiting.removeFirst(done.count)
        return true
    }
}

/// The parcels received from one peer.
struct ReceivedParcels: Sendable {
    /// The position of a parcel in its sequence.
    enum Position: Equatable { case new, repeated, gap }

    private(set) var row: UInt64 = 0
    private(set) var received: UInt64 = 0
    private var acknowledged: UInt64 = 0
    private var octets = 0
    /// Whether no parcel of this sequence has arrived. The first number may be any, because this node may have
    /// forgotten the beginning.
    private var isFresh = true

    /// Starts over if the peer names a new sequence.
    mutating func begin(row: UInt64) {
        guard row != self.row else { return }
        self = ReceivedParcels()
        self.row = row
    }

    mutating func receive(_ number: UInt64, size: Int) -> Position {
        if isFresh { (isFresh, received, acknowledged) = (false, number - 1, number - 1) }
        if number <= received { return .repeated }
        guard number == received + 1 else { return .gap }
        received = number
        octets += size
        return .new
    }

    /// Whether the unacknowledged parcels are so many or so large that the acknowledgement must not wait.
    var isUrgent: Bool {
        received - acknowledged >= SessionLimits.acknowledgedParcels || octets >= SessionLimits.acknowledgedOctets
    }

    mutating func acknowledge() -> UInt64 {
        acknowledged = received
        octets = 0
        return received
    }
}
