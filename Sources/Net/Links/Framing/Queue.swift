/// A queue: first in, first out.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Removes those of these elements that come after the first one, and returns them.
    mutating func removeRest(where isGone: (Element) -> Bool) -> [Element] {
        let all = elements[head...].compactMap(\.self)
        let rest = all.dropFirst()
        (elements, head) = (all.prefix(1) + rest.filter { !isGone($0) }, 0)
        return rest.filter(isGone)
    }

    mutating func removeFirst() {
        elements[head] = nil
        head += 1
        if head == elements.count {
            // Releases the memory, so that an idle link keeps little.
            elements = elements.count <= 8 ? elements : []
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
    }
}
