/// A first-in, first-out queue. Taking an element takes constant time on average.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func takeFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer {
            elements[head] = nil
            head += 1
            // Free the places of removed elements once they are the majority.
            if head > 64, 2 * head > elements.count {
                elements.removeFirst(head)
                head = 0
            }
        }
        return elements[head]
    }

    /// Removes all elements that match. Returns them in order.
    mutating func remove(where isMeant: (Element) -> Bool) -> [Element] {
        var kept: [Element?] = []
        var removed: [Element] = []
        for case let element? in elements[head...] {
            if isMeant(element) { removed.append(element) } else { kept.append(element) }
        }
        (elements, head) = (kept, 0)
        return removed
    }

    func forEach(_ body: (Element) -> Void) {
        for case let element? in elements[head...] { body(element) }
    }
}
