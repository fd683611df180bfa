/// The fields of the nodes' parts in a job.
extension NodeRow: WireRecord {
    package static let blank = NodeRow(node: .nobody, name: "", cores: 0, trials: 0, rate: nil)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.id(1, &node)
        try v.line(2, &name, atMost: JobMessage.maximumDisplayName)
        try v.clamped(3, &cores, atMost: Introduction.maximumCores)
        try v.number(4, &trials)
        try v.rate(5, &rate)
        try v.union(6, &work)
        try v.duration(8, &roundTrip)
        try v.duration(9, &since)
        try v.effort(10, &effort)
        try v.recomputed(12, &recomputed)
    }
}

extension NodeWork: WireUnion {
    package static let cases = WireCases<NodeWork>([
        .computing, .idle, .preparing, .resting, .silent, .setAside, .unable(""), .gone, .shutOut,
    ])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .computing: try v.kind(1)
        case .idle: try v.kind(2)
        case .preparing: try v.kind(3)
        case .resting: try v.kind(4)
        case .silent: try v.kind(5)
        case .setAside: try v.kind(6)
        case .unable(var why):
            try v.kind(7)
            try v.line(7, &why, atMost: JobMessage.maximumLine)
            self = .unable(why)
        case .gone: try v.kind(8)
        case .shutOut: try v.kind(9)
        }
    }
}

/// Who computed how much of a job.
extension Credit: WireRecord {
    package static let blank = Credit(node: .nobody, name: "", trials: 0)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.id(1, &node)
        try v.line(2, &name, atMost: JobMessage.maximumDisplayName)
        try v.number(4, &trials)
        try v.effort(10, &effort)
        try v.recomputed(12, &recomputed)
    }
}

extension FieldVisitor {
    /// Visits whether a node is a browser, and the trials of it that another node computed, too.
    fileprivate mutating func recomputed(_ tag: UInt64, _ recomputed: inout UInt64?) throws(WireError) {
        var (isBrowser, trials) = (recomputed != nil, recomputed ?? 0)
        try flag(tag, &isBrowser)
        try number(tag + 1, &trials)
        let (isOne, count) = (isBrowser, trials)
        try check(isOne || count == 0, "recomputed trials of a node that is no browser")
        recomputed = isBrowser ? trials : nil
    }
}
