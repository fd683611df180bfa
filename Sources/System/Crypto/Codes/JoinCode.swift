import CSodium
import PotluckCore

/// The five words that admit a node to a session. Printing the value shows nothing of them; use
/// `spelled` in the one place that shows the code to the host.
public struct JoinCode: Sendable, Equatable, CustomStringConvertible {
    /// Five words are 55 bits. With an Argon2id for every guess, a thousand large
    /// GPUs need a century for half of the codes.
    public static let length = 5

    private let words: Secret<[String]>

    private init(_ words: [String]) { self.words = Secret(words) }

    /// Creates a code from a generator, which returns a random number below the given bound.
    public init(below: (UInt32) -> UInt32) {
        self.init((0..<Self.length).map { _ in CodeWords.all[Int(below(UInt32(CodeWords.all.count)))] })
    }

    /// Creates a code from the system's source of randomness.
    public static func random() -> JoinCode {
        Sodium.ready
        return JoinCode(below: randombytes_uniform)
    }

    /// Parses a code that a user typed: in any case, with any separators, or with none if each word
    /// begins with a capital. A word may be shortened to a prefix that no other word has.
    public init(typed: String) throws(JoinCodeError) {
        let apart = typed.split { !$0.isLetter }
        let typed = (apart.count < Self.length ? apart.flatMap(Self.atCapitals) : apart).map { $0.lowercased() }
        guard !typed.isEmpty else { throw .empty }
        var words: [String] = []
        for (index, word) in typed.enumerated() {
            let matches = CodeWords.all.contains(word) ? [word] : CodeWords.all.filter { $0.hasPrefix(word) }
            guard matches.count == 1, let match = matches.first else {
                let most = JoinCodeError.mostMeant
                let meant = matches.isEmpty ? Spelling.nearest(most, to: word, among: CodeWords.all) : matches
                throw .unknownWord(number: index + 1, meant: Secret(Array(meant.prefix(most))))
            }
            words.append(match)
        }
        guard words.count == Self.length else { throw .count(words.count) }
        self.init(words)
    }

    /// Splits `AppleBoat` before each capital that follows a small letter.
    private static func atCapitals(_ text: Substring) -> [Substring] {
        var words: [Substring] = []
        var rest = text
        while let begin = rest.indices.dropFirst().first(where: {
            rest[$0].isUppercase && rest[rest.index(before: $0)].isLowercase
        }) {
            words.append(rest[..<begin])
            rest = rest[begin...]
        }
        return words + [rest]
    }

    /// The words joined by hyphens, such as `maple-river-candle-ocean-tiger`: one word in a shell.
    public var spelled: String { words.exposed.joined(separator: "-") }

    /// The bytes from which the key is derived.
    var octets: [UInt8] { Array(words.exposed.joined(separator: " ").utf8) }

    public var description: String { "JoinCode" }
}

/// Why a text is not a join code.
public enum JoinCodeError: Error, Equatable, CustomStringConvertible {
    /// The most suggestions. More would not help.
    static let mostMeant = 4

    case empty
    case count(Int)
    /// The words that may be meant, most likely first. They are nearly as secret as the code.
    case unknownWord(number: Int, meant: Secret<[String]>)

    /// The error without the typed words, fit for a log.
    public var description: String {
        switch self {
        case .empty: "the join code is empty; type the five words on the host's screen"
        case .count(let count): "a join code has five words, not \(count); type the five words on the host's screen"
        case .unknownWord(let number, _): "word \(number) of the join code is unknown; check the host's screen"
        }
    }

    /// The error with suggestions. Show it only on the screen of the user who typed the code.
    public var explanation: String {
        guard case .unknownWord(let number, let meant) = self, let last = meant.exposed.last else { return description }
        let others = meant.exposed.dropLast().joined(separator: ", ")
        return
            "word \(number) of the join code is unknown; did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }
}
