#if !hasFeature(Embedded)
    extension TallyLayout {
        /// A field that a module declares, without a Swift type.
        public struct DeclaredField: Sendable, Hashable {
            /// The name that people see.
            public var name: String
            /// The kind of accumulator.
            public var kind: FieldKind
            /// The number of bins of a histogram, of the numbers of comoments, of categories or of times; 0 for other kinds.
            public var bins: Int
            /// The range of a histogram's bins; nil for other kinds.
            public var range: ClosedRange<Double>?

            /// Creates a field. Only a histogram has a `range`.
            public init(name: String, kind: FieldKind, bins: Int = 0, range: ClosedRange<Double>? = nil) {
                self.name = name
                self.kind = kind
                self.bins = bins
                self.range = range
            }
        }

        /// Creates the layout of a module's fields. Returns nil if a field is invalid: a histogram without bins or
        /// without a valid range, no or too many numbers of comoments, categories or times, or another kind with either of them.
        public init?(_ declared: [DeclaredField]) {
            var builder = LayoutBuilder()
            for field in declared {
                switch field.kind {
                case .count: builder.add(field, Count())
                case .sum: builder.add(field, ExactSum())
                case .minimum: builder.add(field, Minimum())
                case .maximum: builder.add(field, Maximum())
                case .moments: builder.add(field, Moments())
                case .print: builder.add(field, OutputPrint())
                case .best: builder.add(field, Best())
                case .quantiles: builder.add(field, Quantiles())
                case .histogram:
                    guard field.bins > 0, let range = field.range, range.lowerBound < range.upperBound,
                        (range.upperBound - range.lowerBound).isFinite
                    else { return nil }
                    builder.add(field, [Run(rule: .count, count: field.bins + 2)])
                    continue
                case .comoments:
                    guard 1...ComomentSums.most ~= field.bins, field.range == nil else { return nil }
                    let sums = ComomentSums.count(field.bins)
                    builder.add(field, [Run(rule: .count, count: 1), Run(rule: .sum, count: sums)])
                    continue
                case .counts:
                    guard 1...CategoryCounts.most ~= field.bins, field.range == nil else { return nil }
                    builder.add(field, [Run(rule: .count, count: field.bins)])
                    continue
                case .series:
                    guard 1...SeriesLimits.most ~= field.bins, field.range == nil else { return nil }
                    builder.add(
                        field,
                        (0..<field.bins).flatMap { _ in [Run(rule: .count, count: 1), Run(rule: .sum, count: 2)] })
                    continue
                }
                guard field.bins == 0, field.range == nil else { return nil }
            }
            self.init(fields: builder.fields, runs: builder.runs, empty: builder.empty)
        }
    }

    extension TallyLayout {
        /// The name of the field that holds the output's print.
        public static let outputName = "output"

        /// This layout with an additional last field for the output's print.
        public var withPrint: TallyLayout {
            var builder = LayoutBuilder(fields: fields, runs: runs, empty: empty)
            builder.add(DeclaredField(name: Self.outputName, kind: .print), OutputPrint())
            return TallyLayout(fields: builder.fields, runs: builder.runs, empty: builder.empty)
        }

        /// Returns the print of the output in a tally; nil if this layout has none.
        public func print(in slots: [UInt64]) -> OutputPrint? {
            guard let field = fields.last, field.kind == .print, slots.count == self.slots else { return nil }
            var print = OutputPrint()
            slots[field.slots].withUnsafeBufferPointer { memory in
                guard let start = memory.baseAddress else { return }
                var reader = SlotReader(start)
                print.read(&reader)
            }
            return print
        }

        /// Stores the output's print in a tally. Does nothing if this layout has no print.
        public func put(_ print: OutputPrint, into slots: inout [UInt64]) {
            guard let field = fields.last, field.kind == .print, slots.count == self.slots else { return }
            slots[field.slots].withUnsafeMutableBufferPointer { memory in
                guard let start = memory.baseAddress else { return }
                var writer = SlotWriter(start)
                print.write(&writer)
            }
        }
    }

    extension TallyLayout.Field {
        /// The means of comoments of any number of numbers, and their covariances; nil where there is none. `slots` are those
        /// of this field.
        public func comoments(_ slots: [UInt64]) -> (means: [Double?], covariances: [[Double?]]) {
            var sums = stride(from: 1, to: slots.count, by: 5).map { ExactSum(slots: slots, at: $0) }
            return sums.withUnsafeMutableBufferPointer { memory in
                let sums = ComomentSums(memory.baseAddress!, parts)
                return (
                    (0..<parts).map { sums.mean($0, of: slots[0]) },
                    (0..<parts).map { i in (0..<parts).map { sums.covariance(i, $0, of: slots[0]) } }
                )
            }
        }
    }

    private struct LayoutBuilder {
        var fields: [TallyLayout.Field] = []
        var runs: [TallyLayout.Run] = []
        var empty: [UInt64] = []

        mutating func add<A: Accumulator>(_ field: TallyLayout.DeclaredField, _ accumulator: A) {
            var count = 0
            A.rules { rule, times in
                runs.append(TallyLayout.Run(rule: rule, count: times))
                count += rule.slots * times
            }
            let first = empty.count
            empty += [UInt64](unsafeUninitializedCapacity: count) { memory, used in
                guard let start = memory.baseAddress else { return }
                var writer = SlotWriter(start)
                accumulator.write(&writer)
                used = count
            }
            put(field, from: first)
        }

        /// Adds a field that is all zeros for no trials.
        mutating func add(_ field: TallyLayout.DeclaredField, _ runs: [TallyLayout.Run]) {
            let first = empty.count
            self.runs += runs
            empty += [UInt64](repeating: 0, count: runs.reduce(0) { $0 + $1.rule.slots * $1.count })
            put(field, from: first)
        }

        private mutating func put(_ field: TallyLayout.DeclaredField, from first: Int) {
            fields.append(
                TallyLayout.Field(
                    name: field.name, kind: field.kind, slots: first..<empty.count, parts: field.bins,
                    range: field.range))
        }
    }
#endif
