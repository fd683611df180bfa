/// Records a line about the trial that runs. `potluck trial`, `potluck replay` and the page show it. In all other runs the
/// text is not even made.
///
///     note("car behind \(car), picked \(pick)")
@_transparent
public func note(_ text: @autoclosure () -> NoteText) {
    if _slowPath(LogBook.isOn) { LogBook.write(text()) }
}

/// The newest lines that trials noted and drew, each with its lane and trial. docs/PLUGINS.md defines the lines.
///
/// Only modules have it, because each of their instances has one thread. Native code notes nothing: a flag that threads share
/// would cost more than many a trial.
public enum LogBook {
    /// The most bytes kept. Enough to read, and a loop that notes cannot fill the memory.
    private static let largest = 1 << 18

    #if arch(wasm32)
        /// Whether trials note and draw. A trial may ask this before it remembers something only for its picture.
        nonisolated(unsafe) public internal(set) static var isOn = false
    #else
        /// Whether trials note and draw: never in native code.
        @inlinable @inline(__always) public static var isOn: Bool { false }
    #endif
    /// The lane whose trial runs.
    @usableFromInline nonisolated(unsafe) static var lane = 0
    /// The number of the trial in its lane, from 1; 0 where an author's own `lane` runs the trials.
    @usableFromInline nonisolated(unsafe) static var trial = 0
    /// How many thousandths of the larger side one of the author's units is, in the picture that is drawn.
    nonisolated(unsafe) private static var scale = 1000.0
    nonisolated(unsafe) private static var text: [UInt8] = []

    /// Says which lane runs next, and how many of its trials have run.
    @inlinable @inline(__always)
    static func beginLane(_ number: Int, after trials: Int = 0) {
        if _slowPath(isOn) { (lane, trial) = (number, trials) }
    }

    /// Says that the next trial of the lane begins.
    @inlinable @inline(__always)
    static func beginTrial() {
        if _slowPath(isOn) { trial &+= 1 }
    }

    /// Writes a note. Nothing here is inlined, so a trial stays short and becomes part of the loop that calls it.
    @usableFromInline @inline(never)
    static func write(_ note: NoteText) { write(note.octets, isFrame: false) }

    static func write(_ octets: some Collection<UInt8>, isFrame: Bool) {
        if text.count > largest { text.removeFirst(text.count / 2) }
        var line = Output()
        line.write(lane)
        line.put(32 as UInt8)
        line.write(trial)
        line.put(32 as UInt8)
        text.append(contentsOf: line.octets)
        for octet in octets { text.append(octet < 32 && !isFrame ? 32 : octet) }
        text.append(10)
    }

    /// Begins the first frame of a picture with these sides.
    @usableFromInline @inline(never)
    static func frame(_ width: Double, _ height: Double) -> Sketch {
        scale = Sketch.scale(width, height)
        return Sketch(width, height, scale: scale)
    }

    /// Begins a frame on top of the last.
    @usableFromInline @inline(never)
    static func frame() -> Sketch { Sketch(scale: scale) }

    /// Writes a frame.
    @usableFromInline @inline(never)
    static func write(_ frame: Sketch) { write(frame.record.octets, isFrame: true) }

    #if arch(wasm32)
        /// Returns the address of the log (upper 32 bits) and its length in bytes. Both are valid until the next call. The
        /// first call turns the log on.
        public static func take() -> UInt64 {
            isOn = true
            return text.withUnsafeBufferPointer { octets in
                UInt64(UInt(bitPattern: octets.baseAddress)) &<< 32 | UInt64(octets.count)
            }
        }
    #endif
}

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
