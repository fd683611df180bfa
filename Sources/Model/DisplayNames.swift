/// Names under which people can tell nodes apart. A name that only one node has stays as it is; nodes that share one show
/// their short ID too: `ana (1f3c09ab)`.
public enum DisplayNames {
    public static func distinct(_ names: [(node: NodeID, name: String)]) -> [NodeID: String] {
        var shown: [NodeID: String] = [:]
        for (node, name) in names { shown[node] = name }
        // A node may be called what another one's name became, or share the first digits of its ID: further rounds tell those
        // apart too. All 32 digits twice over are longer than a name may be, so nobody can be called that.
        for id: (NodeID) -> String in [\.short, \.description, \.description] {
            var holders: [String: Int] = [:]
            for (_, name) in shown { holders[alike(name), default: 0] += 1 }
            for (node, name) in names where holders[alike(shown[node] ?? name), default: 0] > 1 {
                shown[node] = "\(name) (\(id(node)))"
            }
        }
        return shown
    }

    /// Names that look the same to people.
    private static func alike(_ name: String) -> String {
        name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
