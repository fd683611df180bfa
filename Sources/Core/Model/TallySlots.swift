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
