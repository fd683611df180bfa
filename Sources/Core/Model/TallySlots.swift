import PotluckKit

extension Accumulator {
    /// Returns the accumulator that these slots of a tally hold, or a copy of this one if there are no slots.
    public func read(from slots: [UInt64]) -> Self {
        var accumulator = self
        slots.withUnsafeBufferPointer { memory in
            guard let base = memory.baseAddress else { return }
            var reader = SlotReader(base)
            accumulator.read(&reader)
        }
        return accumulator
    }
}

extension TallyLayout.Field {
    /// The moments at each time of a series. `slots` are those of this field.
    public func moments(_ slots: [UInt64]) -> [Moments] {
        let each = slots.count / parts
        return stride(from: 0, to: slots.count, by: each).map { Moments().read(from: Array(slots[$0..<$0 + each])) }
    }
}
