import Glibc
import Potluck
import PotluckCatalogue
import PotluckKit
import PotluckMachine
import PotluckSystem

extension SpeedBench {
    /// What a matrix product costs on top of its multiplications: exact sums and output, tables and output on their way
    /// between nodes, and files. All are shares of what the multiplications alone take.
    mutating func compareMatrixExtras(potluck: String) {
        let names = ["product with sums and output", "product with travel", "product with files"]
        let tables = [Self.matrix(by: 7), Self.matrix(by: 11)]
        guard let multiplications = Self.lanesAlone(tables) else {
            for name in names { table.add(name, missing: "there is no library of lanes for this CPU") }
            return
        }
        var times = (alone: [Double](), whole: [Double](), travel: [Double]())
        for _ in 0..<rounds {
            var prepared = Self.prepared(Self.matrixProduct, tables)
            times.alone.append(time(multiplications))
            var outputs: [[UInt8]] = []
            times.whole.append(time { outputs = Self.run(prepared) })
            times.travel.append(time { prepared = Self.travel(tables, outputs) })
        }
        let alone = times.alone.median
        report(names[0], times.whole.median - alone, beside: alone)
        report(names[1], times.travel.median, beside: alone)
        let folder = references + "/matrices"
        mkdir(folder, 0o777)
        let files = [Self.drawnFile(1, folder, Self.size), Self.drawnFile(2, folder, Self.size)]
        let small = [Self.drawnFile(1, folder, 2), Self.drawnFile(2, folder, 2)]
        var (whole, beginning): ([Double], [Double]) = ([], [])
        for _ in 0..<min(rounds, 5) {
            whole.append(Self.command(potluck, files, folder))
            beginning.append(Self.command(potluck, small, folder))
        }
        // Starting the program is not counted.
        report(names[2], whole.median - beginning.median - alone, beside: alone)
    }

    private func report(_ what: String, _ extra: Double, beside alone: Double) {
        Figure(
            what: what, value: extra / alone, unit: "of the multiplications on top", bound: .atMost(0.25),
            remark: "\(tenths(extra * 1e3)) ms on top of \(tenths(alone * 1e3)) ms"
        ).report()
    }

    private func time(_ body: () -> Void) -> Double {
        let start = seconds(CLOCK_THREAD_CPUTIME_ID)
        body()
        return seconds(CLOCK_THREAD_CPUTIME_ID) - start
    }

    /// The multiplications by the lanes of this CPU; nil if there is no library for it.
    private static func lanesAlone(_ tables: [PotluckKit.Table]) -> (() -> Void)? {
        guard let multiply = LanesLibrary.own(for: Vectors.chosen.rawValue, madeOf: lanesSources)?.matrixProduct else {
            return nil
        }
        // Which numbers it multiplies does not matter, so B is not put into panels.
        let (rows, panels) = (32, size / 16)
        return {
            var sums = [Double](repeating: 0, count: rows * size)
            tables[0].numbers.withUnsafeBufferPointer { left in
                for row in stride(from: 0, to: size, by: rows) {
                    multiply(left.baseAddress! + row * size, rows, size, tables[1].numbers, panels, &sums)
                }
            }
        }
    }

    /// Returns the output of all blocks.
    private static func run(_ prepared: PreparedSimulation) -> [[UInt8]] {
        let blocks = UInt64(size / prepared.blockSize)
        var outputs: [[UInt8]] = []
        while outputs.count < blocks {
            let rest = UInt64(outputs.count)..<blocks
            outputs += prepared.run(ChunkRequest(seed: 0, blocks: rest, trials: nil)) { false }.outputs
        }
        return outputs
    }

    /// What the sender and the receiver of the tables do before the first block, and what both do with the output.
    private static func travel(_ tables: [PotluckKit.Table], _ outputs: [[UInt8]]) -> PreparedSimulation {
        let payload = tables.payload
        let sent = SHA256.hash(payload)
        guard SHA256.hash(payload) == sent, let received = [PotluckKit.Table](payload: payload) else {
            fail("the tables do not travel")
        }
        for output in outputs where SHA256.hash(output) != SHA256.hash(output) { fail("an output has two hashes") }
        return prepared(matrixProduct, received)
    }

    /// Writes a file of random numbers with all their digits.
    private static func drawnFile(_ draw: Int, _ folder: String, _ size: Int) -> String {
        let path = "\(folder)/\(draw)-\(size).txt"
        guard let file = fopen(path, "we") else { fail("cannot write \(path)") }
        defer { fclose(file) }
        var random = RandomStream(seed: UInt64(draw), block: 0, lane: 0)
        for _ in 0..<size {
            let row = (0..<size).map { _ in random.real(in: -1..<1).description }
            fputs(row.joined(separator: " ") + "\n", file)
        }
        return path
    }

    /// The processor time of the command that multiplies two files.
    private static func command(_ potluck: String, _ files: [String], _ folder: String) -> Double {
        let line =
            "'\(potluck)' run matrix-product --input 'a=\(files[0])' --input 'b=\(files[1])' --output '\(folder)/c.txt' "
            + "--force --cores 1 --ephemeral --quiet >/dev/null 2>&1"
        let before = childrenTime()
        guard system(line) == 0 else { fail("\(line) failed") }
        return childrenTime() - before
    }

    private static func childrenTime() -> Double {
        var usage = rusage()
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
    }
}
