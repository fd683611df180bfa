import PotluckCore
import PotluckKit

/// Lays out the screen of a node: the session, the programs with ranks, the jobs with their nodes, questions and keys.
/// It is drawn repeatedly in the same place.
public struct ClusterView: Sendable {
    public let picture: ClusterPicture
    let now: Instant
    let canvas: Canvas

    public init(_ picture: ClusterPicture, now: Instant, on canvas: Canvas) {
        self.picture = picture
        self.now = now
        self.canvas = canvas
    }

    public func lines(_ state: ViewState = ViewState()) -> [StyledLine] {
        // One line fewer than the screen has, because the cursor stands below the block.
        let room = canvas.rows.map { max(1, $0 - 1) } ?? .max
        if state.showsPage, picture.takesKeys, let page = picture.session?.page {
            let keys = footer(state)
            return Array(QRView.lines(page, room: room - keys.count - 1, on: canvas).prefix(room - keys.count)) + keys
        }
        if state.showsRoster, picture.takesKeys {
            return roster(state).lines(rosterHeight(state), from: state.rosterScroll) + footer(state)
        }
        if state.showsHelp, picture.takesKeys {
            return Part.lines(
                top(isBrief: true) + [HelpView.part(self, state)] + bottom(state, isBrief: true), into: room)
        }
        return Part.lines(
            parts(state) { rows, height in table(rows, state).lines(height, from: state.scroll) }, into: room)
    }

    private typealias DrawNodes = (_ rows: [NodeRow], _ height: Int) -> [StyledLine]

    private func parts(_ state: ViewState, _ nodes: @escaping DrawNodes) -> [Part] {
        let focus = picture.focus(state.job)
        let middle: [Part]
        switch focus {
        case .nothing: middle = [members]
        case .job(let snapshot):
            middle = JobView(
                canvas: canvas, hidesExact: hidesExact(state), isAlone: isAlone,
                lost: picture.awaited[snapshot.id].map { $0.words(now, picture.state(of: $0)) },
                remaining: (picture.estimates[snapshot.id] ?? Estimate()).words(snapshot.remaining, at: now)
            ).parts(snapshot, reading: state.reading, solution: picture.solutions[snapshot.id])
        case .outcome(let outcome):
            middle = ResultView(isBuiltIn: outcome.isBuiltIn).parts(
                outcome.result, digest: outcome.digest, hidesExact: hidesExact(state), reading: state.reading,
                solution: picture.solutions[outcome.id], on: canvas)
        }
        // A running job matters more than the invitation.
        let isBrief = focus != .nothing || picture.programs.isRunning(at: now)
        return top(isBrief: isBrief) + programs(isApart: isBrief) + others(focus) + middle
            + [exactNote(state, focus), nodeTable(focus, nodes), news(isBrief: isBrief), message].compactMap { $0 }
            + bottom(state, isBrief: isBrief)
    }

    // MARK: The session

    private func top(isBrief: Bool) -> [Part] {
        guard let session = picture.session else { return [] }
        let title = canvas.wrapped(session.title, .strong)
        let short = title.count > 1 ? [StyledLine(session.title, .strong)] : title
        var parts = [
            Part(weight: 7, least: 1, most: title.count) { $0 < title.count ? short : title }
        ]
        if session.door == .closed {
            parts.append(Part(weight: isBrief ? 4 : 9, canvas.wrapped(SessionView.closed, .warning)))
        } else if let invitation = session.invitation {
            parts.append(
                Part(
                    weight: isBrief ? 4 : 9,
                    isBrief
                        ? SessionView.brief(invitation, on: canvas) : SessionView.invitation(invitation, on: canvas)))
        }
        if let page = session.page { parts.append(Part(weight: isBrief ? 4 : 8, SessionView.page(page, on: canvas))) }
        return parts
    }

    private var members: Part {
        let members = picture.session?.members ?? []
        let most = members.isEmpty ? 0 : members.count + 2
        let follows = !picture.programs.pictures(at: now).isEmpty
        return Part(weight: 8, least: 1, most: most, isApart: follows) {
            SessionView.members(members, now: now, room: $0, on: canvas)
        }
    }

