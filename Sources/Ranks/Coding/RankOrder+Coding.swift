import PotluckCore

extension RankOrder {
    /// Bytes of all arguments. Linux passes a program no more by default.
    static let longestArguments = 2 << 20
    /// The most arguments. Linux takes nine of these bytes for an empty one.
    static let mostArguments = 1 << 18

    static let blank = RankOrder(
        LaunchedProgram(name: "", module: [], memory: 0), map: RankMap(size: 1), nodes: [], relay: nil, own: 0,
        isResumed: false)

    mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.line(1, &program.name, atMost: JobMessage.maximumName)
        try v.number(2, &program.memory, atMost: RankLimits.memory.upperBound)
        try v.check(RankLimits.memory.contains(program.memory), "ranks without memory")
        try v.slots(3, &program.parameters, atMost: JobMessage.mostParameters)
        try v.number(4, &program.seed)
        try v.texts(5, &program.arguments, atMost: Self.mostArguments, each: Self.longestArguments)
        try v.check(
            program.arguments.reduce(0) { $0 + ByteWriter.length(ofVarint: UInt64($1.utf8.count)) + $1.utf8.count }
                <= Self.longestArguments, "arguments of more than \(Self.longestArguments) octets")
        try v.strictFlag(6, &program.isSynchronous)
        try v.strictFlag(7, &program.isTraced)
        var places = map.places
        try v.numbers(8, &places, most: RankLimits.ranks, each: RankLimits.ranks - 1)
        guard let map = RankMap(places) else { return try v.check(false, "a node without ranks") }
        self.map = map
        try v.nodes(9, &nodes, atMost: RankLimits.ranks)
        try v.check(
            nodes.count == map.nodes && Set(nodes).count == nodes.count, "other nodes than those of the ranks")
        try v.id(10, &relay)
        try v.number(11, &own, atMost: map.nodes - 1)
        try v.octets(12, &program.module, atMost: BlobReference.largestModule)
        try v.check(!program.module.isEmpty, "a program without a module")
        try v.octets(13, &program.payload, atMost: BlobReference.largestPayload)
        try v.strictFlag(14, &isResumed)
    }
}
