import PotluckModel

/// Who gets credit for the trials of a job. A laptop whose program restarts has a new node ID, and its user expects one
/// row with all trials. Its name is all that it has in common with the node before.
enum Credit {
    /// Joins the rows of nodes that left with the row of the node that has their name. If several present nodes have it,
    /// they are different laptops, and nobody knows which of them it was.
    static func joined(_ rows: [NodeRow]) -> [NodeRow] {
        let groups = Dictionary(grouping: rows.indices.filter { rows[$0].work != .shutOut }) { plainName(rows[$0]) }
        var joined: [NodeRow?] = rows
        for group in groups.values where group.count > 1 {
            let present = group.filter { rows[$0].work != .gone }
            guard present.count <= 1, let heir = present.first ?? group.last else { continue }
            for index in group where index != heir {
                joined[heir]?.inherit(from: rows[index])
                joined[index] = nil
            }
        }
        return joined.compactMap { $0 }
    }

    /// The name without the ID that distinguished it from another node of that name.
    private static func plainName(_ row: NodeRow) -> Substring {
        for id in [row.node.short, row.node.description] where row.name.hasSuffix(" (\(id))") {
            return row.name.dropLast(id.count + 3)
        }
        return row.name[...]
    }
}

extension NodeRow {
    fileprivate mutating func inherit(from other: NodeRow) {
        self = NodeRow(
            node: node, name: name, cores: cores, trials: trials + other.trials, rate: rate, work: work,
            roundTrip: roundTrip, since: since, effort: effort + other.effort)
    }
}
