import Foundation
import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckRanks
import Testing

@testable import PotluckCommand

/// What a node makes of an order that came over the network.
@Suite(.enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps")) struct RankOrderTests {
    private func order(_ module: [UInt8]) throws -> RankOrder {
        RankOrder(
            LaunchedProgram(
                name: "mine", module: module, memory: PluginLimits.standardMemory, parameters: [5], seed: 1),
            map: RankMap(size: 2), nodes: [NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))], relay: nil, own: 0,
            isResumed: false)
    }

    private func why(_ order: RankOrder) -> String? {
        guard case .failure(let fault) = order.program(within: PluginLimits(), nil) else { return nil }
        return fault.description
    }

    @Test func anUnfitOrderIsRefusedBeforeItRuns() async throws {
        let author = try PluginAuthor()
        let path = author.folder + "/mine.swift"
        let text = """
            import PotluckKit

            struct Mine: RankProgram {
                static let name: StaticString = "mine"
                static let summary: StaticString = "Tries something."
                static let inputs = [Input("ends", "two numbers")]
                @Parameter("how", "what it does", in: 0...9) var how = 0

                func run(_ world: Communicator, _ output: inout Output) {
                    if let sum = world.reduce(world.rank + how, +) { output.line(sum) }
                }
            }

            """
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try EndToEndTests().run("build \(path)", environment: author.environment).code == 0)
        let module = [UInt8](try Data(contentsOf: URL(filePath: author.folder + "/mine.wasm")))

        let right = try order(module)
        let program = try right.program(within: PluginLimits(), nil).get()
        let output = try await RankLaunch(size: 2, cores: 2) { _ in }.run(program)
        #expect(String(decoding: output, as: UTF8.self) == "11\n")

        let table = Table(rows: 1, columns: 2, numbers: [1, 2])
        var orders: [(RankOrder, String?)] = []
        func add(_ why: String?, _ change: (inout RankOrder) -> Void) {
            var order = right
            change(&order)
            orders.append((order, why))
        }
        for parameters in [[], [5, 5]] as [[UInt64]] {
            add("mine takes 1 parameter") { $0.program.parameters = parameters }
        }
        add("parameter 'how' must be 0 to 9") { $0.program.parameters = [10] }
        add(nil) { $0.program.payload = [table].payload }
        add("mine takes 1 table") { $0.program.payload = [table, table].payload }
        for length in [1, 8, 16, 24, 31] {
            add("mine takes 1 table") { $0.program.payload = Array([table].payload.prefix(length)) }
        }
        // A node gives what it has, and an order cannot ask for less than a module needs to say what it is.
        for memory in [.min, 0, .max] as [Int] { add(nil) { $0.program.memory = memory } }
        for (order, reason) in orders { #expect(why(order) == reason) }

        var broken = right
        for length in [0, 8, module.count / 2] {
            broken.program.module = Array(module.prefix(length))
            let reason = try #require(why(broken))
            #expect(!reason.isEmpty && !reason.contains("\n"), "\(reason)")
        }
    }
}
