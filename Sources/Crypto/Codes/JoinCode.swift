import CSodium
import PotluckLog
import PotluckModel

/// The five words that let a node into a session. However it is printed, it shows nothing; `spelled` is for the one place
/// that shows it to the host.
public struct JoinCode: Sendable, Equatable, CustomStringConvertible {
    /// 55 bits: with an Argon2id for every guess, a thousand large graphics cards need a century for half of them.
    public static let length = 5

    private let words: Secret<[String]>

    private init(_ words: [String]) { self.words = Secret(words) }

    /// A new code, from a generator that is given a bound and returns a number below it.
    public init(below: (UInt32) -> UInt32) {
        self.init((0..<Self.length).map { _ in CodeWords.all[Int(below(UInt32(CodeWords.all.count)))] })
    }

    /// A new code, from the system's source of randomness.
    public static func random() -> JoinCode {
        Sodium.ready
        return JoinCode(below: randombytes_uniform)
    }

    /// What somebody typed: in any case, with anything between the words, each word whole or as much of its beginning as no
    /// other word has.
    public init(typed: String) throws(JoinCodeError) {
        let typed = typed.lowercased().split { !$0.isLetter }.map(String.init)
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

    /// `maple-river-candle-ocean-tiger`: without blanks, so that it is one word for a shell.
    public var spelled: String { words.exposed.joined(separator: "-") }

    /// What the key is derived from.
    var octets: [UInt8] { Array(words.exposed.joined(separator: " ").utf8) }

    public var description: String { "JoinCode" }
}

/// Why what was typed is no join code.
public enum JoinCodeError: Error, Equatable, CustomStringConvertible {
    /// More than that is not a help.
    static let mostMeant = 4

    case empty
    case count(Int)
    /// The words it may have been, the likeliest first: nearly as secret as the code.
    case unknownWord(number: Int, meant: Secret<[String]>)

    /// Fit for a log.
    public var description: String {
        switch self {
        case .empty: "the join code is empty; type the five words on the host's screen"
        case .count(let count): "a join code has five words, not \(count); type the five words on the host's screen"
        case .unknownWord(let number, _): "word \(number) of the join code is unknown; check the host's screen"
        }
    }

    /// For the screen of whoever typed it, and nowhere else.
    public var explanation: String {
        guard case .unknownWord(let number, let meant) = self, let last = meant.exposed.last else { return description }
        let others = meant.exposed.dropLast().joined(separator: ", ")
        return
            "word \(number) of the join code is unknown; did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }
}
