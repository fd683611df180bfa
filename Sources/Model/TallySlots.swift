import PotluckKit

extension Accumulator {
    /// What these slots of a tally hold; itself, where there are none.
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