    private func news(isBrief: Bool) -> Part? {
        guard let session = picture.session else { return nil }
        let latest = latestMessage
        let items = session.news.suffix(Self.mostNews).filter { $0 != latest }.map { canvas.wrapped($0.text, $0.ink) }
        let most = items.reduce(0) { $0 + $1.count }
        return Part(weight: 3, least: 1, enough: isBrief ? 2 : 4, most: most, isApart: isBrief) {
            newest(items, in: $0)
        }
    }

    /// The latest message of a user, if it is new. It is shown whole on the smallest screen, because people wait for it. A
    /// very long one has half of the screen, and the news have the rest.
    private var message: Part? {
        guard let latest = latestMessage else { return nil }
        let lines = canvas.wrapped(latest.text, latest.ink)
        let least = canvas.rows.map { max(1, $0 / 2) } ?? lines.count
        return Part(weight: 9, least: min(lines.count, least), most: lines.count) { canvas.cut(lines, to: $0) }
    }

    private var latestMessage: SessionPicture.News? {
        picture.session?.news.last { item in item.saidAt.map { now - $0 < Self.attention } ?? false }
    }

    /// For how long a message has a place of its own: everybody has looked at the screen by then.
    private static let attention = Duration.seconds(60)

    /// Returns the newest items that fit as a whole. If not even the newest fits, returns its beginning, with an ellipsis.
    private func newest(_ items: [[StyledLine]], in height: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        for item in items.reversed() {
            guard lines.count + item.count <= height else { break }
            lines = item + lines
        }
        return lines.isEmpty ? canvas.cut(items.last ?? [], to: height) : lines
    }

    /// The most news that the screen shows.
    private static let mostNews = 12

    // MARK: Programs with ranks

    private func programs(isApart: Bool) -> [Part] {
        let view = ProgramView(canvas: canvas)
        return picture.programs.pictures(at: now).map { view.part($0, isApart: isApart) }
    }

    // MARK: The jobs

    /// Whether this is a run on this machine alone.
    private var isAlone: Bool { picture.leaving == .stops }

    /// One line for each job that is not shown in full.
    private func others(_ focus: ClusterPicture.Focus) -> [Part] {
        let rest = picture.jobs.filter { $0.id != focus.job && !$0.state.isOver }
        let lines = rest.map { job in
            let part = Advance(job, columns: canvas.columns).part
            var words = [job.spec.name]
            if let part, case .running = job.state { words.append("\(min(99, Int(part * 100))) %") }
            let loss = picture.awaited[job.id].map {
                picture.state(of: $0) == .connected ? "its status is unknown" : "no contact with its coordinator"
            }
            words.append(loss ?? job.state.words(job.remaining))
            words += [job.priority.words].compactMap(\.self)
            let by = job.submitter.isEmpty ? [] : ["started by \(job.submitter)"]
            // In a narrow window it matters more what a job does than who started it.
            let lines = [words[..<1] + by + words[1...], words[...]].map { words in
                var line = StyledLine("also ", .faint)
                line.append(words.joined(separator: ", "), loss != nil ? .warning : job.state.ink)
                return line
            }
            return lines.first { $0.width(on: canvas) <= canvas.columns } ?? lines[1]
        }
        return [
            Part(weight: 4, least: 1, enough: 3, most: lines.count) { height in
                height >= lines.count
                    ? lines
                    : lines.prefix(height - 1) + [StyledLine("also \(lines.count - height + 1) more jobs", .faint)]
            }
        ]
    }

    func hidesExact(_ state: ViewState) -> Bool {
        let job = picture.focus(state.job).job
        if picture.isHidden(job) { return true }
        guard picture.hidesExact else { return false }
        return job.map { !state.revealed.contains($0) } ?? true
    }

