/// A key that a terminal reports.
public enum ViewKey: Hashable, Sendable {
    case character(Character)
    /// Ctrl with a letter, in lower case.
    case control(Character)
    case up, down, left, right, pageUp, pageDown, home, end
    case tab, backTab, enter, backspace, escape
}

/// Turns the bytes from a terminal into keys. The bytes may be split anywhere.
///
/// The escape byte is a key and also begins the sequences of arrow keys. There is no clock here to tell them apart: an
/// escape at the end of the bytes of a read is reported as the key at once. If the rest of a sequence arrives later,
/// the arrow is reported as well. The extra escape does no harm, because it only ever goes back.
public struct KeyParser: Sendable {
    private enum State: Sendable {
        case plain
        /// After an escape; `isReported` if it was already reported as a key.
        case escaped(isReported: Bool)
        /// In a sequence that ends with a letter or a tilde.
        case sequence([UInt8])
        /// Before the last byte of a short sequence: an arrow, or a function key.
        case arrow
        /// Before the last byte of a console's function key, which has no use here.
        case ignored
        /// In a character of several bytes.
        case letter([UInt8], wanted: Int)
    }

    /// The most parameter bytes of a sequence. No key that is used here has more; longer sequences are skipped.
    private static let longest = 16

    private var state = State.plain

    public init() {}

    /// Returns the keys in the bytes of one read.
    public mutating func keys(_ octets: some Sequence<UInt8>) -> [ViewKey] {
        var keys: [ViewKey] = []
        for octet in octets { read(octet, &keys) }
        if case .escaped(isReported: false) = state {
            keys.append(.escape)
            state = .escaped(isReported: true)
        }
        return keys
    }

    private mutating func read(_ octet: UInt8, _ keys: inout [ViewKey]) {
        switch state {
        case .plain: begin(octet, &keys)
        case .escaped(let isReported):
            switch octet {
            case UInt8(ascii: "["): state = .sequence([])
            case UInt8(ascii: "O"): state = .arrow
            default:
                if !isReported { keys.append(.escape) }
                begin(octet, &keys)
            }
        case .sequence(let parameters):
            switch octet {
            case UInt8(ascii: "[") where parameters.isEmpty: state = .ignored
            case 0x40...0x7e:
                state = .plain
                if parameters.count < Self.longest, let key = Self.key(parameters, octet) { keys.append(key) }
            case 0x20...0x3f: state = .sequence(parameters.count < Self.longest ? parameters + [octet] : parameters)
            // A control character ends the sequence and is a key of its own.
            default: begin(octet, &keys)
            }
        case .arrow:
            state = .plain
            if octet < 0x20 { return begin(octet, &keys) }
            if let key = Self.key([], octet) { keys.append(key) }
        case .ignored:
            state = .plain
            if octet < 0x20 { begin(octet, &keys) }
        case .letter(let begun, let wanted):
            guard octet & 0xc0 == 0x80 else { return begin(octet, &keys) }
            let octets = begun + [octet]
            guard octets.count == wanted else {
                state = .letter(octets, wanted: wanted)
                return
            }
            state = .plain
            if let text = String(validating: octets, as: UTF8.self), let character = text.first {
                keys.append(.character(character))
            }
        }
    }

    private mutating func begin(_ octet: UInt8, _ keys: inout [ViewKey]) {
        state = .plain
        switch octet {
        case 0x1b: state = .escaped(isReported: false)
        case 0x09: keys.append(.tab)
        case 0x0a, 0x0d: keys.append(.enter)
        case 0x08, 0x7f: keys.append(.backspace)
        case 0x01...0x1a: keys.append(.control(Character(Unicode.Scalar(octet + 0x60))))
        case 0x20...0x7e: keys.append(.character(Character(Unicode.Scalar(octet))))
        case 0xc2...0xdf: state = .letter([octet], wanted: 2)
        case 0xe0...0xef: state = .letter([octet], wanted: 3)
        case 0xf0...0xf4: state = .letter([octet], wanted: 4)
        default: break
        }
    }

    private static func key(_ parameters: [UInt8], _ end: UInt8) -> ViewKey? {
        switch end {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return .right
        case UInt8(ascii: "D"): return .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "~"):
            // Modifier keys follow after a semicolon; ignore them.
            switch parameters.prefix(while: { $0 != UInt8(ascii: ";") }).map({ Int($0) - 48 }) {
            case [1], [7]: return .home
            case [4], [8]: return .end
            case [5]: return .pageUp
            case [6]: return .pageDown
            default: return nil
            }
        default: return nil
        }
    }
}
