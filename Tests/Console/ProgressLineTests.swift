import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

@Suite struct ProgressLineTests {
    @Test func progressIsReportedSeldom() {
        var progress = ProgressLine()
        var said: [Int] = []
        for second in 0..<60 {
            let lines = progress.lines(Sample.snapshot(readings: [Sample.stay], elapsed: .seconds(second)))
            if !lines.isEmpty { said.append(second) }
            #expect(lines.joined().utf8.allSatisfy { (0x20...0x7e).contains($0) })
        }
        #expect(said == [5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55])
        var other = ProgressLine()
        #expect(
            other.lines(Sample.snapshot(readings: [Sample.stay], elapsed: .seconds(5))) == [
                "sample: 1 000 000 of 3 000 000 trials, 5.0 s, 2.50 million/s, 33 %, about 4 s left; "
                    + "stay 0.33361 +/- 0.00092; seed 42"
            ])
    }

    /// The log of a run on a busy machine, whose estimates go up and down.
    @Test func whereTheSpeedChangesARangeIsSaid() {
        func words(_ left: [Int]) -> String? {
            var progress = ProgressLine()
            var last: [String] = []
            for (second, left) in left.enumerated() {
                let snapshot = Sample.snapshot(
                    readings: [], elapsed: .seconds(second), remaining: .about(.seconds(left)))
                last = progress.lines(snapshot)
            }
            return last.last?.split(separator: ", ").last.map { $0.split(separator: ";").first.map(String.init) ?? "" }
        }
        #expect(words([100, 99, 98, 97, 96, 95]) == "about 1 min 35 s left")
        #expect(words([100, 99, 200, 197, 96, 95])?.contains(" to ") == true)
        #expect(words([100, 99, 1000, 197, 96, 95]) == "no estimate: the speed changes")
    }

    private func snapshot(_ state: JobState, _ nodes: [NodeRow] = [], id: UInt64 = 1) -> JobSnapshot {
        Sample.snapshot(readings: [], elapsed: .zero, state: state, id: id, nodes: nodes)
    }

    @Test func eachChangeOfAJobIsReportedOnce() {
        var progress = ProgressLine()
        let course: [JobState] = [
            .waiting(.workers(1, of: 2)), .waiting(.workers(1, of: 2)), .waiting(.start(.seconds(4))),
            .waiting(.start(.seconds(3))), .running, .running, .paused, .paused, .running, .stopping, .stopping,
            .failed("block 7 of bob and ana trapped"), .failed("block 7 of bob and ana trapped"),
        ]
        #expect(
            course.flatMap { progress.lines(snapshot($0)) } == [
                "sample: waiting for workers: 1 of 2 ready", "sample: starts in 4 s", "sample: started",
                "sample: paused",
                "sample: resumed", "sample: stopping: finishing the current blocks",
            ])
        // The next job is reported from its beginning.
        #expect(progress.lines(snapshot(.waiting(.workers(1, of: 2)), id: 2)).count == 1)
        // The preparation of a job is not worth a line.
        #expect(progress.lines(snapshot(.waiting(.simulation), id: 3)) == [])
        #expect(progress.lines(snapshot(.running, id: 3)) == [])
    }

    @Test func nodesComeAndGo() {
        var progress = ProgressLine()
        func now(_ works: [NodeWork?]) -> [String] {
            let nodes = works.enumerated().compactMap { index, work in
                work.map { Sample.node(UInt8(index), ["ana", "bob", "eve"][index], work: $0) }
            }
            return progress.lines(snapshot(.running, nodes))
        }
        #expect(now([.computing, nil, nil]) == [])
        #expect(now([.computing, .preparing, nil]) == ["sample: bob joined with 4 cores"])
        #expect(now([.idle, .computing, nil]) == [])
        #expect(
            now([.silent, .computing, .computing]) == ["sample: ana is silent", "sample: eve joined with 4 cores"])
        #expect(
            now([.computing, .gone, .shutOut]) == [
                "sample: ana continues", "sample: bob disconnected",
                "sample: eve sent wrong results and is shut out; none of its results count",
            ])
        #expect(
            now([.resting, .computing, .shutOut]) == ["sample: ana is resting", "sample: bob joined with 4 cores"])
        #expect(
            now([.setAside, .unable("no such simulation"), .shutOut]) == [
                "sample: ana failed several times and gets no work for a while",
                "sample: bob cannot compute it: no such simulation",
            ])
    }

    /// Somebody who begins to watch later is told, too.
    @Test func theFirstLineSaysWhoCannotCompute() {
        var progress = ProgressLine()
        let row = Sample.node(1, "bob", work: .unable("no such simulation"))
        #expect(progress.lines(snapshot(.running, [row])) == ["sample: bob cannot compute it: no such simulation"])
        #expect(progress.lines(snapshot(.running, [row])) == [])
    }

    /// A job that resumes after a crash has a row for the work from before.
    @Test func theRowOfEarlierWorkIsNoNode() {
        var progress = ProgressLine()
        let ana = Sample.node(1, "ana")
        let before = NodeRow(node: .nobody, name: "before", cores: 0, trials: 9, rate: nil, work: .gone)
        #expect(progress.lines(snapshot(.running, [ana])) == [])
        #expect(progress.lines(snapshot(.running, [ana, before])) == [])
        #expect(progress.lines(snapshot(.running, [ana])) == [])
    }

    @Test func namesStayNamesWhereTheLogCanHoldThem() {
        for (unicode, line) in [(true, "sample: 中文 is silent"), (false, "sample: ?? is silent")] {
            var progress = ProgressLine(unicode: unicode)
            _ = progress.lines(snapshot(.running, [Sample.node(1, "中文")]))
            #expect(progress.lines(snapshot(.running, [Sample.node(1, "中文", work: .silent)])) == [line])
        }
    }
}
