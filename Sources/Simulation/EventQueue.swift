import PotluckCore

/// The planned actions, ordered by time and then by the order in which they were added. A binary heap.
package struct EventQueue<Action> {
    private struct Entry {
        let at: Instant
        let number: Int
        let action: Action

        func isBefore(_ other: Entry) -> Bool { at != other.at ? at < other.at : number < other.number }
    }

    private var heap: [Entry] = []
    private var count = 0

    package init() {}

    package var nextTime: Instant? { heap.first?.at }

    package mutating func add(_ action: Action, at: Instant) {
        heap.append(Entry(at: at, number: count, action: action))
        count += 1
        var child = heap.count - 1
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    package mutating func next() -> (at: Instant, action: Action)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            var parent = 0
            while true {
                var least = parent
                for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                    if heap[child].isBefore(heap[least]) { least = child }
                }
                if least == parent { break }
                heap.swapAt(parent, least)
                parent = least
            }
        }
        return (first.at, first.action)
    }
}
