// The tally of a module in Python: accumulators of the kit at fixed places, which the author's code adds to.

extension DeclaredField {
    /// The accumulator of a field that has this type.
    func accumulator<A: Accumulator>() -> UnsafeMutablePointer<A> { pointer(to: address) }

    /// The counts of a histogram: below its range, its bins, above its range.
    var counts: UnsafeMutableBufferPointer<UInt64> {
        UnsafeMutableBufferPointer(start: pointer(to: address), count: Int(truncatingIfNeeded: bins) + 2)
    }

    /// Makes the accumulator that of no trials.
    func clear() {
        switch kind {
        case UInt64(FieldKind.sum.rawValue): accumulator().pointee = ExactSum()
        case UInt64(FieldKind.moments.rawValue): accumulator().pointee = Moments()
        case UInt64(FieldKind.minimum.rawValue): accumulator().pointee = Minimum()
        case UInt64(FieldKind.maximum.rawValue): accumulator().pointee = Maximum()
        case UInt64(FieldKind.histogram.rawValue): counts.update(repeating: 0)
        default: accumulator().pointee = Count()
        }
    }

    /// Writes the accumulator's slots.
    func write(_ slots: inout SlotWriter) {
        switch kind {
        case UInt64(FieldKind.sum.rawValue): (accumulator() as UnsafeMutablePointer<ExactSum>).pointee.write(&slots)
        case UInt64(FieldKind.moments.rawValue): (accumulator() as UnsafeMutablePointer<Moments>).pointee.write(&slots)
        case UInt64(FieldKind.histogram.rawValue): for count in counts { slots.put(count) }
        default: slots.put(counts[0])
        }
    }

    /// Reads the accumulator's slots.
    func read(_ slots: inout SlotReader) {
        switch kind {
        case UInt64(FieldKind.sum.rawValue): (accumulator() as UnsafeMutablePointer<ExactSum>).pointee.read(&slots)
        case UInt64(FieldKind.moments.rawValue): (accumulator() as UnsafeMutablePointer<Moments>).pointee.read(&slots)
        case UInt64(FieldKind.histogram.rawValue): for bin in counts.indices { counts[bin] = slots.take() }
        default: counts[0] = slots.take()
        }
    }
}

extension Layout {
    /// Makes the tally that of no trials.
    func clear() { for field in fields.entries { field.clear() } }

    /// Appends the number of slots of the tally, then the slots.
    func write(_ answer: inout Answer) {
        answer.put(Int(slots))
        var writer = SlotWriter(answer.next(Int(slots)))
        for field in fields.entries { field.write(&writer) }
    }
}
