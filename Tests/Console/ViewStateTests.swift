import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

@Suite struct ViewStateTests {
    private let canvas = Canvas(columns: 80, rows: 24, unicode: true, colour: false)

    private func view(_ picture: ClusterPicture) -> ClusterView { ClusterView(picture, now: .start, on: canvas) }

    private func press(_ keys: String, _ state: inout ViewState, _ picture: ClusterPicture) -> [ViewAction] {
        keys.compactMap { state.press(.character($0), on: view(picture)) }
    }

    @Test func pTogglesPause() {
        var picture = Room.picture(nodes: 2)
        var state = ViewState()
        #expect(press("p", &state, picture) == [.command(.pause, [JobID(1)])])
        picture.jobs = [Room.job(nodes: 2, state: .paused)]
        #expect(press("p", &state, picture) == [.command(.resume, [JobID(1)])])
        picture.jobs = [Room.job(nodes: 2, state: .stopping)]
        #expect(press("pc", &state, picture) == [])
        picture.jobs = [Room.job(nodes: 2)]
        picture.commandable = []
        #expect(press("pcy", &state, picture) == [])
    }

    @Test func cancellingAsksFirst() {
        let picture = Room.picture(nodes: 2)
        var state = ViewState()
        #expect(press("cpsq?n", &state, picture) == [])
        #expect(press("y", &state, picture) == [])
        #expect(state == ViewState())
        #expect(press("cy", &state, picture) == [.command(.cancel, [JobID(1)])])
        #expect(press("y", &state, picture) == [])
        #expect(press("c", &state, picture) == [] && state.press(.escape, on: view(picture)) == nil)
        #expect(press("y", &state, picture) == [])
    }

    /// While a message is typed, keys that are commands otherwise are letters, and a newcomer waits for the answer.
    @Test func aMessageIsTyped() {
        var picture = Room.picture(nodes: 2)
        var state = ViewState()
        #expect(press("m", &state, picture) == [] && state.message == nil)
        picture.session?.takesMessages = true
        picture.session?.answers = .consent
        #expect(press("mq?pydß ", &state, picture) == [] && state.message == "q?pydß ")
        #expect(state.press(.backspace, on: view(picture)) == nil && state.press(.left, on: view(picture)) == nil)
        #expect(view(picture).lines(state).contains { $0.pieces.map(\.text).joined().contains("Say to all: q?pydß_") })
        #expect(state.press(.enter, on: view(picture)) == .say("q?pydß") && state == ViewState())
        #expect(press("m ", &state, picture) == [] && state.press(.enter, on: view(picture)) == nil)
        #expect(press("mx", &state, picture) == [] && state.press(.escape, on: view(picture)) == nil)
        #expect(state == ViewState())
        #expect(press("m" + String(repeating: "ß", count: Parcel.maximumText), &state, picture) == [])
        #expect(state.message?.utf8.count == Parcel.maximumText)
    }

    /// A key lists all devices, more than the screen has lines for: each is shown somewhere, in the order of their names.
    @Test func lListsAllDevices() {
        var picture = Room.picture(nodes: 40)
        picture.session?.roster =
            picture.jobs[0].nodes.map { .init(name: $0.name, cores: $0.cores) }
            + (1...30).map { .init(name: "viewer \($0)", cores: 0) } + [.init(name: "ada", cores: 8, isHere: false)]
        var state = ViewState()
        func shown() -> [String] { view(picture).lines(state).map { $0.pieces.map(\.text).joined() } }
        #expect(press("l", &state, picture) == [] && shown()[0].hasPrefix("71 devices, "))
        #expect(shown().count == 23 && shown()[2].hasPrefix("ada") && shown()[2].contains("no contact"))
        var names: [Substring] = []
        for _ in 0..<8 {
            names += shown()[2..<21].map { $0.prefix { $0 != " " } }
            #expect(state.press(.pageDown, on: view(picture)) == nil)
        }
        #expect(Set(names).isSuperset(of: picture.jobs[0].nodes.map { $0.name.prefix { $0 != " " } }))
        #expect(shown()[20].hasPrefix("中文 7") && shown()[21] == "52 more above; scroll with the arrow keys")
        #expect(state.press(.home, on: view(picture)) == nil && shown()[2].hasPrefix("ada"))
        #expect(state.press(.up, on: view(picture)) == nil && state.press(.end, on: view(picture)) == nil)
        #expect(shown()[20].hasPrefix("中文 7"))
        // Any other key goes back, and does nothing else.
        #expect(press("q", &state, picture) == [] && state == ViewState())
        // A viewer of another node knows those that compute; a run on one machine has no list.
        picture.session = nil
        #expect(press("L", &state, picture) == [] && shown()[0].hasPrefix("40 devices, "))
        picture.leaving = .stops
        state = ViewState()
        #expect(press("l", &state, picture) == [] && state == ViewState())
    }

