/// The number of elements in the largest table of a value. It searches the value by reflection, so that no new table is
/// overlooked.
struct Tables {
    /// The most elements of a table that are searched for tables of their own.
    private static let looked = 64

    private(set) var largest = 0
    private(set) var name = ""

    init(of value: Any) { look(value, "", depth: 0) }

    private mutating func look(_ value: Any, _ path: String, depth: Int) {
        // The wire format bounds the length of bytes and tallies.
        if depth > 16 || value is [UInt64] || value is [UInt8] || value is String { return }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .set, .dictionary:
            let count = mirror.children.count
            if count > largest { (largest, name) = (count, path) }
            for child in mirror.children.prefix(Self.looked) { look(child.value, path, depth: depth + 1) }
        case .none: break
        default:
            for child in mirror.children {
                look(child.value, child.label.map { "\(path).\($0)" } ?? path, depth: depth + 1)
            }
        }
    }
}
