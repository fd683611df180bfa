import Foundation
import Glibc
import Potluck
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckCommand

/// `potluck watch --metrics`: the text, and the file.
@Suite(.serialized) struct MetricsTests {
    private let room = Laptops()
    private let spec = JobSpec(
        JobRecipe(
            experiment: Experiment(
                simulation: SimulationIdentity(name: "sample", source: "00", streams: 1), parameters: [], seed: 42,
                blockSize: 1024), goal: Goal(trials: 1024)))

    private func row(_ id: UInt8, _ name: String, _ trials: UInt64, _ work: NodeWork, rate: Double? = nil) -> NodeRow {
        NodeRow(
            node: NodeID(words: (UInt64(id), 0)), name: name, cores: 2, trials: trials,
            rate: rate, work: work)
    }

    private func job(
        _ id: UInt64, _ state: JobState, submitter: String = "lab", _ nodes: [NodeRow] = [],
        remaining: Remaining = .unknown
    ) -> JobSnapshot {
        JobSnapshot(
            spec,
            JobPicture(
                id: JobID(id), submitter: submitter, state: state, trials: 18_446_744_073_709_551_615,
                elapsed: .milliseconds(1500), remaining: remaining, nodes: nodes))
    }

    private func lines(_ jobs: [JobSnapshot], session: String = "Monty", lost: Set<JobID> = []) -> [String] {
        MetricsText(session: session, jobs: jobs, lost: lost).text.components(separatedBy: "\n")
    }

    /// A search has parts of a tree, and no trials.
    @Test func aSearchHasNoTrials() {
        let search = JobSpec(
            JobRecipe(
                experiment: Experiment(
                    simulation: SimulationIdentity(name: "tsp", source: "00", streams: 1), parameters: [], seed: 0,
                    blockSize: 1), goal: Goal(trials: SearchSpace.points)))
        let job = JobSnapshot(
            search,
            JobPicture(
                id: JobID(1), submitter: "lab", state: .running, trials: SearchSpace.points / 2, elapsed: .seconds(1),
                nodes: [row(1, "ana", SearchSpace.points / 4, .computing)]))
        let lines = lines([job])
        let id = JobID(1).text
        #expect(lines.contains("potluck_job_searched_ratio{session=\"Monty\",job=\"\(id)\"} 0.5"))
        #expect(lines.contains("potluck_node_searched_ratio{session=\"Monty\",job=\"\(id)\",node=\"ana\"} 0.25"))
        #expect(!lines.contains { $0.hasPrefix("potluck_job_trials") || $0.hasPrefix("potluck_node_trials") })
    }

    @Test func aFileOfMetricsIsLikeThis() {
        let jobs = [
            job(
                0xabc, .running, [row(1, "ana", 5, .computing, rate: 2.5), row(2, "lab", 7, .resting)],
                remaining: .about(.seconds(90)))
        ]
        let text = MetricsText(session: "Monty", jobs: jobs, lost: []).text
        let id = JobID(0xabc).text
        #expect(
            text.hasPrefix(
                """
                # HELP potluck_jobs Jobs that this file describes: those that are not over, and the last that are.
                # TYPE potluck_jobs gauge
                potluck_jobs{session="Monty"} 1
                # HELP potluck_job_info The simulation of a job and the name of the node that started it; always 1.
                # TYPE potluck_job_info gauge
                potluck_job_info{session="Monty",job="\(id)",simulation="sample",submitter="lab"} 1

                """))
        for line in [
            "potluck_job_state{session=\"Monty\",job=\"\(id)\",state=\"running\"} 1",
            "potluck_job_state{session=\"Monty\",job=\"\(id)\",state=\"failed\"} 0",
            "# TYPE potluck_job_trials_total counter",
            "potluck_job_trials_total{session=\"Monty\",job=\"\(id)\"} 18446744073709551615",
            "potluck_job_elapsed_seconds{session=\"Monty\",job=\"\(id)\"} 1.5",
            "potluck_job_remaining_seconds{session=\"Monty\",job=\"\(id)\"} 90.0",
            "potluck_node_trials_total{session=\"Monty\",job=\"\(id)\",node=\"ana\"} 5",
            "potluck_node_trials_per_second{session=\"Monty\",job=\"\(id)\",node=\"ana\"} 2.5",
            "potluck_node_cores{session=\"Monty\",job=\"\(id)\",node=\"lab\"} 2",
            "potluck_node_computing{session=\"Monty\",job=\"\(id)\",node=\"ana\"} 1",
            "potluck_node_computing{session=\"Monty\",job=\"\(id)\",node=\"lab\"} 0",
        ] { #expect(text.contains(line + "\n"), "\(line) is missing in\n\(text)") }
        // A value that is unknown has no line.
        #expect(!text.contains("potluck_job_trials_per_second{"))
        #expect(!text.contains("potluck_node_trials_per_second{session=\"Monty\",job=\"\(id)\",node=\"lab\"}"))
        #expect(text.hasSuffix("\n"))
    }