    @Test func dClosesAndOpensTheSession() {
        var picture = Room.picture(nodes: 2)
        picture.session?.invitation = .words(command: "potluck join Monty", code: "maple-river-candle-ocean-tiger")
        var state = ViewState()
        func shown() -> String { view(picture).lines(state).flatMap(\.pieces).map(\.text).joined() }
        #expect(press("d", &state, picture) == [] && !shown().contains("Closed"))
        picture.session?.door = .open
        #expect(press("d", &state, picture) == [.door(.closed)] && shown().contains("maple"))
        picture.session?.door = .closed
        #expect(press("D", &state, picture) == [.door(.open)])
        #expect(shown().contains("Closed: nobody new can join") && !shown().contains("maple"))
    }

    @Test func endingASessionAsksFirst() {
        var picture = Room.picture(nodes: 2)
        var state = ViewState()
        #expect(press("qn", &state, picture) == [])
        #expect(press("qy", &state, picture) == [.quit])
        picture.leaving = .leaves
        #expect(press("q", &state, picture) == [.quit])
    }

    /// The host can always answer a question about a newcomer. A key that answers one question does not answer another.
    @Test func theHostLetsSomebodyIn() {
        var picture = Room.picture(nodes: 2)
        picture.session?.answers = .consent
        picture.session?.questions = ["zoe asks to join: y or n."]
        var state = ViewState()
        for key in "yYnNaA" { #expect(press(String(key), &state, picture) == [.answer(.character(key))]) }
        #expect(press("?y", &state, picture) == [.answer(.character("y"))])
        #expect(press("x", &state, picture) == [] && !state.showsHelp)
        #expect(press("cyy", &state, picture) == [.command(.cancel, [JobID(1)]), .answer(.character("y"))])
        // The job ends before the question about it is answered. The answer then admits nobody.
        #expect(press("c", &state, picture) == [])
        picture.jobs = [Room.job(nodes: 2, state: .done(.trials))]
        #expect(press("yy", &state, picture) == [.answer(.character("y"))])
        picture.session?.answers = .number
        #expect(press("1y", &state, picture) == [.answer(.character("1"))])
        #expect(state.press(.enter, on: view(picture)) == .answer(.enter))
    }

    /// A refused newcomer may type other words, and nobody else is asked for any.
    @Test func wordsAreAskedForOnlyWhereTheyMayHelp() {
        var picture = Room.picture(nodes: 2)
        var state = ViewState()
        #expect(press("wW", &state, picture) == [])
        picture.session?.takesOtherWords = true
        #expect(press("wW", &state, picture) == [.otherWords, .otherWords])
        // A question that is open comes first.
        #expect(press("cwn", &state, picture) == [])
        picture.takesKeys = false
        #expect(press("w", &state, picture) == [])
    }

    @Test func scrollingEndsWhereTheListEnds() {
        let picture = Room.picture(nodes: 30)
        var state = ViewState()
        func shown() -> [String] {
            view(picture).lines(state).map { $0.rendered(on: canvas) }.filter { $0.contains("more") }
        }
        #expect(shown() == ["24 more below; scroll with the arrow keys"])
        for _ in 0..<100 { _ = state.press(.down, on: view(picture)) }
        #expect(shown() == ["24 more above; scroll with the arrow keys"])
        _ = state.press(.up, on: view(picture))
        #expect(shown() == ["23 more above, 1 more below; scroll with the arrow keys"])
        _ = state.press(.pageUp, on: view(picture))
        #expect(shown() == ["17 more above, 7 more below; scroll with the arrow keys"])
        _ = state.press(.home, on: view(picture))
        #expect(state.scroll == 0)
        _ = state.press(.end, on: view(picture))
        #expect(state.scroll == 24)
    }

    @Test func anyOrder() {
        let nodes = [
            Sample.node(1, "bob", trials: 5, rate: 1), Sample.node(2, "ana", trials: 1, rate: 3, work: .silent),
            Sample.node(3, "eve", trials: 9, work: .gone),
        ]
        var picture = Room.picture(nodes: 0)
        picture.jobs = [Sample.snapshot(readings: [], nodes: nodes)]
        var state = ViewState()
        var orders: [String] = []
        for _ in 0..<5 {
            let lines = view(picture).lines(state).map { $0.rendered(on: canvas) }
            let names = lines.flatMap { line in ["ana", "bob", "eve"].filter { line.hasPrefix($0 + "  ") } }
            orders.append("\(state.order): " + names.joined(separator: " "))
            _ = state.press(.character("s"), on: view(picture))
        }
        #expect(
            orders == [
                "name: ana bob eve", "rate: ana bob eve", "share: eve bob ana", "state: ana bob eve",
                "name: ana bob eve",
            ])
    }

    /// Work from before a job was resumed here has a row, which is not shown as a node that left.
    @Test func earlierWorkIsShownAsKept() {
        let before = NodeRow(node: .nobody, name: "before", cores: 0, trials: 9, rate: nil, work: .gone)
        var picture = Room.picture(nodes: 0)
        picture.jobs = [Sample.snapshot(readings: [], nodes: [before, Sample.node(1, "ana", trials: 1)])]
        let row = view(picture).lines(ViewState()).map { $0.rendered(on: canvas) }.first { $0.hasPrefix("before ") }
        #expect(row?.split(separator: " ") == ["before", "90.0", "%", "kept"])
    }

