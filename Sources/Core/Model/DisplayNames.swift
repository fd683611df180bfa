/// Makes node names distinct for display. A name that only one node has stays as it is. Nodes with
/// the same name also show their short ID: `ana (1f3c09ab)`.
public enum DisplayNames {
    /// Returns a display name for each node, all different.
    public static func distinct(_ names: [(node: NodeID, name: String)]) -> [NodeID: String] {
        var shown: [NodeID: String] = [:]
        for (node, name) in names { shown[node] = name }
        // A node's own name may equal the changed name of another node, or short IDs may be equal. The further rounds
        // separate these too. All 32 digits twice are longer than a name may be, so no node can have such a name.
        for id: (NodeID) -> String in [\.short, \.description, \.description] {
            var holders: [String: Int] = [:]
            for (_, name) in shown { holders[alike(name), default: 0] += 1 }
            for (node, name) in names where holders[alike(shown[node] ?? name), default: 0] > 1 {
                shown[node] = "\(name) (\(id(node)))"
            }
        }
        return shown
    }

    /// Folds names that look the same to users into one key.
    private static func alike(_ name: String) -> String {
        name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
