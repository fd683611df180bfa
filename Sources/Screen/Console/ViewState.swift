import PotluckCore

/// The sort order of the nodes.
enum NodeOrder: Sendable, Hashable, CaseIterable {
    case name, rate, share, state

    var next: NodeOrder {
        switch self {
        case .name: .rate
        case .rate: .share
        case .share: .state
        case .state: .name
        }
    }

    var words: String { "\(self)" }
}

/// An action that a key asks for and that the view cannot do itself.
public enum ViewAction: Hashable, Sendable {
    /// Give the command for each of these jobs.
    case command(JobCommand, [JobID])
    /// Answer the session's question with this key.
    case answer(ViewKey)
    /// Ask for other join words and look for the session again with them.
    case otherWords
    /// Show a text on every screen of the session.
    case say(String)
    /// Begin or cease to admit newcomers.
    case door(SessionPicture.Door)
    case quit
    /// Draw the whole screen again.
    case repaint
}

/// What the user has chosen to see, with keys.
public struct ViewState: Sendable, Equatable {
    enum Question: Sendable, Equatable {
        case cancel(JobID)
        case quit
    }

    var order = NodeOrder.name
    /// The number of nodes above those that are shown.
    var scroll = 0
    /// The chosen job; nil means the one that is under way.
    var job: JobID?
    /// The index of the plotted reading; it wraps around.
    var reading = 0
    var showsHelp = false
    /// Whether the whole screen shows the address of the session's page.
    var showsPage = false
    /// Whether the whole screen shows all devices, and the number of those above the ones that are shown.
    var showsRoster = false
    var rosterScroll = 0
    /// The jobs whose exact answers are shown. Those of later jobs stay hidden.
    var revealed: Set<JobID> = []
    /// The question to confirm an action; nil if none is open.
    var asked: Question?
    /// The message to all as far as it is typed; nil if none is begun.
    var message: String?

    public init() {}

    /// Handles a key that was pressed while `view` was on the screen. Returns an action for the caller; nil if there is
    /// none.
    public mutating func press(_ key: ViewKey, on view: ClusterView) -> ViewAction? {
        if key == .control("l") { return .repaint }
        if let message { return type(key, after: message) }
        if let question = asked {
            if view.asked(self) != nil { return answer(key, question) }
            // The question was settled meanwhile, for example because the job ended. Ignore the answer: the user has
            // not seen the next question.
            asked = nil
            if case .character = key { return nil }
        }
        if view.isAnswer(key) { return .answer(key) }
        if showsRoster {
            let isScrolling = ViewCommand(key) == .scroll
            (showsRoster, rosterScroll) = (isScrolling, isScrolling ? view.scrolledRoster(self, by: key) : 0)
            return nil
        }
        if showsHelp || showsPage {
            (showsHelp, showsPage) = (false, false)
            return nil
        }
        if key == .escape { job = nil }
        guard let command = ViewCommand(key), let valid = view.valid(self).first(where: { $0.isLike(command) }) else {
            return nil
        }
        return perform(valid, key, view)
    }

    /// Handles a key while a message is typed. Keys that are commands otherwise are letters of it.
    private mutating func type(_ key: ViewKey, after text: String) -> ViewAction? {
        switch key {
        case .character(let character):
            let longer = text + String(character)
            if longer.utf8.count <= Parcel.maximumText { message = longer }
        case .backspace: message = String(text.dropLast())
        case .escape: message = nil
        case .enter:
            message = nil
            return text.allSatisfy(\.isWhitespace) ? nil : .say(text)
        default: break
        }
        return nil
    }

    private mutating func answer(_ key: ViewKey, _ question: Question) -> ViewAction? {
        switch key {
        case .character("y"), .character("Y"):
            asked = nil
            switch question {
            case .cancel(let id): return .command(.cancel, [id])
            case .quit: return .quit
            }
        case .character("n"), .character("N"), .escape: asked = nil
        default: break
        }
        return nil
    }

    private mutating func perform(_ command: ViewCommand, _ key: ViewKey, _ view: ClusterView) -> ViewAction? {
        let focus = view.picture.focus(job)
        switch command {
        case .help: showsHelp = true
        case .page: showsPage = true
        case .roster: showsRoster = true
        case .pause: return focus.job.map { .command(.pause, [$0]) }
        case .resume: return focus.job.map { .command(.resume, [$0]) }
        case .cancel: asked = focus.job.map { .cancel($0) }
        case .reveal:
            let jobs = view.picture.choices
            revealed = Set(jobs)
            let hidden = view.picture.commanded(jobs) { view.picture.isHidden($0) }
            return hidden.isEmpty ? nil : .command(.reveal, hidden)
        case .hide:
            let shown = view.picture.commanded(view.picture.choices) { [revealed] in
                revealed.contains($0) && !view.picture.isHidden($0)
            }
            revealed = []
            return view.picture.hidesExact || shown.isEmpty ? nil : .command(.hide, shown)
        case .reading:
            let count = max(1, focus.readings.count)
            reading = (min(reading, count - 1) + (key == .left ? count - 1 : 1)) % count
        case .sort: order = order.next
        case .scroll: scroll = view.scrolled(self, by: key)
        case .job:
            let choices = view.picture.choices
            let at = focus.job.flatMap { choices.firstIndex(of: $0) } ?? 0
            job = choices[(at + (key == .backTab ? choices.count - 1 : 1)) % choices.count]
            (scroll, reading) = (0, 0)
        case .words: return .otherWords
        case .message: message = ""
        case .close: return .door(.closed)
        case .open: return .door(.open)
        case .quit:
            guard view.picture.leaving == .ends else { return .quit }
            asked = .quit
        }
        return nil
    }
}

/// The action of a key.
enum ViewCommand: Hashable, CaseIterable {
    case help, words, page, pause, resume, cancel, reveal, hide, scroll, sort, reading, job, roster, message, close,
        open, quit

    init?(_ key: ViewKey) {
        switch key {
        case .up, .down, .pageUp, .pageDown, .home, .end: self = .scroll
        case .left, .right: self = .reading
        case .tab, .backTab: self = .job
        case .character(let character):
            switch character {
            case "?", "h", "H": self = .help
            case "w", "W": self = .words
            case "p", "P": self = .pause
            case "c", "C": self = .cancel
            case "e", "E": self = .reveal
            case "s", "S": self = .sort
            case "r", "R": self = .reading
            case "l", "L": self = .roster
            case "m", "M": self = .message
            case "d", "D": self = .close
            case "q", "Q": self = .quit
            default: return nil
            }
        default: return nil
        }
    }

    /// Whether both have the same key, which then alternates between them.
    func isLike(_ other: ViewCommand) -> Bool { first == other.first }

    private var first: ViewCommand {
        switch self {
        case .resume: .pause
        case .hide: .reveal
        case .page: .words
        case .open: .close
        default: self
        }
    }

    var key: String {
        switch self {
        case .help: "?"
        case .words, .page: "w"
        case .pause, .resume: "p"
        case .cancel: "c"
        case .reveal, .hide: "e"
        case .scroll: "arrows"
        case .sort: "s"
        case .reading: "r"
        case .job: "Tab"
        case .roster: "l"
        case .message: "m"
        case .close, .open: "d"
        case .quit: "q"
        }
    }
}
