import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

/// What a class sees when contact is lost, when somebody says something, and while answers are hidden.
@Suite struct LostContactTests {
    private let job = JobID(1)
    private let now = Instant.start + .seconds(100)

    private func picture(state: JobState = .running, awaited: Bool = false) -> ClusterPicture {
        let rows = [
            Sample.node(1, "ana", trials: 300, rate: 5e5), Sample.node(2, "lab", trials: 600, rate: 5e5),
            NodeRow(
                node: .nobody, name: NodeRow.earlierName, cores: 0, trials: 100, rate: nil, work: .gone),
        ]
        let lost = LostContact(
            coordinator: "lab", since: .start + .seconds(74), lastTally: "14:03:22", mayBeTakenOver: false)
        return ClusterPicture(
            session: SessionPicture(title: "In Monty"),
            jobs: [Sample.snapshot(readings: [Sample.stay], state: state, id: 1, nodes: rows)],
            awaited: awaited ? [job: lost] : [:], own: rows[0].node)
    }

    private func screen(_ picture: ClusterPicture, _ columns: Int, _ rows: Int) -> String {
        let canvas = Canvas(columns: columns, rows: rows, unicode: true, colour: false)
        return ClusterView(picture, now: now, on: canvas).lines().map { $0.rendered(on: canvas) }
            .joined(separator: "\n")
    }

