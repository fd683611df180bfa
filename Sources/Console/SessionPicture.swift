import PotluckModel

/// What there is to see of a session, for whoever sits before one of its nodes.
public struct SessionPicture: Sendable, Equatable {
    /// What happened, in words.
    public struct News: Sendable, Equatable {
        public let text: String
        public let ink: Ink

        public init(_ text: String, _ ink: Ink = .plain) {
            self.text = text
            self.ink = ink
        }
    }

    /// A node of the session.
    public struct Member: Sendable, Equatable {
        public let name: String
        public let mode: Mode
        public let state: PeerState
        /// When it came into this state.
        public let since: Instant
        public let roundTrip: Duration?

        public init(name: String, mode: Mode, state: PeerState, since: Instant, roundTrip: Duration? = nil) {
            self.name = name
            self.mode = mode
            self.state = state
            self.since = since
            self.roundTrip = roundTrip
        }
    }

    /// One line: which session, and what we are in it.
    public var title: String
    /// How others get in; nothing where that is not ours to tell.
    public var invitation: Invitation?
    public var members: [Member]
    /// What is waited for, and what stands in the way.
    public var waiting: [String]
    /// What the user is asked, with the keys that answer it.
    public var questions: [String]
    /// The keys that answer the questions; nil where nothing is asked.
    public var answers: Answers?
    /// Whether the words that were given may be wrong, and a key lets the user type others.
    public var takesOtherWords: Bool
    /// The oldest first.
    public var news: [News]

    public enum Answers: Sendable, Equatable {
        /// y, n and a.
        case consent
        /// Digits and Enter.
        case number
    }

    public enum Invitation: Sendable, Equatable {
        /// Others type this command, and then these words.
        case words(command: String, code: String)
        /// Anybody can come in.
        case open(command: String)
    }

    public init(
        title: String, invitation: Invitation? = nil, members: [Member] = [], waiting: [String] = [],
        questions: [String] = [], answers: Answers? = nil, takesOtherWords: Bool = false, news: [News] = []
    ) {
        self.title = title
        self.invitation = invitation
        self.members = members
        self.waiting = waiting
        self.questions = questions
        self.answers = answers
        self.takesOtherWords = takesOtherWords
        self.news = news
    }
}
