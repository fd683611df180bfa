#if hasFeature(Embedded)
    // Swift's own random numbers, which a module must not use. A module has no source of randomness, so they would be
    // the same in every run and on every node. The workshop treats a deprecated declaration as an error, and these take
    // precedence over the declarations of the same name in Swift.

    extension FixedWidthInteger {
        /// Takes precedence over Swift's own, which a module must not use.
        @available(
            *, deprecated,
            message: "gives the same numbers in every run; use random.below(6) or random.integer(in: 1...6)"
        )
        public static func random(in range: Range<Self>) -> Self { fatalError() }

        /// Takes precedence over Swift's own, which a module must not use.
        @available(
            *, deprecated,
            message: "gives the same numbers in every run; use random.integer(in: 1...6) or random.below(6)"
        )
        public static func random(in range: ClosedRange<Self>) -> Self { fatalError() }
    }

    extension BinaryFloatingPoint where RawSignificand: FixedWidthInteger {
        /// Takes precedence over Swift's own, which a module must not use.
        @available(
            *, deprecated, message: "gives the same numbers in every run; use random.real(in: 0..<1) or random.unit()"
        )
        public static func random(in range: Range<Self>) -> Self { fatalError() }

        /// Takes precedence over Swift's own, which a module must not use.
        @available(
            *, deprecated, message: "gives the same numbers in every run; use random.real(in: 0..<1) or random.unit()"
        )
        public static func random(in range: ClosedRange<Self>) -> Self { fatalError() }
    }

    extension Bool {
        /// Takes precedence over Swift's own, which a module must not use.
        @available(*, deprecated, message: "gives the same result in every run; use random.coin() or random.chance(p)")
        public static func random() -> Bool { fatalError() }
    }

    extension Sequence {
        /// Takes precedence over Swift's own, which a module must not use.
        @available(
            *, deprecated, message: "gives the same order in every run; use random.shuffle(&elements)"
        )
        public func shuffled() -> [Element] { fatalError() }
    }

    extension MutableCollection where Self: RandomAccessCollection {
        /// Takes precedence over Swift's own, which a module must not use.
        @available(
            *, deprecated, message: "gives the same order in every run; use random.shuffle(&elements)"
        )
        public mutating func shuffle() { fatalError() }
    }

    extension Collection {
        /// Takes precedence over Swift's own, which a module must not use.
        @available(
            *, deprecated, message: "gives the same element in every run; use random.choice(of: elements)"
        )
        public func randomElement() -> Element? { fatalError() }
    }

    /// Takes precedence over Swift's own generator, which a module must not use.
    @available(
        *, deprecated,
        message: "gives the same numbers in every run; use the trial's random, for example random.below(6)"
    )
    public struct SystemRandomNumberGenerator: RandomNumberGenerator {
        /// Creates a generator that must not be used.
        public init() {}
        /// Stops the module.
        public mutating func next() -> UInt64 { fatalError() }
    }
#endif
