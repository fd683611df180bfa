import PotluckModel
import PotluckWire

extension RankOrder {
    /// Bytes of all arguments. Linux passes a program no more by default.
    static let longestArguments = 2 << 20
    /// The most arguments. Linux takes nine of these bytes for an empty one.
    static let mostArguments = 1 << 18

    func encoded() -> [UInt8] {
        let given = program.arguments.map { Array($0.utf8) }
        let long = program.module.count + program.payload.count + given.reduce(0) { $0 + $1.count + 9 }
        var writer = FieldWriter(.order, reserving: Self.around + long)
        writer.line(1, program.name, limit: JobMessage.maximumName)
        writer.number(2, program.memory)
        writer.slots(3, program.parameters)
        writer.number(4, program.seed)
        writer.list(5, given)
        writer.flag(6, program.isSynchronous)
        writer.flag(7, program.isTraced)
        writer.packed(8, map.places) { $0.number($1) }
        writer.nodes(9, nodes)
        writer.nodes(10, relay.map { [$0] } ?? [])
        writer.number(11, own)
        writer.octets(12, program.module)
        writer.octets(13, program.payload)
        writer.flag(14, isResumed)
        return writer.bytes
    }

    /// At least as many bytes as everything takes besides arguments, module and payload.
    private static let around = 16 << 10

    init(_ fields: inout RankFieldReader) throws(WireError) {
        let name = try fields.line(1, limit: JobMessage.maximumName)
        let memory = try fields.number(2, atMost: RankLimits.memory.upperBound)
        guard RankLimits.memory.contains(memory) else { throw .malformed("ranks without memory") }
        let parameters = try fields.field(3)?.slots(limit: JobMessage.mostParameters) ?? []
        let seed = try fields.field(4)?.number() ?? 0
        let arguments = try Self.arguments(fields.field(5))
        let (isSynchronous, isTraced) = (try fields.flag(6), try fields.flag(7))
        let map = RankMap(
            try fields.packed(8, limit: RankLimits.ranks) { (reader) throws(WireError) in try reader.rank() })
        guard let map else { throw .malformed("a node without ranks") }
        let nodes = try fields.field(9)?.nodes(limit: RankLimits.ranks) ?? []
        guard nodes.count == map.nodes, Set(nodes).count == nodes.count else {
            throw .malformed("other nodes than those of the ranks")
        }
        let relay = try fields.field(10)?.nodes(limit: 1).first
        let own = try fields.number(11, atMost: map.nodes - 1)
        let module = try fields.octets(12, limit: BlobReference.largestModule)
        guard !module.isEmpty else { throw .malformed("a program without a module") }
        let payload = try fields.octets(13, limit: BlobReference.largestPayload)
        let isResumed = try fields.flag(14)
        let program = LaunchedProgram(
            name: name, module: module, memory: memory, parameters: parameters, payload: payload, seed: seed,
            arguments: arguments, isSynchronous: isSynchronous, isTraced: isTraced)
        self.init(program, map: map, nodes: nodes, relay: relay, own: own, isResumed: isResumed)
    }

    private static func arguments(_ field: Field?) throws(WireError) -> [String] {
        guard let field else { return [] }
        guard field.octets.count <= longestArguments else { throw .tooLong(limit: longestArguments) }
        var arguments: [String] = []
        for item in try field.list(limit: mostArguments, itemLimit: longestArguments) {
            guard let argument = String(validating: item, as: UTF8.self) else {
                throw .malformed("text that is not UTF-8")
            }
            arguments.append(argument)
        }
        return arguments
    }
}