    @Test func namesStandAsPeopleCount() {
        let names = [
            "ana", "laptop 1", "laptop 2", "laptop 10", "laptop 010x", "laptop 99999999999999999999", "中 3", "中 20",
        ]
        #expect(names.reversed().map { NumberedName($0) }.sorted() == names.map { NumberedName($0) })
    }

    /// The exact answer is hidden until it is requested, and hidden again for the next jobs.
    @Test func theExactAnswerIsShownOnRequest() {
        var picture = Room.picture(nodes: 3, jobs: 2)
        picture.hidesExact = true
        var state = ViewState()
        func text() -> String { view(picture).lines(state).map { $0.rendered(on: canvas) }.joined(separator: "\n") }
        let words = ["0.333333 ", "exact     ", "off by", "─"]
        #expect(words.allSatisfy { !text().contains($0) } && text().contains("e shows it"))
        #expect(press("e", &state, picture) == [])
        #expect(text().contains("off by") && text().contains("─ exact") && !text().contains("e shows it"))
        _ = press("e", &state, picture)
        #expect(!text().contains("off by"))
        _ = press("e", &state, picture)
        picture.jobs = [Room.job(nodes: 2, id: 7)]
        #expect(!text().contains("off by") && text().contains("e shows it"))
    }

    @Test func onePassesFromJobToJob() {
        let picture = Room.picture(nodes: 3, jobs: 3)
        var state = ViewState()
        var seen: [JobID?] = []
        for _ in 0..<4 {
            _ = state.press(.tab, on: view(picture))
            seen.append(state.job)
        }
        #expect(seen == [JobID(2), JobID(3), JobID(1), JobID(2)])
        _ = state.press(.backTab, on: view(picture))
        #expect(state.job == JobID(1))
        _ = state.press(.escape, on: view(picture))
        #expect(state.job == nil)
    }

    @Test func aResultStaysUntilTheNextJobStarts() {
        let outcome = ClusterPicture.Outcome(
            id: JobID(1), result: Sample.result(readings: [], trials: 1, completion: .trials), digest: Sample.digest,
            isBuiltIn: true)
        var picture = ClusterPicture(jobs: [Room.job(nodes: 1, state: .done(.trials))], outcomes: [outcome])
        #expect(picture.focus(nil) == .outcome(outcome))
        let next = Room.job(nodes: 1, id: 2)
        picture.jobs.append(next)
        #expect(picture.focus(nil) == .job(next))
        #expect(picture.focus(JobID(1)) == .outcome(outcome))
        let failed = Room.job(nodes: 1, id: 2, state: .failed("why"))
        picture.jobs[1] = failed
        // It may have failed before the other one ended, although it was taken later.
        for (last, shown) in [(2, .job(failed)), (1, .outcome(outcome))] as [(UInt64, ClusterPicture.Focus)] {
            picture.lastEnded = JobID(last)
            #expect(picture.focus(nil) == shown)
        }
    }

    /// Tests random keys on random pictures. Nothing traps, no command goes to a job that is not ours, a job is
    /// cancelled only after a question, and every key in the footer does something.
    @Test func anyKeys() {
        let keys: [ViewKey] =
            "?hpceEsrqynYaA0159xé".map { .character($0) } + [
                .control("l"), .control("a"), .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab,
                .backTab,
                .enter, .backspace, .escape,
            ]
        for seed in 0..<80 as Range<UInt64> {
            var dice = Dice(seed: seed)
            var state = dice.viewState()
            for _ in 0..<3 {
                let view = ClusterView(dice.picture(), now: .start, on: dice.canvas())
                for _ in 0..<8 {
                    let key = dice.pick(keys)
                    let asked = view.asked(state)
                    let action = state.press(key, on: view)
                    guard case .command(let command, let jobs) = action else { continue }
                    #expect(!jobs.isEmpty)
                    if command == .cancel {
                        #expect(asked == .cancel(jobs[0]) && jobs.count == 1 && key != .character("c"))
                    }
                    if command != .cancel {
                        #expect(view.picture.commandable.isSuperset(of: jobs), "seed \(seed)")
                    }
                }
                _ = view.lines(state)
                check(view, seed)
            }
        }
    }

    private func check(_ view: ClusterView, _ seed: UInt64) {
        let keys: [ViewCommand: ViewKey] = [.scroll: .down, .job: .tab]
        for command in view.valid(ViewState()) where command != .scroll {
            guard view.picture.session?.answers == nil else { return }
            var state = ViewState()
            let key = keys[command] ?? .character(Character(command.key))
            let action = state.press(key, on: view)
            #expect(action != nil || state != ViewState(), "seed \(seed): \(command) does nothing")
        }
    }
}
