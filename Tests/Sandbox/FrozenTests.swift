import Foundation
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// Version 1 of the interface is frozen. These modules were made when that happened, one of each shape: coins from
/// Examples/PluginInC, squares with `potluck build`, and salesman from C. They must always run, with the same records;
/// neither the modules nor the records are ever made again. A change that fails this test needs version 2.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps")) struct FrozenTests {
    private static let folder = Made.root.appending(path: "Tests/Sandbox/Version1")
    private static let file = folder.appending(path: "records.txt")

    private func octets(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Self.folder.appending(path: "\(name).wasm")))
    }

    /// The requests to each module, in the form in which this program makes them.
    private static let cases: [(name: String, parameters: [UInt64], requests: [RunRequest], tally: [UInt64])] = [
        (
            "coins", [3],
            [RunRequest(shape: .tally, seed: 7, first: 5, blocks: 2, trials: 5000)],
            [2, 0, 0, 3, 0, 0, 0, 0, 5, 0, 0] + [UInt64](repeating: 1, count: 34)
        ),
        ("squares", [5000], [RunRequest(shape: .collect, seed: 0, first: 1, blocks: 1, trials: 20)], [3]),
        (
            "salesman", [6, 2],
            [RunRequest(shape: .search, seed: 0, first: 3, blocks: 1, trials: 1, bound: RunReply.nothing)], [9]
        ),
    ]

    /// Returns a line for each call: module, function, request, answer.
    private func lines() throws -> [String] {
        var lines: [String] = []
        func note(_ name: String, _ function: String, _ request: [UInt64], _ answer: [UInt64]) {
            func text(_ slots: [UInt64]) -> String { slots.map { String($0, radix: 16) }.joined(separator: " ") }
            lines.append("\(name) \(function)(\(text(request))) = \(text(answer))")
        }
        for (name, parameters, requests, tally) in Self.cases {
            let module = try Module(octets(name), cache: nil)
            try module.withInstance(PluginLimits()) { instance throws(SandboxError) in
                let description = try instance.record("potluck_describe")
                note(name, "potluck_describe", [], description)
                let declaration = try Declaration(description)
                let settings = ModuleConfiguration(parameters: parameters).record
                note(name, "potluck_configure", settings, try instance.record("potluck_configure", settings))
                for var request in requests {
                    while true {
                        let answer = try instance.record("potluck_run", request.record)
                        note(name, "potluck_run", request.record, answer)
                        let reply = try RunReply(answer, to: request, slots: declaration.layout.slots)
                        guard reply.hasMore else { break }
                        request.payload = reply.rest
                    }
                }
                let read = [100, UInt64(tally.count)] + tally
                let readings = try instance.record("potluck_read", read)
                note(name, "potluck_read", read, readings)
                _ = try ReadingRecords.readings(readings, declared: declaration.readings)
            }
        }
        return lines
    }

    @Test func recordsStayTheSame() throws {
        let lines = try lines()
        if ProcessInfo.processInfo.environment["POTLUCK_RECORDS"] == "write" {
            try (lines.joined(separator: "\n") + "\n").write(to: Self.file, atomically: false, encoding: .utf8)
            Issue.record("records.txt was written again; look at the difference")
            return
        }
        let known = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines == known)
    }

    /// The two shapes that nodes can share out run.
    @Test func storedModulesRun() throws {
        let coins = try Plugin(octets("coins"), label: "coins").simulation
        #expect(LawCheck(try coins.prepared([20]), depth: .quick).isKept)
        let squares = try Plugin(octets("squares"), label: "squares").simulation
        let prepared = try squares.prepared([5000])
        #expect(prepared.units == 5000 && prepared.writes == .text && prepared.blockSize == 4096)
        let reply = prepared.run(ChunkRequest(seed: 0, blocks: 0..<2, trials: 5000)) { false }
        let expected = (0..<5000).map { "\($0 * $0)\n" }.joined()
        #expect(String(decoding: reply.outputs.joined(), as: UTF8.self) == expected)
    }

    /// The guide contains the tested example.
    @Test func theGuideHasTheExample() throws {
        let guide = try String(contentsOf: Made.root.appending(path: "docs/PLUGINS.md"), encoding: .utf8)
        let source = try String(contentsOf: Self.folder.appending(path: "Squares.swift"), encoding: .utf8)
        let code = source.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("struct") }
        let text = code.dropLast().map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
        #expect(guide.contains(text))
    }
}
