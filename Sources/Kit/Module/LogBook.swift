#if POTLUCK_LOG
    /// Records a line of a trial for `potluck replay`, which alone compiles the kit with POTLUCK_LOG.
    public func log(_ text: @autoclosure () -> String) { LogBook.write(text()) }

    /// The newest lines that trials logged, each with its lane and trial.
    public enum LogBook {
        /// The most bytes kept. Enough to read, and a loop that logs cannot fill the memory.
        private static let largest = 1 << 18

        nonisolated(unsafe) public static var lane = 0
        nonisolated(unsafe) public static var trial = 0
        nonisolated(unsafe) private static var text: [UInt8] = []

        static func write(_ line: String) {
            if text.count > largest { text.removeFirst(text.count / 2) }
            text.append(contentsOf: "\(lane) \(trial) ".utf8)
            for octet in line.utf8 { text.append(octet == 10 ? 32 : octet) }
            text.append(10)
        }

        /// Returns the address of the log (upper 32 bits) and its length in bytes. Both are valid until the next call.
        public static func take() -> UInt64 {
            text.withUnsafeBufferPointer { octets in
                UInt64(UInt(bitPattern: octets.baseAddress)) &<< 32 | UInt64(octets.count)
            }
        }

        public static func clear() { text.removeAll(keepingCapacity: true) }
    }
#else
    /// Records a line, which `potluck replay` shows with the trial it belongs to. In
    /// every other build it compiles to nothing.
    ///
    ///     log("car behind \(car), picked \(pick)")
    @inlinable @inline(__always)
    public func log(_ text: @autoclosure () -> String) {}
#endif
