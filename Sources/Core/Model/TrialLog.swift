import PotluckKit

/// What a trial noted and drew, as the kit's `LogBook` tells it. A module may write anything, so lines that make no sense
/// count as notes, and shapes that make none are left out.
public struct TrialLog: Sendable, Equatable {
    /// The newest notes, from the oldest on.
    public let notes: [String]
    /// The newest frames, from the oldest on.
    public let frames: [Frame]

    /// The most notes. Nobody reads a longer list to the end.
    public static let mostNotes = 40
    /// The most frames, and shapes in all of them: as many as a grid of a hundred rows has. A browser still draws them.
    public static let mostShapes = 10_000

    /// A frame of a trial's picture. Places are thousandths of the larger side, from the lower left corner.
    public struct Frame: Sendable, Equatable {
        public let width: Int
        public let height: Int
        /// Whether it begins a picture. Otherwise it is drawn on top of the frames before it.
        public let isFirst: Bool
        public var shapes: [Shape]

        public init(width: Int, height: Int, isFirst: Bool, shapes: [Shape]) {
            (self.width, self.height) = (width, height)
            (self.isFirst, self.shapes) = (isFirst, shapes)
        }
    }

    public struct Point: Sendable, Equatable {
        public let x: Int
        public let y: Int

        public init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }
    }

    /// What a shape is.
    public enum Form: Sendable, Equatable {
        case line(to: Point)
        /// A box up to the opposite corner.
        case box(to: Point, isFilled: Bool)
        case circle(radius: Int, isFilled: Bool)
        case text(String)
    }

    public struct Shape: Sendable, Equatable {
        public let at: Point
        public let form: Form
        public let ink: Sketch.Ink

        public init(_ at: Point, _ form: Form, _ ink: Sketch.Ink) { (self.at, self.form, self.ink) = (at, form, ink) }
    }

    /// Reads the lines of one trial; of all trials if `trial` is nil.
    public init(_ text: String, of trial: (lane: Int, number: Int)? = nil) {
        var notes: [String] = []
        var frames: [Frame] = []
        for line in text.split(separator: "\n") {
            let (place, rest) = Self.placed(line)
            if let trial, place.map({ $0 != trial }) ?? true { continue }
            guard rest.first == "\t" else {
                notes.append(String(rest))
                continue
            }
            let size = frames.last.map { ($0.width, $0.height) } ?? (Self.side, Self.side)
            if let frame = Self.frame(rest.dropFirst(), size) { frames.append(frame) }
        }
        self.notes = notes.suffix(Self.mostNotes)
        self.frames = Self.newest(frames)
    }

    /// The picture as it is after some of the frames.
    public static func picture(_ frames: ArraySlice<Frame>) -> Frame? {
        guard let last = frames.last else { return nil }
        let first = frames.lastIndex { $0.isFirst } ?? frames.startIndex
        return Frame(
            width: last.width, height: last.height, isFirst: true, shapes: frames[first...].flatMap(\.shapes))
    }

    private static let side = 1000
    /// The furthest place outside that a frame may speak of.
    private static let furthest = 10_000
    /// The most characters of a text in a picture. A longer one would hide the picture.
    private static let longestText = 60

    /// The lane and the trial that a line begins with, and the rest; only the line if it does not begin with them.
    private static func placed(_ line: Substring) -> (place: (lane: Int, number: Int)?, rest: Substring) {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let lane = Int(parts[0]), let number = Int(parts[1]) else { return (nil, line) }
        return ((lane, number), parts[2])
    }

    private static func newest(_ frames: [Frame]) -> [Frame] {
        var left = mostShapes
        let kept = frames.suffix(mostShapes).reversed().prefix { frame in
            left -= frame.shapes.count
            return left >= 0
        }
        return kept.reversed()
    }

    /// Reads a frame; nil if it has no head. `size` is that of the frame before.
    private static func frame(_ text: Substring, _ size: (width: Int, height: Int)) -> Frame? {
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
        guard let head = fields.first else { return nil }
        let shapes = fields.dropFirst().compactMap(shape)
        if head == "+" { return Frame(width: size.width, height: size.height, isFirst: false, shapes: shapes) }
        let sides = head.split(separator: " ").map { Int($0) ?? 0 }
        guard sides.count == 2, sides.allSatisfy({ (1...side).contains($0) }), sides.contains(side) else { return nil }
        return Frame(width: sides[0], height: sides[1], isFirst: true, shapes: shapes)
    }

    private static func shape(_ field: Substring) -> Shape? {
        guard let letter = field.first else { return nil }
        let count = letter == "t" ? 3 : letter == "c" || letter == "C" ? 4 : 5
        let words = field.split(
            separator: " ", maxSplits: letter == "t" ? 4 : 5, omittingEmptySubsequences: false)
        let parts = words.dropFirst()
        let numbers = parts.prefix(count).compactMap { Int($0) }
        guard words[0].count == 1, numbers.count == count,
            numbers.allSatisfy({ (-furthest...furthest).contains($0) }),
            let ink = Sketch.Ink(rawValue: numbers[count - 1])
        else { return nil }
        let at = Point(numbers[0], numbers[1])
        let isFilled = letter.isUppercase
        switch letter {
        case "t":
            guard let text = parts.last, parts.count == 4 else { return nil }
            return Shape(at, .text(String(text.prefix(longestText))), ink)
        case "c", "C":
            guard parts.count == 4, numbers[2] >= 0 else { return nil }
            return Shape(at, .circle(radius: numbers[2], isFilled: isFilled), ink)
        case "l", "b", "B":
            guard parts.count == 5 else { return nil }
            let to = Point(numbers[2], numbers[3])
            return Shape(at, letter == "l" ? .line(to: to) : .box(to: to, isFilled: isFilled), ink)
        default: return nil
        }
    }
}