    private func exactNote(_ state: ViewState, _ focus: ClusterPicture.Focus) -> Part? {
        guard hidesExact(state), focus.readings.contains(where: { $0.exact != nil }) else { return nil }
        let words =
            valid(state).contains(.reveal)
            ? "The exact answer is hidden, so that you can guess first; e shows it\(picture.isHidden(focus.job) ? " to all" : "")."
            : picture.isHidden(focus.job)
                ? "The host hides the exact answer, so that you can guess first."
                : "The exact answer is hidden, so that you can guess first."
        return Part(weight: 8, canvas.wrapped(words, .warning, indent: 2))
    }

    private func nodeTable(_ focus: ClusterPicture.Focus, _ draw: @escaping DrawNodes) -> Part? {
        let rows = focus.nodes
        switch focus {
        case .nothing: return nil
        case .job(let job):
            if rows.isEmpty {
                return job.state == .running && !isAlone
                    ? Part(weight: 6, [StyledLine("no node is computing yet", .warning)]) : nil
            }
        // A run on one machine needs no table.
        case .outcome: break
        }
        if rows.isEmpty || isAlone && rows.count == 1 { return nil }
        return Part(weight: 6, least: 1, enough: 9, most: rows.count + 1, isApart: true) { draw(rows, $0) }
    }

    private func table(_ rows: [NodeRow], _ state: ViewState) -> NodeTable {
        return NodeTable(
            rows: rows, order: state.order, canvas: canvas, takesKeys: picture.takesKeys, own: picture.own,
            loss: picture.focus(state.job).job.flatMap { picture.loss(of: $0) })
    }

    // MARK: Questions and keys

    private func bottom(_ state: ViewState, isBrief: Bool) -> [Part] {
        let waiting = (picture.session?.waiting ?? []).flatMap { canvas.wrapped($0, .faint) }
        return [
            Part(weight: 5, least: isBrief ? 0 : 1, waiting),
            Part(weight: 11, questions(state).flatMap { canvas.wrapped($0, .warning) }),
            Part(weight: 12, state.message.map { canvas.wrapped("Say to all: \($0)_", .strong) } ?? []),
            Part(weight: 5, footer(state)),
        ]
    }

    private func questions(_ state: ViewState) -> [String] {
        switch asked(state) {
        case .cancel(let id):
            let name = picture.jobs.first { $0.id == id }?.spec.name ?? "the job"
            return ["Cancel \(name)? y cancels it, n continues."]
        case .quit: return ["End the session for all nodes? y ends it, n continues."]
        // Only one question at a time, because the same keys answer them.
        case nil: return picture.session?.questions ?? []
        }
    }

    /// The keys in one line, as many as fit.
    private func footer(_ state: ViewState) -> [StyledLine] {
        guard picture.takesKeys else {
            let isOver = picture.jobs.allSatisfy(\.state.isOver)
            return picture.session == nil && !isOver ? [StyledLine("Ctrl-C \(picture.leaving.words)", .faint)] : []
        }
        let keys: [(key: String, words: String)]
        if state.message != nil {
            keys = [("Enter", "sends it"), ("Esc", "drops it")]
        } else if asked(state) != nil {
            keys = [("y", "yes"), ("n", "no")]
        } else if state.showsHelp {
            keys = [("any key", "closes this help")]
        } else if state.showsRoster {
            keys = [("arrows", "scroll"), ("any other key", "goes back")]
        } else if state.showsPage {
            keys = [("any key", "goes back")]
        } else {
            // The table of nodes itself says that it can be scrolled.
            keys = valid(state).filter { $0 != .scroll }.map { ($0.key, words($0, state)) }
        }
        var line = StyledLine()
        for (key, words) in keys {
            let gap = line.pieces.isEmpty ? "" : "   "
            guard line.width(on: canvas) + canvas.width(of: gap + key + " " + words) <= canvas.columns else { break }
            line.append(gap)
            line.append(key, .strong)
            line.append(" " + words, .faint)
        }
        return line.pieces.isEmpty ? [] : [line]
    }