    /// Every line is a comment or a sample of the metric that the comments before it announce, and no two samples have
    /// the same labels: Prometheus refuses the whole file otherwise.
    @Test func everySampleBelongsToItsMetric() throws {
        let nodes = [row(1, "ana", 5, .gone), row(2, "ana", 7, .computing), row(3, "b\"\\\nb", 1, .idle)]
        let jobs = [job(1, .running, nodes), job(2, .failed("why"), nodes), job(3, .waiting(.simulation))]
        var (metric, seen) = ("", Set<Substring>())
        for line in lines(jobs, session: "a \"b\" \\n", lost: [JobID(1)]).dropLast() {
            if line.hasPrefix("# HELP ") { metric = String(line.split(separator: " ")[2]) }
            if line.hasPrefix("#") {
                #expect(line.contains(" \(metric) "))
                continue
            }
            let match = try #require(
                line.wholeMatch(of: #/((potluck_[a-z_]+)\{(?:[a-z]+="(?:[^"\\\n]|\\[\\"n])*",?)+\}) (\S+)/#), "\(line)")
            #expect(match.2 == metric)
            #expect(Double(match.3) != nil)
            #expect(seen.insert(match.1).inserted, "twice: \(line)")
        }
        #expect(seen.count > 40)
    }

    @Test func aNodeThatCameBackContinuesItsSeries() {
        let lines = lines([job(1, .running, [row(1, "ana", 5, .gone), row(2, "ana", 7, .computing)])])
        let name = "session=\"Monty\",job=\"\(JobID(1).text)\",node=\"ana\""
        #expect(lines.contains("potluck_node_trials_total{\(name)} 12"))
        #expect(lines.contains("potluck_node_cores{\(name)} 2"))
    }

    @Test(arguments: [("plain", "plain"), ("a\"b", "a\\\"b"), ("a\\b", "a\\\\b"), ("a\nb", "a\\nb"), ("Ω🥘", "Ω🥘")])
    func labelsAreEscaped(_ value: String, _ escaped: String) { #expect(MetricsText.escaped(value) == escaped) }

    @Test func aLostCoordinatorIsSaid() {
        let lines = lines([job(1, .running), job(2, .running)], lost: [JobID(2)])
        #expect(lines.contains("potluck_job_contact_lost{session=\"Monty\",job=\"\(JobID(1).text)\"} 0"))
        #expect(lines.contains("potluck_job_contact_lost{session=\"Monty\",job=\"\(JobID(2).text)\"} 1"))
    }

    @Test func theWordsOfAllStatesAreKnown() {
        let states: [JobState] = [
            .waiting(.simulation), .running, .paused, .stopping, .done(.trials), .failed("why"),
        ]
        #expect(states.map(\.word) == JobState.words)
    }

    /// A file that nobody can write, or that holds something else, is an error at once.
    @Test(arguments: [
        ("watch Monty --metrics FOLDER/m.txt", 2, "must end in .prom"),
        ("watch Monty --metrics FOLDER/.prom", 2, "must end in .prom"),
        ("watch Monty --metrics", 2, "--metrics"),
        ("watch Monty --metrics FOLDER/nowhere/m.prom", 1, "cannot write"),
        ("watch Monty --metrics FOLDER/other.prom", 1, "holds no metrics of potluck"),
        ("watch Monty --metrics FOLDER/folder.prom", 1, "holds no metrics of potluck"),
    ])
    func mistakesAreOneLine(_ line: String, _ code: Int, _ complaint: String) throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "node_up 1\n".write(toFile: folder + "/other.prom", atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: folder + "/folder.prom", withIntermediateDirectories: true)
        let outcome = try room.run(line.replacing("FOLDER", with: folder), "lab")
        #expect(outcome.code == Int32(code))
        #expect(outcome.stderr.contains(complaint), "\(outcome.stderr)")
        #expect(outcome.stderr.filter { $0 == "\n" }.count == 1)
        #expect(try String(contentsOfFile: folder + "/other.prom", encoding: .utf8) == "node_up 1\n")
    }

    /// The file is there before the first line about the job, in place of one that a killed command left, and gone when
    /// the command has ended. On a machine without a node of the session it is the same.
    @Test(arguments: ["lab", "eve"]) func aSessionsFile(_ laptop: String) throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/potluck.prom"
        try (MetricsText.start + "old\n").write(toFile: path, atomically: true, encoding: .utf8)
        let server = try room.node("serve Monty --run monty-hall --trials 1e17 --seed 1", "lab")
        server.reader.read { $0.contains("\"running\"") }
        let watch = Pipe()
        let watching = try room.start(["watch", "monty", "--json", "--metrics", path], laptop, watch)
        watch.reader.read { $0.contains("\"running\"") }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("simulation=\"monty-hall\",submitter=\"lab\"} 1\n"), "\(text)")
        #expect(text.contains("potluck_jobs{session=\"Monty\"} 1\n"), "\(text)")
        #expect(text.contains("state=\"running\"} 1\n") && text.contains(",node=\"lab\"} "), "\(text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["potluck.prom"])
        watching.send(SIGTERM)
        #expect(watching.wait() == 143)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        end(server.child)
    }

    private func folder() throws -> String {
        let path = "/tmp/potluck-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
