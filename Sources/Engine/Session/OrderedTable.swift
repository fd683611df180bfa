/// A dictionary that is gone through in the order in which its keys came, the same at every launch.
struct OrderedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private(set) var keys: [Key] = []
    private var values: [Key: Value] = [:]

    var count: Int { keys.count }

    subscript(key: Key) -> Value? {
        get { values[key] }
        set {
            guard let newValue else {
                if values.removeValue(forKey: key) != nil { keys.removeAll { $0 == key } }
                return
            }
            if values.updateValue(newValue, forKey: key) == nil {
                keys.append(key)
            }
        }
    }

    /// Changes a value in place, where there is one.
    mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
        guard let index = values.index(forKey: key) else { return }
        body(&values.values[index])
    }

    /// The values in any order, for what does not depend on it.
    var unordered: some Collection<Value> { values.values }

    /// In order.
    var elements: [(key: Key, value: Value)] {
        keys.compactMap { key in values[key].map { (key, $0) } }
    }
}
