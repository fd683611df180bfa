#if POTLUCK_LOG
    /// Records a line of a trial for `potluck replay`, which alone compiles the kit with POTLUCK_LOG.
    public func note(_ text: @autoclosure () -> String) { LogBook.write(text().utf8) }

    /// The newest lines that trials logged, each with its lane and trial.
    public enum LogBook {
        /// The most bytes kept. Enough to read, and a loop that logs cannot fill the memory.
        private static let largest = 1 << 18

        /// The lane whose trial runs.
        nonisolated(unsafe) public static var lane = 0
        /// The number of the trial in its lane, from 1.
        nonisolated(unsafe) public static var trial = 0
        nonisolated(unsafe) private static var text: [UInt8] = []

        static func write(_ line: some Collection<UInt8>) {
            if text.count > largest { text.removeFirst(text.count / 2) }
            text.append(contentsOf: "\(lane) \(trial) ".utf8)
            for octet in line { text.append(octet == 10 ? 32 : octet) }
            text.append(10)
        }

        /// Returns the address of the log (upper 32 bits) and its length in bytes. Both are valid until the next call.
        public static func take() -> UInt64 {
            text.withUnsafeBufferPointer { octets in
                UInt64(UInt(bitPattern: octets.baseAddress)) &<< 32 | UInt64(octets.count)
            }
        }

        /// Forgets all lines.
        public static func clear() { text.removeAll(keepingCapacity: true) }
    }
#else
    /// Records a line, which `potluck replay` shows with the trial it belongs to. In
    /// every other build it compiles to nothing.
    ///
    ///     note("car behind \(car), picked \(pick)")
    @inlinable @inline(__always)
    public func note(_ text: @autoclosure () -> String) {}
#endif

#if hasFeature(Embedded)
    /// Writes nothing, and is not for simulations: a module has nowhere to print to.
    @available(
        *, deprecated,
        message:
            "writes nowhere in a plugin; use note(\"text\"), which 'potluck replay' shows, or a gathering's output.line(…)"
    )
    public func print<each Item>(_ items: repeat each Item, separator: String = " ", terminator: String = "\n") {}

    extension DefaultStringInterpolation {
        /// Embedded Swift has no text for most values: it would insert "(cannot print value in embedded Swift)".
        @available(
            *, deprecated,
            message:
                "this value has no text in a plugin; interpolate a number or a String, such as a name of your own for each case"
        )
        public mutating func appendInterpolation<T>(_ value: T) {}
    }
#endif

@available(*, unavailable, renamed: "note")
public func log(_ text: @autoclosure () -> String) {}
