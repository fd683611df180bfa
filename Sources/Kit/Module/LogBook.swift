#if POTLUCK_LOG
    /// Writes down what a trial does, for `potluck replay`: the kit is compiled with this only for that.
    public func log(_ text: @autoclosure () -> String) { LogBook.write(text()) }

    /// What was logged, with the lane and the trial at which it was: a line each, the newest ones.
    public enum LogBook {
        /// As much as anybody reads; a loop that logs must not fill the memory.
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

        /// Where what was logged is, and how long, until the next call.
        public static func take() -> UInt64 {
            text.withUnsafeBufferPointer { octets in
                UInt64(UInt(bitPattern: octets.baseAddress)) &<< 32 | UInt64(octets.count)
            }
        }

        public static func clear() { text.removeAll(keepingCapacity: true) }
    }
#else
    /// Writes a line that `potluck replay` shows with the trial it belongs to. Anywhere else it costs nothing: nothing of it
    /// is compiled.
    ///
    ///     log("car behind \(car), picked \(pick)")
    @inlinable @inline(__always)
    public func log(_ text: @autoclosure () -> String) {}
#endif
