/// A dictionary whose elements have the order in which their keys were added. The order is the same on every run.
struct OrderedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The elements in order; nil where one was removed.
    private var slots: [(key: Key, value: Value)?] = []
    /// The index of each key's slot.
    private var places: [Key: Int] = [:]

    var count: Int { places.count }

    /// The keys in order.
    var keys: [Key] { slots.compactMap { $0?.key } }

    /// The elements in order.
    var elements: [(key: Key, value: Value)] { slots.compactMap { $0 } }

    /// The values in order, one after the other instead of in an array.
    var values: some Sequence<Value> { slots.lazy.compactMap { $0?.value } }

    subscript(key: Key) -> Value? {
        get { places[key].flatMap { slots[$0]?.value } }
        set {
            guard let newValue else { return remove(key) }
            if let place = places[key] {
                slots[place] = (key, newValue)
            } else {
                places[key] = slots.count
                slots.append((key, newValue))
            }
        }
    }

    /// Changes a value in place; does nothing if the key is not there.
    mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
        guard let place = places[key] else { return }
        body(&slots[place]!.value)
    }

    private mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key) else { return }
        slots[place] = nil
        // At most every second slot is empty, so removing costs the same on average however many elements there are.
        guard slots.count > 2 * places.count else { return }
        slots.removeAll { $0 == nil }
        for (place, slot) in slots.enumerated() { places[slot!.key] = place }
    }
}
