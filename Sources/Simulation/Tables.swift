/// The number of elements in the largest table of a value. It searches the value by reflection, so that no new table is
/// overlooked.
struct Tables {
    /// The most elements of a table that are searched for tables of their own.
    private static let looked = 16

    private(set) var largest = 0
    private(set) var name = ""
    /// Types that contain no table, whatever the value. Reflection is slow, so their values are not searched again.
    private var plain: Set<ObjectIdentifier> = []

    init(of value: Any) { look(value, "", depth: 0) }

    private mutating func look(_ value: Any, _ path: String, depth: Int) {
        let type = ObjectIdentifier(type(of: value))
        // The wire format bounds the length of bytes and tallies.
        if depth > 16 || plain.contains(type) || value is [UInt64] || value is [UInt8] || value is String { return }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .set, .dictionary:
            let count = mirror.children.count
            if count > largest { (largest, name) = (count, path) }
            for child in mirror.children.prefix(Self.looked) { look(child.value, path, depth: depth + 1) }
        case .none:
            if mirror.children.isEmpty { plain.insert(type) }
        case .struct:
            for child in mirror.children { look(child, path, depth) }
            let isPlain = mirror.children.allSatisfy { plain.contains(ObjectIdentifier(Swift.type(of: $0.value))) }
            if isPlain { plain.insert(type) }
        default:
            for child in mirror.children { look(child, path, depth) }
        }
    }

    private mutating func look(_ child: Mirror.Child, _ path: String, _ depth: Int) {
        look(child.value, child.label.map { "\(path).\($0)" } ?? path, depth: depth + 1)
    }
}