    private func words(_ command: ViewCommand, _ state: ViewState) -> String {
        switch command {
        case .help: "help"
        case .words: "type other words"
        case .page: "QR code"
        case .pause: "pause"
        case .resume: "resume"
        case .cancel: "cancel"
        case .reveal: "exact"
        case .hide: "hide exact"
        case .scroll: "scroll"
        case .sort: "sort by \(state.order.words)"
        case .reading: "next reading"
        case .job: "next job"
        case .roster: "list"
        case .message: "message"
        case .close: "close"
        case .open: "open"
        case .quit: picture.leaving.word
        }
    }

    /// The commands whose keys work now, the most important first.
    func valid(_ state: ViewState) -> [ViewCommand] {
        guard picture.takesKeys else { return [] }
        var valid = [ViewCommand.help, .quit]
        if picture.session?.takesOtherWords == true {
            valid.insert(.words, at: 0)
        } else if picture.session?.page != nil {
            valid.insert(.page, at: 1)
        }
        let focus = picture.focus(state.job)
        if case .job(let job) = focus, picture.commandable.contains(job.id), picture.awaited[job.id] == nil {
            switch job.state {
            case .waiting(.simulation): valid.append(.cancel)
            case .running, .waiting: valid += [.pause, .cancel]
            case .paused: valid += [.resume, .cancel]
            case .stopping, .done, .failed: break
            }
        }
        if let key = exactKey(state, focus) { valid.append(key) }
        if picture.choices.count > 1 { valid.append(.job) }
        if focus.readings.count > 1 { valid.append(.reading) }
        if nodeTable(focus, { _, _ in [] }) != nil, focus.nodes.count > 1 { valid += [.sort, .scroll] }
        if picture.session?.roster.isEmpty == false || !isAlone && !focus.nodes.isEmpty { valid.append(.roster) }
        if picture.session?.takesMessages == true { valid.append(.message) }
        if let door = picture.session?.door { valid.append(door == .open ? .close : .open) }
        return valid
    }

    /// What the key for exact answers does; nil if nothing is hidden, or if only the host may show it.
    private func exactKey(_ state: ViewState, _ focus: ClusterPicture.Focus) -> ViewCommand? {
        guard let job = focus.job, focus.readings.contains(where: { $0.exact != nil }) else { return nil }
        let isCommandable = picture.commandable.contains(job)
        if picture.isHidden(job) { return isCommandable ? .reveal : nil }
        if picture.hidesExact { return hidesExact(state) ? .reveal : .hide }
        return isCommandable && state.revealed.contains(job) ? .hide : nil
    }

    /// The view's own question that is open; nil once its job is over.
    func asked(_ state: ViewState) -> ViewState.Question? {
        switch state.asked {
        case .cancel(let id)? where !picture.jobs.contains { $0.id == id && !$0.state.isOver }: nil
        case let question: question
        }
    }

    /// Whether the key answers the session's question.
    func isAnswer(_ key: ViewKey) -> Bool {
        switch (picture.session?.answers, key) {
        case (.consent, .character(let character)): "yYnNaA".contains(character)
        case (.number, .character(let character)): ("0"..."9").contains(character)
        case (.number, .enter), (.number, .backspace): true
        default: false
        }
    }

    /// Returns the scroll position after a key.
    func scrolled(_ state: ViewState, by key: ViewKey) -> Int {
        let rows = picture.focus(state.job).nodes
        // Only the layout knows how many lines the table gets, so run it.
        var height = rows.count + 1
        _ = Part.lines(
            parts(state) {
                height = $1
                return []
            }, into: canvas.rows.map { max(1, $0 - 1) } ?? .max)
        let table = table(rows, state)
        let window = table.window(height, from: state.scroll)
        return table.window(height, from: key.scrolled(window, of: rows.count)).lowerBound
    }

    /// Returns the scroll position in the roster after a key.
    func scrolledRoster(_ state: ViewState, by key: ViewKey) -> Int {
        roster(state).scrolled(rosterHeight(state), from: state.rosterScroll, by: key)
    }

    private func roster(_ state: ViewState) -> RosterView {
        RosterView(picture, picture.focus(state.job), on: canvas)
    }

    private func rosterHeight(_ state: ViewState) -> Int {
        canvas.rows.map { max(1, $0 - 1 - footer(state).count) } ?? .max
    }
}
