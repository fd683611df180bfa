// The tally of a module in Python: accumulators of the kit at fixed places, which the author's code adds to.

/// What the runtime does with an accumulator and its slots.
enum Deed: UInt32 {
    /// Makes it that of no trials.
    case clear
    case write
    case read
}

func handle<A: Accumulator>(
    _ accumulator: UnsafeMutablePointer<A>, empty: A, _ deed: UInt32, _ slots: UInt32
) {
    switch deed {
    case Deed.write.rawValue:
        var writer = SlotWriter(pointer(to: UInt64(slots)))
        accumulator.pointee.write(&writer)
    case Deed.read.rawValue:
        var reader = SlotReader(pointer(to: UInt64(slots)))
        accumulator.pointee.read(&reader)
    default: accumulator.pointee = empty
    }
}

@_expose(wasm, "rt_sum") @_cdecl("rt_sum")
public func handleSum(_ accumulator: UInt32, _ deed: UInt32, _ slots: UInt32) {
    handle(pointer(to: UInt64(accumulator)), empty: ExactSum(), deed, slots)
}

@_expose(wasm, "rt_moments") @_cdecl("rt_moments")
public func handleMoments(_ accumulator: UInt32, _ deed: UInt32, _ slots: UInt32) {
    handle(pointer(to: UInt64(accumulator)), empty: Moments(), deed, slots)
}

extension DeclaredField {
    /// The words of a count or an extreme; the counts of categories; the counts of a histogram: below its range, its bins, above its range.
    var words: UnsafeMutableBufferPointer<UInt64> {
        UnsafeMutableBufferPointer(start: pointer(to: address), count: Int(truncatingIfNeeded: slots))
    }

    /// Does something with the accumulator and its slots, which are nil to clear it.
    func handle(_ deed: Deed, _ memory: UnsafeMutablePointer<UInt64>?) {
        let accumulator = UInt32(truncatingIfNeeded: address)
        let place = UInt32(UInt(bitPattern: memory))
        var count = words.count
        switch kind {
        case UInt64(FieldKind.sum.rawValue): return authorSum(accumulator, deed.rawValue, place)
        case UInt64(FieldKind.moments.rawValue): return authorMoments(accumulator, deed.rawValue, place)
        case UInt64(FieldKind.comoments.rawValue):
            authorComoments(accumulator, UInt32((slots - 1) / 5), deed.rawValue, place)
            // The rest is the count.
            count = 1
        case UInt64(FieldKind.series.rawValue):
            return authorSeries(accumulator, UInt32(slots / Moments.slots), deed.rawValue, place)
        default: break
        }
        for index in 0..<count {
            switch deed {
            case .clear: words[index] = empty
            case .write: memory.unsafelyUnwrapped[index] = words[index]
            case .read: words[index] = memory.unsafelyUnwrapped[index]
            }
        }
    }

    /// A word of a count or an extreme of no trials.
    private var empty: UInt64 {
        switch kind {
        case UInt64(FieldKind.minimum.rawValue): UInt64(bitPattern: Minimum().key)
        case UInt64(FieldKind.maximum.rawValue): UInt64(bitPattern: Maximum().key)
        default: 0
        }
    }
}

extension Layout {
    /// Does something with the whole tally and its slots, which are nil to clear it.
    func handle(_ deed: Deed, _ memory: UnsafeMutablePointer<UInt64>?) {
        var slots = memory
        for field in fields.entries {
            field.handle(deed, slots)
            slots = slots.map { $0 + Int(truncatingIfNeeded: field.slots) }
        }
    }
}
