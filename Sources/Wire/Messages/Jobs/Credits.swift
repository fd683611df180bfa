import PotluckModel

/// The encoding of who computed how much of a job.
extension Credit {
    static func items(_ credits: [Credit]) -> [[UInt8]] {
        credits.prefix(JobMessage.mostRows).map { credit in
            FieldWriter.record { writer in
                writer.octets(1, credit.node.octets)
                writer.line(2, credit.name, limit: JobMessage.maximumDisplayName)
                writer.number(4, credit.trials)
                writer.number(10, credit.effort.expanded)
                writer.number(11, credit.effort.inVain)
                writer.number(12, credit.recomputed == nil ? 0 : 1)
                writer.number(13, credit.recomputed ?? 0)
            }
        }
    }

    static func list(_ field: Field) throws(WireError) -> [Credit] {
        var credits: [Credit] = []
        for item in try field.list(limit: JobMessage.mostRows, itemLimit: .max) { credits.append(try Credit(item)) }
        return credits
    }

    private init(_ octets: ArraySlice<UInt8>) throws(WireError) {
        var node: NodeID?, name = "", trials: UInt64 = 0, expanded: UInt64 = 0, inVain: UInt64 = 0
        var isBrowser = false, recomputed: UInt64 = 0
        var fields = FieldReader(octets)
        while let field = try fields.next() {
            switch field.tag {
            case 1: node = NodeID(try field.bytes(exactly: NodeID.length))
            case 2: name = try field.line(limit: JobMessage.maximumDisplayName)
            case 4: trials = try field.number()
            case 10: expanded = try field.number()
            case 11: inVain = try field.number()
            case 12: isBrowser = try field.number() != 0
            case 13: recomputed = try field.number()
            default: break
            }
        }
        self.init(
            node: try JobMessage.there(node), name: name, trials: trials,
            effort: SearchEffort(expanded: expanded, inVain: inVain), recomputed: isBrowser ? recomputed : nil)
    }
}
