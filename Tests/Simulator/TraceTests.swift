import Foundation
import PotluckCore
import Testing

@testable import PotluckEngine
@testable import PotluckSimulation

/// The events of a node can be recorded and replayed.
@Suite struct TraceTests {
    @Test(arguments: [1, 3, 8, 21] as [UInt64]) func aTraceIsReplayed(seed: UInt64) throws {
        for text in Schedule.traces(seed: seed) {
            let trace = try Trace(text)
            let divergence = trace.replay()
            #expect(divergence == nil, "event \(divergence?.step ?? 0)")
        }
    }

    @Test func aReplayThatGoesDifferentlySaysWhere() throws {
        let text = try #require(Schedule.traces(seed: 5).max { $0.count < $1.count })
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // All but the first few events of a node depend on earlier ones.
        lines.removeSubrange(4..<lines.count / 2)
        let divergence = try Trace(lines.joined(separator: "\n")).replay()
        #expect(divergence != nil)
    }

    @Test func aTraceThatBreaksOffIsReadUpToThere() throws {
        let text = try #require(Schedule.traces(seed: 1).first { $0.count > 2000 })
        let whole = try Trace(text)
        let part = try Trace(String(text.dropLast(7)))
        #expect(part.steps.count == whole.steps.count - 1)
        #expect(part.replay() == nil)
    }

    /// Without what the server kept, a replay would ask the host again.
    @Test func aTraceBeginsWithTheKeptSession() throws {
        let nodes = (0..<3).map { NodeID(firstOctetsOf: [UInt8](repeating: $0, count: 16)) }
        for approved in [[], nodes] {
            let session = SessionSetup(
                node: nodes[0], name: "lab", cores: 2, session: SessionHash(firstOctetsOf: [7, 7, 7, 7, 7, 7, 7, 7]),
                mode: .server, founding: Founding(5), asks: true, approved: approved, seed: 9)
            let setup = EngineSetup(node: nodes[0], name: "lab", cores: 2, session: session, seed: 9)
            let read = try Trace(TraceWriter(setup, now: .start).header).setup.session
            #expect(read?.approved == approved && read?.asks == true && read?.seed == 9)
        }
    }

    @Test(arguments: [
        ("", 1), ("potluck trace 1\nsetup 0 00\n", 1), ("potluck trace 3\nsetup 0 zz\n", 2),
        ("potluck trace 3\nsetup 0 00\n", 2),
    ])
    func textThatIsNoTraceIsRefusedWithItsLine(text: String, line: Int) {
        #expect { try Trace(text) } throws: { ($0 as? Trace.ReadError)?.line == line }
    }

    @Test func aWrongLineIsNamed() throws {
        let text = try #require(Schedule.traces(seed: 1).first)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for wrong in ["x", "1 2", "1 zz 00", "1 ff 00", "1 08 gg", "1 0800 00"] {
            lines[3] = wrong
            #expect { try Trace(lines.joined(separator: "\n")) } throws: { ($0 as? Trace.ReadError)?.line == 4 }
        }
    }

    /// Swift seeds its hashing differently in each process. No event may depend on it.
    @Test(arguments: [["RUNS": "12"], ["RUNS": "150", "RANKS": "1"]])
    func aSeedIsTheSameInEveryProcess(sweep: [String: String]) throws {
        let first = try sim(sweep.merging(["SEED": "1"]) { $1 })
        #expect(first.contains("trace hash"))
        #expect(try sim(sweep.merging(["SEED": "1"]) { $1 }) == first)
        #expect(try sim(sweep.merging(["SEED": "2"]) { $1 }) != first)
    }

    /// A trap ends only its own schedule and counts as a failure.
    @Test func aTrapIsThatSchedulesFailure() throws {
        let report = try sim(["SEED": "1", "RUNS": "6", "POTLUCK_SIM_TRAP": "3"])
        #expect(report.contains("6 schedules, 1 failed"))
    }

    /// `potluck-sim --help` began a sweep of ten thousand schedules.
    @Test func argumentsAreRefused() throws {
        #expect(try sim(["RUNS": "1"], ["--help"]) == "")
    }

    private func sim(_ environment: [String: String], _ arguments: [String] = []) throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(
            "potluck-sim")
        process.environment = environment
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let octets = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: octets, as: UTF8.self)
    }
}
