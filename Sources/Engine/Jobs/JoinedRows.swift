import PotluckCore

/// Joins the rows of a job that are about one laptop. A laptop whose program restarts has a new node ID, and its user
/// expects one row with all trials. Its name is all that it has in common with the node before.
enum JoinedRows {
    /// Joins the rows of nodes that left with the row of the node that has their ID, or else their name. If several
    /// present nodes have the name, they are different laptops, and nobody knows which of them it was.
    static func joined(_ rows: [NodeRow]) -> [NodeRow] {
        var joined: [NodeRow?] = rows
        // A restarted server keeps the credits of nodes that never left.
        var places: [NodeID: Int] = [:]
        for (index, row) in rows.enumerated() where row.work != .shutOut {
            guard let before = places.updateValue(index, forKey: row.node) else { continue }
            joined[index]?.inherit(from: rows[before])
            joined[before] = nil
        }
        return fewEnough(joinedByName(joined.compactMap { $0 }))
    }

    /// Returns the rows that a picture has room for. If there are more, the nodes that left and did least share one row
    /// of unknown nodes.
    private static func fewEnough(_ rows: [NodeRow]) -> [NodeRow] {
        guard rows.count > JobMessage.mostRows else { return rows }
        let gone = rows.filter { $0.work == .gone }.sorted { $0.trials < $1.trials }
        let folded = gone.prefix(rows.count - JobMessage.mostRows + 1)
        var unknown = NodeRow(
            node: .nobody, name: NodeRow.earlierName, cores: 0, trials: 0, rate: nil, work: .gone)
        for row in folded { unknown.inherit(from: row) }
        let nodes = Set(folded.map(\.node))
        return [unknown] + rows.filter { !nodes.contains($0.node) }
    }

    private static func joinedByName(_ rows: [NodeRow]) -> [NodeRow] {
        // A person's laptop and phone may have one name, and a browser is checked in another way.
        let groups = Dictionary(grouping: rows.indices.filter { rows[$0].work != .shutOut }) {
            "\(rows[$0].recomputed == nil) \(plainName(rows[$0]))"
        }
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
            roundTrip: roundTrip, since: since, effort: effort + other.effort,
            recomputed: recomputed.map { $0.addingClamped(other.recomputed ?? 0) })
    }
}
