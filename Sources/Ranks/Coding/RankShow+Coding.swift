import PotluckModel
import PotluckWire

extension RankShow {
    private enum Standing {
        static let running = 0
        static let ended = 1
        static let failed = 2
    }

    /// Of the times that a rank waited for others only the longest travels, so that 512 ranks fit into one frame.
    func encoded() -> [UInt8] {
        let laptops = laptops.map { $0.line(limit: JobMessage.maximumDisplayName) }
        var names: [String] = []
        var numbers: [String: Int] = [:]
        for name in laptops where numbers[name] == nil {
            numbers[name] = names.count
            names.append(name)
        }
        var writer = FieldWriter(.show)
        writer.line(1, name, limit: JobMessage.maximumName)
        writer.line(2, launcher, limit: JobMessage.maximumDisplayName)
        switch state {
        case .running: writer.number(3, Standing.running)
        case .ended: writer.number(3, Standing.ended)
        case .failed(let why):
            writer.number(3, Standing.failed)
            writer.line(4, why, limit: RankEnding.longestReason)
        }
        writer.duration(5, elapsed)
        writer.number(6, checkpoints)
        writer.packed(7, rows) { $1.brief.write(to: &$0) }
        writer.list(8, names.map { Array($0.utf8) })
        writer.packed(9, laptops) { $0.number(numbers[$1] ?? 0) }
        return writer.bytes
    }

    init(_ fields: inout RankFieldReader) throws(WireError) {
        let name = try fields.line(1, limit: JobMessage.maximumName)
        let launcher = try fields.line(2, limit: JobMessage.maximumDisplayName)
        let state: State =
            switch try fields.number(3, atMost: Standing.failed) {
            case Standing.running: .running
            case Standing.ended: .ended
            default: .failed(try fields.line(4, limit: RankEnding.longestReason))
            }
        let elapsed = try fields.field(5)?.duration() ?? .zero
        let checkpoints = try fields.number(6, atMost: RankLimits.count)
        let rows = try fields.packed(7, limit: RankLimits.ranks) { (reader) throws(WireError) in
            let row = try RankRow(&reader, mostWaits: 1)
            guard row == row.brief else { throw .malformed("a wait for any of several ranks") }
            return row
        }
        let laptops = try Self.laptops(&fields)
        guard laptops.isEmpty || laptops.count == rows.count else { throw .malformed("a rank without a node") }
        self.init(
            name: name, launcher: launcher, state: state, elapsed: elapsed, checkpoints: checkpoints, rows: rows,
            laptops: laptops)
    }

    /// Reads the names of the ranks' nodes. Each is written once, in the order in which ranks have them.
    private static func laptops(_ fields: inout RankFieldReader) throws(WireError) -> [String] {
        var names: [String] = []
        for item in try fields.field(8)?.list(limit: RankLimits.ranks, itemLimit: JobMessage.maximumDisplayName) ?? [] {
            guard let name = String(validating: item, as: UTF8.self), name.isFitForScreen else {
                throw .malformed("a name with unprintable characters")
            }
            names.append(name)
        }
        let numbers = try fields.packed(9, limit: RankLimits.ranks) { (reader) throws(WireError) in
            try reader.rank()
        }
        var used = 0
        for number in numbers {
            guard number <= used, number < names.count else { throw .malformed("names in another order") }
            used = max(used, number + 1)
        }
        guard used == names.count, Set(names).count == names.count else {
            throw .malformed("a name that is unused or repeated")
        }
        return numbers.map { names[$0] }
    }
}