    @Test func nothingIsClaimedWithoutContact() {
        let before = screen(picture(), 80, 24)
        #expect(before.contains("computing") && before.contains("/s"))
        let after = screen(picture(awaited: true), 80, 24)
        for words in ["no contact with lab for 26 s", "last tally at 14:03:22", "waiting for lab to return"] {
            #expect(after.contains(words))
        }
        for words in ["computing", "/s", "take over"] { #expect(!after.contains(words)) }
        #expect(screen(picture(awaited: true), 40, 15).contains("no contact with lab for 26 s"))
    }

    /// A screen that shows the coordinator as connected claims no loss of contact.
    @Test func oneTruthIsOnTheScreen() {
        func shown(_ state: PeerState) -> String {
            var picture = picture(awaited: true)
            picture.jobs.append(Sample.snapshot(readings: [Sample.stay], state: .running, id: 2))
            picture.awaited[JobID(2)] = picture.awaited[job]
            picture.session?.members = [.init(name: "lab", mode: .server, state: state, since: .start)]
            return screen(picture, 80, 30)
        }
        let back = shown(.connected)
        #expect(
            back.contains("lab is connected and has not told of this job") && back.contains("its status is unknown"))
        for words in ["no contact", "to return", "/s"] { #expect(!back.contains(words), "\(back)") }
        let asking = shown(.connecting(.theirHost))
        #expect(asking.contains("waiting for lab to approve this node") && !asking.contains("to return"))
        #expect(shown(.suspect).contains("no contact with lab for 26 s"))
    }

    /// A viewer knows jobs only from a node on its machine. If that is suspended, nothing is claimed of its jobs.
    @Test func aSilentNodeIsSaid() {
        var board = JobBoard(unicode: true, digest: { _ in "" }, isBuiltIn: { _ in true })
        for number: UInt64 in [1, 2] {
            _ = board.apply(
                .snapshot(Sample.snapshot(readings: [Sample.stay], state: .running, id: number)), at: .start,
                time: "14:03:22")
        }
        _ = board.apply(.news(.orphaned(JobID(2), .nobody, name: "lab")), at: .start, time: "14:03:23")
        let said = board.heard(from: "the node", isSilent: true, at: now)
        #expect(said == "the node does not answer; it may be suspended")
        #expect(board.heard(from: "the node", isSilent: true, at: now + .seconds(5)) == nil)
        #expect(board.picture.awaited[job]?.words(now + .seconds(7)).first == "no contact with the node for 7 s")
        #expect(board.heard(from: "the node", isSilent: false, at: now) == nil)
        #expect(board.picture.awaited[job] == nil && board.picture.awaited[JobID(2)]?.coordinator == "lab")
    }

    @Test func anotherNodeIsOfferedOnlyWhereItCanTakeOver() {
        let lost = LostContact(coordinator: "lab", since: now, lastTally: nil, mayBeTakenOver: true)
        #expect(lost.words(now).last == "waiting for lab to return or another node to take over")
    }

    @Test(arguments: [(40, 15), (80, 15), (40, 10), (80, 24)]) func aMessageIsSeen(columns: Int, rows: Int) {
        var picture = picture()
        picture.session?.news = [.init("lab: stop", .good, saidAt: now)] + (0..<9).map { .init("bob \($0) connected") }
        #expect(screen(picture, columns, rows).contains("lab: stop"))
        // After a minute it is news like others.
        picture.session?.news[0] = .init("lab: stop", .good, saidAt: .start)
        #expect(!screen(picture, 40, 10).contains("lab: stop"))
    }

    /// A message of some length is wrapped between words and whole, also in a narrow window.
    @Test(arguments: [(40, 24), (40, 15), (40, 12), (60, 12), (80, 12)])
    func aMessageIsWhole(columns: Int, rows: Int) {
        let words = (1...18).map { "word\($0)" }
        var picture = picture()
        picture.session?.news = [.init("lab: " + words.joined(separator: " "), .good, saidAt: now)]
        let shown = screen(picture, columns, rows)
        #expect(words.allSatisfy { shown.split(whereSeparator: \.isWhitespace).contains(Substring($0)) }, "\(shown)")
        #expect(shown.split(separator: "\n", omittingEmptySubsequences: false).count < rows)
    }

    /// One that is longer than the screen says so, and leaves room for the job.
    @Test func aMessageThatIsTooLongIsMarked() {
        var picture = picture()
        picture.session?.news = [.init("lab: " + String(repeating: "words ", count: 500), .good, saidAt: now)]
        let lines = screen(picture, 40, 16).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("words") && $0.hasSuffix(" …") })
        #expect(lines.count { $0.hasPrefix("words") } < 15 && lines.contains { $0.contains("stay") })
    }

    /// The row for what was computed before a restart is no laptop.
    @Test func theRowOfEarlierWorkIsNoNode() {
        #expect(screen(picture(), 40, 10).contains("2 nodes, 8 cores: 2 computing"))
        let result = Sample.result(
            readings: [], trials: 10, completion: .trials, nodes: picture().jobs[0].nodes)
        let lines = ResultView(isBuiltIn: true).lines(
            result, digest: Sample.digest, on: Canvas(columns: 200, unicode: true, colour: false))
        #expect(lines.contains { $0.pieces.contains { $0.text.contains("of 2 nodes") } })
    }

    @Test func oneRowIsMarkedAsThisNode() {
        let screen = screen(picture(), 80, 24)
        #expect(screen.contains("ana (you)") && !screen.contains("lab (you)"))
    }

    @Test func aNodeKeepsItsShare() {
        let rows = picture().jobs[0].nodes
        #expect(ShareView.words(rows, own: rows[0].node, .trial) == "ana computed 30.0 % of the trials")
        #expect(
            ShareView.words(rows, own: NodeID([UInt8](repeating: 9, count: NodeID.length))!, .trial) == nil)
    }

    // MARK: Hidden answers

    @Test func aGuestCannotShowHiddenAnswers() {
        var picture = picture()
        picture.jobs[0].hidesExact = true
        let canvas = Canvas(columns: 80, rows: 24, unicode: true, colour: false)
        var state = ViewState()
        func view() -> ClusterView { ClusterView(picture, now: now, on: canvas) }
        #expect(!screen(picture, 80, 24).contains("off by"))
        #expect(screen(picture, 80, 24).contains("The host hides the exact answer"))
        #expect(state.press(.character("e"), on: view()) == nil)
        #expect(view().hidesExact(state))
        // The host shows them to all, and can hide them again.
        picture.commandable = [job]
        #expect(state.press(.character("e"), on: view()) == .command(.reveal, [job]))
        picture.jobs[0].hidesExact = false
        #expect(screen(picture, 80, 24).contains("off by"))
        #expect(state.press(.character("e"), on: view()) == .command(.hide, [job]))
    }

    /// A host who lets a class guess sees when all have.
    @Test func guessesAreCountedUntilTheJobBegins() {
        func shown(_ guesses: Int, trials: UInt64) -> String {
            var picture = picture(state: .paused)
            picture.jobs[0].trials = trials
            picture.jobs[0].guesses = (0..<guesses).map { Guess(page: UInt64($0), value: 0.5, by: "ana") }
            return screen(picture, 80, 24)
        }
        #expect(!shown(0, trials: 0).contains("guess"))
        #expect(shown(1, trials: 0).contains("1 guess so far") && shown(12, trials: 0).contains("12 guesses so far"))
        #expect(!shown(12, trials: 16).contains("guess"))
    }

    @Test func oneKeyShowsTheAnswersOfAllJobsSoFar() {
        var picture = picture()
        func add(_ id: UInt64) {
            picture.jobs.append(Sample.snapshot(readings: [Sample.stay], state: .running, id: id))
            picture.jobs[picture.jobs.count - 1].hidesExact = true
            picture.commandable = Set(picture.jobs.map(\.id))
        }
        add(2)
        picture.jobs[0].hidesExact = true
        let canvas = Canvas(columns: 80, rows: 24, unicode: true, colour: false)
        var state = ViewState()
        func view() -> ClusterView { ClusterView(picture, now: now, on: canvas) }
        #expect(state.press(.character("e"), on: view()) == .command(.reveal, [job, JobID(2)]))
        for index in picture.jobs.indices { picture.jobs[index].hidesExact = false }
        // A later job's answers stay hidden until the key is pressed again.
        add(3)
        #expect(state.press(.character("e"), on: view()) == .command(.hide, [job, JobID(2)]))
        for index in picture.jobs.indices { picture.jobs[index].hidesExact = true }
        #expect(state.press(.character("e"), on: view()) == .command(.reveal, [job, JobID(2), JobID(3)]))
        // A screen that hides answers for itself shows those of the jobs that it knows.
        picture.hidesExact = true
        for index in picture.jobs.indices { picture.jobs[index].hidesExact = false }
        state = ViewState()
        #expect(state.press(.character("e"), on: view()) == nil && !view().hidesExact(state))
        state.job = JobID(2)
        #expect(!view().hidesExact(state))
        add(4)
        picture.jobs[3].hidesExact = false
        state.job = JobID(4)
        #expect(view().hidesExact(state))
    }

    @Test func printedAndRecordedResultsHideAnswersToo() {
        var result = Sample.result(readings: [Sample.stay], trials: 10, completion: .trials)
        #expect(result.shown.readings[0].exact != nil)
        result.hidesExact = true
        #expect(result.shown.readings[0].exact == nil && result.shown.digestInput == result.digestInput)
        var snapshot = picture().jobs[0]
        snapshot.hidesExact = true
        #expect(snapshot.shown.readings[0].exact == nil)
    }

    // MARK: Estimates

    @Test func aWanderingEstimateIsARangeOrNothing() {
        func words(_ lefts: [Double]) -> String {
            var estimate = Estimate()
            var at = Instant.start
            for left in lefts {
                at = at + .seconds(2)
                estimate.note(Sample.snapshot(readings: [], remaining: .about(.seconds(left))), at: at)
            }
            return estimate.words(.about(.seconds(lefts.last ?? 0)), at: at)
        }
        #expect(words([100, 98, 96]) == "about 1 min 36 s left")
        #expect(words([104, 92, 60]) == "1 min 0 s to 1 min 40 s left")
        #expect(words([1000, 98, 60]) == "no estimate: the speed changes")
        // What was long ago no longer counts.
        #expect(words([1000] + (0..<20).map { 100 - 2 * Double($0) }) == "about 1 min 2 s left")
    }
}
