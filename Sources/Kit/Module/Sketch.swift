/// Begins a picture of the trial that runs: its first frame. `potluck trial` and the page play the frames of a trial one
/// after the other; in all other runs nothing is drawn.
///
/// The picture has the author's own units: x from 0 to `width`, y from 0 up to `height`. What lies outside is cut off.
///
///     sketch(width: 1, height: 1) {
///         $0.circle(0, 0, radius: 1, .faint)
///         $0.circle(x, y, radius: 0.02, .good, isFilled: true)
///     }
@_transparent
public func sketch(width: Double, height: Double, _ draw: (inout Sketch) -> Void) {
    if _slowPath(LogBook.isOn) {
        var frame = LogBook.frame(width, height)
        draw(&frame)
        LogBook.write(frame)
    }
}

/// Adds a frame to the picture of the trial: what `draw` draws, on top of the frames before.
@_transparent
public func sketch(_ draw: (inout Sketch) -> Void) {
    if _slowPath(LogBook.isOn) {
        var frame = LogBook.frame()
        draw(&frame)
        LogBook.write(frame)
    }
}

/// A frame of a picture that a trial draws. docs/PLUGINS.md defines the line that it becomes.
public struct Sketch {
    /// What a shape means. Terminals and pages choose the colours.
    public enum Ink: Int, CaseIterable, Sendable {
        /// The colour of text.
        case plain
        /// Something behind the rest: a frame, an axis, a grid.
        case faint
        /// What the trial hopes for.
        case good
        /// What it does not.
        case bad
        /// What the reader should look at.
        case marked
    }

    /// The larger side of every picture, in the numbers of its lines.
    static let side = 1000.0
    /// How far outside a shape may lie. Nothing of it is seen, and a line from there still has its direction.
    static let furthest = 10_000.0

    private(set) var record = Output()
    private let scale: Double

    /// The factor from an author's units to the numbers of the lines.
    static func scale(_ width: Double, _ height: Double) -> Double {
        let longer = width > height ? width : height
        // Sides that are none count as 1.
        return longer > 0 && longer < .infinity ? side / longer : side
    }

    /// The first frame of a picture.
    init(_ width: Double, _ height: Double, scale: Double) {
        self.scale = scale
        record.put(9 as UInt8)
        record.write(length(width))
        record.put(32 as UInt8)
        record.write(length(height))
    }

    /// A frame on top of the last.
    init(scale: Double) {
        self.scale = scale
        record.put(9 as UInt8)
        record.put(43 as UInt8)
    }

    /// Draws a straight line.
    @inline(never)
    public mutating func line(_ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ ink: Ink = .plain) {
        put(108, x, y, toX, toY, ink)
    }

    /// Draws a box between two opposite corners.
    @inline(never)
    public mutating func box(
        _ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ ink: Ink = .plain, isFilled: Bool = false
    ) { put(isFilled ? 66 : 98, x, y, toX, toY, ink) }

    /// Draws a circle around a point.
    @inline(never)
    public mutating func circle(
        _ x: Double, _ y: Double, radius: Double, _ ink: Ink = .plain, isFilled: Bool = false
    ) {
        begin(isFilled ? 67 : 99, x, y)
        put(whole(radius))
        put(ink.rawValue)
    }

    /// Writes a text around a point. It stays on one line.
    @inline(never)
    public mutating func text(_ text: NoteText, _ x: Double, _ y: Double, _ ink: Ink = .plain) {
        self.text(text.octets, x, y, ink)
    }

    mutating func text(_ octets: some Collection<UInt8>, _ x: Double, _ y: Double, _ ink: Ink) {
        begin(116, x, y)
        put(ink.rawValue)
        record.put(32 as UInt8)
        for octet in octets { record.put(octet < 32 ? 32 : octet) }
    }

    private mutating func put(_ letter: UInt8, _ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ ink: Ink) {
        begin(letter, x, y)
        put(whole(toX))
        put(whole(toY))
        put(ink.rawValue)
    }

    private mutating func begin(_ letter: UInt8, _ x: Double, _ y: Double) {
        record.put(9 as UInt8)
        record.put(letter)
        put(whole(x))
        put(whole(y))
    }

    private mutating func put(_ number: Int) {
        record.put(32 as UInt8)
        record.write(number)
    }

    /// The side of a picture in its line.
    private func length(_ length: Double) -> Int { min(Int(Self.side), max(1, whole(length))) }

    /// The nearest whole number of a line; a NaN is as far outside as can be.
    private func whole(_ value: Double) -> Int {
        let scaled = value * scale
        guard scaled > -Self.furthest else { return -Int(Self.furthest) }
        guard scaled < Self.furthest else { return Int(Self.furthest) }
        return Int(scaled < 0 ? scaled - 0.5 : scaled + 0.5)
    }
}
