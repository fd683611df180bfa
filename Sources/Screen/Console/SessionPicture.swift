import PotluckCore

/// What the screen shows of a session.
public struct SessionPicture: Sendable, Equatable {
    /// A line of news.
    public struct News: Sendable, Equatable {
        public let text: String
        let ink: Ink
        /// When a user said it; nil if it is no message of a user.
        let saidAt: Instant?

        public init(_ text: String, _ ink: Ink = .plain, saidAt: Instant? = nil) {
            self.text = text
            self.ink = ink
            self.saidAt = saidAt
        }
    }

    /// A node of the session.
    public struct Member: Sendable, Equatable {
        public let name: String
        let mode: Mode
        public let state: PeerState
        /// When the node entered this state.
        public let since: Instant
        let roundTrip: Duration?

        public init(name: String, mode: Mode, state: PeerState, since: Instant, roundTrip: Duration? = nil) {
            self.name = name
            self.mode = mode
            self.state = state
            self.since = since
            self.roundTrip = roundTrip
        }
    }

    /// A device of the session, by its display name.
    public struct Device: Sendable, Equatable {
        let name: String
        /// 0 for one that lends none.
        let cores: Int
        let isHere: Bool

        public init(name: String, cores: Int, isHere: Bool = true) {
            (self.name, self.cores, self.isHere) = (name, cores, isHere)
        }
    }

    /// One line with the session and this node's role in it.
    public var title: String
    /// How others can join; nil if this node does not invite them.
    var invitation: Invitation?
    var members: [Member]
    /// All devices, also this one and those without a link to it.
    public var roster: [Device] = []
    /// The waits of the node, and the obstacles to nodes that look for each other.
    public var waiting: [String]
    /// Questions to the user, with the keys that answer them.
    var questions: [String]
    /// The keys that answer the questions; nil if there is no question.
    var answers: Answers?
    /// Whether the join code may be wrong and a key lets the user type another one.
    var takesOtherWords: Bool
    /// The session's page for browsers; nil if there is none.
    public var page: Page?
    /// Whether newcomers may join; nil if this node does not decide that.
    public var door: Door?
    /// Whether a key lets the user type a message to all.
    public var takesMessages = false
    /// The oldest first.
    var news: [News]

    public enum Door: Sendable, Equatable { case open, closed }

    /// What the screen shows of the page.
    public struct Page: Sendable, Equatable {
        public var address: String
        /// The names of its viewers.
        public var viewers: [String]
        /// The QR code of the address.
        var code: QRMatrix?

        public init(address: String, viewers: [String] = [], code: QRMatrix? = nil) {
            (self.address, self.viewers, self.code) = (address, viewers, code)
        }
    }

    public enum Answers: Sendable, Equatable {
        /// The keys y, n and a.
        case consent
        /// Digits, then Enter.
        case number
    }

    public enum Invitation: Sendable, Equatable {
        /// Others run the command and type the words.
        case words(command: String, code: String)
        /// Anyone can join with the command.
        case open(command: String)
    }

    public init(
        title: String, invitation: Invitation? = nil, members: [Member] = [], waiting: [String] = [],
        questions: [String] = [], answers: Answers? = nil, takesOtherWords: Bool = false, page: Page? = nil,
        news: [News] = []
    ) {
        self.title = title
        self.invitation = invitation
        self.members = members
        self.waiting = waiting
        self.questions = questions
        self.answers = answers
        self.takesOtherWords = takesOtherWords
        self.page = page
        self.news = news
    }
}
