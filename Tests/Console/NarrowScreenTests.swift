import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

/// What a narrow or low window leaves out, and what it never does.
@Suite struct NarrowScreenTests {
    private func screen(_ picture: ClusterPicture, _ columns: Int, _ rows: Int) -> String {
        let canvas = Canvas(columns: columns, rows: rows, unicode: true, colour: false)
        return ClusterView(picture, now: .start + .seconds(100), on: canvas).lines().map { $0.rendered(on: canvas) }
            .joined(separator: "\n")
    }

    @Test func whatAJobWaitsForMattersMoreThanWhoStartedIt() {
        let wait = JobWait.line(1, behind: JobAhead(id: JobID(0x0b9e_5000_0000_0000), name: "pi"))
        let picture = ClusterPicture(jobs: [
            Sample.snapshot(readings: [Sample.stay], id: 1),
            Sample.snapshot(readings: [Sample.stay], state: .waiting(wait), id: 2, submitter: "teacher"),
        ])
        #expect(screen(picture, 80, 24).contains("also sample, started by teacher, queued behind pi (job 0b9e5)"))
        #expect(screen(picture, 50, 24).contains("also sample, queued behind pi (job 0b9e5)\n"))
    }

    @Test func aNarrowResultSaysHowItEnded() throws {
        let result = Sample.result(readings: [Sample.stay], trials: 7_694_581_760, completion: .stopped)
        for columns in 30...100 {
            let canvas = Canvas(columns: columns, rows: 12, unicode: true, colour: false)
            let parts = ResultView(isBuiltIn: true).parts(
                result, digest: Sample.digest, hidesExact: false, reading: 0, on: canvas)
            let opening = try #require(parts.first)
            let text = opening.draw(opening.least).map { $0.rendered(on: canvas) }.joined(separator: " ")
            #expect(text.contains("stopped after"), "\(columns)")
        }
    }

    /// A result has the nodes as they were at its end, and this one was away.
    @Test func nobodyIsToldToBeGone() {
        let nodes = [Sample.node(1, "ana", work: .gone), Sample.node(2, "bo", work: .gone)]
        let result = Sample.result(readings: [Sample.stay], trials: 1000, completion: .trials, nodes: nodes)
        let outcome = ClusterPicture.Outcome(id: JobID(1), result: result, digest: Sample.digest, isBuiltIn: true)
        let lines = screen(ClusterPicture(outcomes: [outcome], own: nodes[0].node), 80, 40).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("ana (you)") && $0.contains("idle") })
        #expect(lines.contains { $0.hasPrefix("bo") && $0.contains("gone") })
    }

    @Test func newsThatDoNotFitEndWithAnEllipsis() {
        let why = "cannot record this run: cannot write /tmp/state/history.db: the disk is full; free some space"
        var picture = ClusterPicture(
            session: SessionPicture(title: "In Monty"), jobs: [Sample.snapshot(readings: [Sample.stay], id: 1)])
        picture.session?.news = [.init(why, .warning)]
        var isCut = false
        for rows in 5...40 {
            let lines = screen(picture, 60, rows).split(separator: "\n")
            guard let last = lines.last(where: { $0.contains("cannot record") || $0.contains("is full") }) else {
                continue
            }
            isCut = isCut || last.hasSuffix(" …")
            #expect(last.hasSuffix("free some space") || last.hasSuffix(" …"), "\(rows): \(lines)")
        }
        #expect(isCut)
    }
}
