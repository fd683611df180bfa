/// The tally of a simulation: a struct of accumulators, each with a name.
///
///     struct Tally: SimulationTally {
///         var stay = Count(), swap = Count()
///         mutating func visit(_ visitor: inout some TallyVisitor) {
///             visitor.field("stay", &stay)
///             visitor.field("switch", &swap)
///         }
///     }
public protocol SimulationTally: Sendable {
    /// Creates the tally of no trials.
    init()
    /// Passes every field to the visitor, always all of them and in the same order.
    mutating func visit(_ visitor: inout some TallyVisitor)
}

/// Visits the fields of a tally.
public protocol TallyVisitor {
    /// Visits a field. `name` is what people see, and `accumulator` is the field itself.
    mutating func field(_ name: StaticString, _ accumulator: inout some Accumulator)
}

/// Adds up the sizes of the fields that `visit` passes.
private struct SizeVisitor: TallyVisitor {
    var bytes = 0

    mutating func field<A: Accumulator>(_: StaticString, _: inout A) { bytes += MemoryLayout<A>.size }
}

/// Adds up the slots of the fields that `visit` passes.
private struct SlotVisitor: TallyVisitor {
    var slots = 0

    mutating func field<A: Accumulator>(_: StaticString, _: inout A) {
        A.rules { rule, count in slots += rule.slots * count }
    }
}

extension SimulationTally {
    /// The number of slots that a tally of this type is sent as.
    public static var slotCount: Int {
        var visitor = SlotVisitor()
        var tally = Self()
        tally.visit(&visitor)
        return visitor.slots
    }

    /// What is wrong with the tally's type; nil if nothing is. A stored property that `visit` leaves out is in no result,
    /// because only what `visit` passes leaves the worker. Every accumulator is a whole number of 8-byte words, so the
    /// sizes of those that are visited add up to the size of the tally.
    @usableFromInline static var flaw: StaticString? {
        var visitor = SizeVisitor()
        var tally = Self()
        tally.visit(&visitor)
        guard visitor.bytes < MemoryLayout<Self>.size else { return nil }
        return
            "Tally has a property that visit leaves out, so no result has it; add visitor.field(\"name\", &name) to visit"
    }
}

/// Where the fields of a tally are among its slots, and how the slots merge.
public struct TallyLayout: Sendable, Hashable {
    /// A field of a tally: its name, its kind and its slots.
    public struct Field: Sendable, Hashable {
        /// The name that people see.
        public let name: String
        /// The kind of accumulator.
        public let kind: FieldKind
        /// The indices of its slots.
        public let slots: Range<Int>
        /// The number of a histogram's bins, of the numbers of comoments, of categories or of times; 0 for other fields.
        public let parts: Int
        /// The range of a histogram's bins; nil for other fields.
        public let range: ClosedRange<Double>?
    }

    /// Consecutive values that merge by the same rule.
    struct Run: Sendable, Hashable {
        let rule: SlotRule
        let count: Int
    }

    /// The fields, in the order in which the tally visits them.
    public let fields: [Field]
    let runs: [Run]
    /// The number of slots in all.
    public let slots: Int

    init(fields: [Field], runs: [Run], empty: [UInt64]) {
        self.fields = fields
        self.runs = runs
        self.empty = empty
        slots = empty.count
    }

    /// Creates the layout of a tally's type.
    public init<T: SimulationTally>(of _: T.Type) {
        var tally = T()
        var visitor = LayoutVisitor()
        tally.visit(&visitor)
        (fields, runs, slots) = (visitor.fields, visitor.runs, visitor.slots)
        empty = T().slots(visitor.slots)
    }

    /// The slots of a tally of no trials.
    public let empty: [UInt64]

    /// Merges the slots `other` into `mine`. Both must have this layout's number of slots.
    public func merge(_ other: [UInt64], into mine: inout [UInt64]) {
        precondition(mine.count == slots && other.count == slots, "the slots do not fit the tally")
        var at = 0
        for run in runs {
            for _ in 0..<run.count {
                switch run.rule {
                case .count:
                    let (sum, overflow) = mine[at].addingReportingOverflow(other[at])
                    mine[at] = overflow ? .max : sum
                case .sum:
                    var sum = ExactSum(slots: mine, at: at)
                    sum.merge(ExactSum(slots: other, at: at))
                    sum.write(to: &mine, at: at)
                case .minimum:
                    mine[at] = UInt64(bitPattern: min(Int64(bitPattern: mine[at]), Int64(bitPattern: other[at])))
                case .maximum:
                    mine[at] = UInt64(bitPattern: max(Int64(bitPattern: mine[at]), Int64(bitPattern: other[at])))
                case .best:
                    let one = Best(key: Int64(bitPattern: other[at]), point: other[at + 1])
                    if one < Best(key: Int64(bitPattern: mine[at]), point: mine[at + 1]) {
                        (mine[at], mine[at + 1]) = (other[at], other[at + 1])
                    }
                }
                at += run.rule.slots
            }
        }
    }
}

private struct LayoutVisitor: TallyVisitor {
    var fields: [TallyLayout.Field] = []
    var runs: [TallyLayout.Run] = []
    var slots = 0

    mutating func field<A: Accumulator>(_ name: StaticString, _ accumulator: inout A) {
        let first = slots
        A.rules { rule, count in
            runs.append(TallyLayout.Run(rule: rule, count: count))
            slots += rule.slots * count
        }
        fields.append(
            TallyLayout.Field(
                name: name.description, kind: A.kind, slots: first..<slots, parts: A.parts, range: accumulator.range))
    }
}

extension ExactSum {
    init(slots: [UInt64], at index: Int) {
        self.init()
        (w0, w1, w2, w3) = (slots[index], slots[index + 1], slots[index + 2], slots[index + 3])
        flags = slots[index + 4]
    }

    func write(to slots: inout [UInt64], at index: Int) {
        (slots[index], slots[index + 1], slots[index + 2], slots[index + 3]) = (w0, w1, w2, w3)
        slots[index + 4] = flags
    }
}

extension SimulationTally {
    /// Returns the tally as slots. `count` must be the number of slots in its layout.
    @inlinable
    public func slots(_ count: Int) -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: count) { memory, used in
            var writer = WritingVisitor(slots: SlotWriter(memory.baseAddress!))
            var copy = self
            copy.visit(&writer)
            used = count
        }
    }

    /// Creates a tally from its slots.
    @inlinable
    public init(slots: [UInt64]) {
        self.init()
        slots.withUnsafeBufferPointer { memory in
            var reader = ReadingVisitor(slots: SlotReader(memory.baseAddress!))
            visit(&reader)
        }
    }
}

@usableFromInline struct WritingVisitor: TallyVisitor {
    @usableFromInline var slots: SlotWriter
    @inlinable init(slots: SlotWriter) { self.slots = slots }
    @inlinable mutating func field(_ name: StaticString, _ accumulator: inout some Accumulator) {
        accumulator.write(&slots)
    }
}

@usableFromInline struct ReadingVisitor: TallyVisitor {
    @usableFromInline var slots: SlotReader
    @inlinable init(slots: SlotReader) { self.slots = slots }
    @inlinable mutating func field(_ name: StaticString, _ accumulator: inout some Accumulator) {
        accumulator.read(&slots)
    }
}
