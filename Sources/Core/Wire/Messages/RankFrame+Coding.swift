extension RankFrame: WireRecord {
    package static let blank = RankFrame(launch: 0, content: .opened)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var number: UInt64? = launch
        try v.fixed(1, &number)
        try v.check(number != nil, "a frame of a program with ranks without a required field")
        launch = number ?? launch
        try v.id(2, &origin)
        try v.id(3, &target)
        try v.union(4, &content)
    }
}

extension RankFrame.Content: WireUnion {
    package static let cases = WireCases<RankFrame.Content>([
        .part([], isLast: false), .received(0), .open([]), .opened, .closed(""), .show([]),
    ])

    package mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        switch self {
        case .part(var octets, var isLast):
            try v.kind(1)
            try v.flag(5, &isLast)
            try v.slice(6, &octets, atMost: RankFrame.longestPart)
            try v.check(!octets.isEmpty, "a part without octets")
            self = .part(octets, isLast: isLast)
        case .received(var count):
            try v.kind(2)
            try v.number(5, &count)
            self = .received(count)
        case .open(var nodes):
            try v.kind(3)
            try v.nodes(6, &nodes, atMost: RankFrame.mostNodes)
            self = .open(nodes)
        case .opened: try v.kind(4)
        case .closed(var why):
            try v.kind(5)
            try v.line(6, &why, atMost: RankFrame.longestReason)
            self = .closed(why)
        case .show(var octets):
            try v.kind(6)
            try v.octets(6, &octets, atMost: RankFrame.longestShow)
            try v.check(!octets.isEmpty, "a show without octets")
            self = .show(octets)
        }
    }
}
