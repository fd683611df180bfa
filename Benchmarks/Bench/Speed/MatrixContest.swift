import Glibc
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckMachine

extension SpeedBench {
    static let size = 1024
    /// What a product of that size computes: a multiplication and an addition for each number of a column and a row.
    static var operations: Double { 2 * Double(size * size * size) }

    /// Compares the matrix product with OpenBLAS on one thread, and measures it in the sandbox. The numbers are whole and
    /// small: their sums are exact in any order, so that both must have the same trace and sum.
    mutating func compareMatrices() {
        let tables = [Self.matrix(by: 7), Self.matrix(by: 11)]
        let what = "matrix product of \(Self.size)"
        let native = product(Self.matrixProduct, tables, "Swift")
        if let blas = openBLAS(tables) {
            let times = contest([native, blas], blocks: 1, rounds: rounds)
            let ratios = zip(times[1].rounds, times[0].rounds).map { $0 / $1 }
            let range = "\(hundredths(ratios.min() ?? 0)) to \(hundredths(ratios.max() ?? 0))"
            Figure(
                what: what, value: ratios.median, unit: "times OpenBLAS", bound: .atLeast(0.35),
                remark: "\(Vectors.chosen), \(speed(times[0])) and \(speed(times[1])), \(range)"
            ).report()
        } else {
            table.add(what, missing: "libopenblas0-serial is not installed")
        }
        withModule("\(what), sandbox", file: "Plugins/MatrixProduct/MatrixProduct.swift") { bench, module in
            let plugin = try Plugin(module, label: "matrix-product")
            let times = contest(
                [bench.product(plugin.simulation, tables, "sandbox"), native], blocks: 1, rounds: bench.rounds)
            Figure(
                what: "\(what), sandbox", value: Self.operations / times[0].rounds.median / 1e9, unit: "GFLOP/s",
                bound: .atLeast(3), remark: "128-bit vectors; natively \(bench.speed(times[1]))"
            ).report()
        }
    }

    private func speed(_ times: Times) -> String { "\(tenths(Self.operations / times.rounds.median / 1e9)) GFLOP/s" }

    static func matrix(by step: Int) -> PotluckKit.Table {
        let numbers = (0..<size * size).map { Double(($0 * step + $0 / size) % 17 - 8) }
        return PotluckKit.Table(rows: size, columns: size, numbers: numbers)
    }

    /// The built-in simulation with the lanes of this CPU.
    static var matrixProduct: AnySimulation { builtIn("matrix-product", .chosen) }

    static func prepared(_ simulation: AnySimulation, _ tables: [PotluckKit.Table]) -> PreparedSimulation {
        guard let prepared = try? simulation.prepared(simulation.standardParameters, tables: tables) else {
            fail("matrix-product does not take its tables")
        }
        return prepared
    }

    /// The whole product, with its output and its exact sums. The result are the bits of trace and sum.
    private func product(
        _ simulation: AnySimulation, _ tables: [PotluckKit.Table], _ name: String
    ) -> Contestant {
        let prepared = Self.prepared(simulation, tables)
        let blocks = UInt64(Self.size / prepared.blockSize)
        return Contestant(name: name) { _ in
            var slots: [UInt64] = prepared.layout.empty
            var block: UInt64 = 0
            while block < blocks {
                let reply = prepared.run(ChunkRequest(seed: 0, blocks: block..<blocks, trials: nil)) { false }
                if let failure = reply.failure { fail(failure.reason) }
                prepared.layout.merge(reply.slots, into: &slots)
                block = reply.end
            }
            return prepared.read(slots, UInt64(Self.size)).map { ($0.value ?? .nan).bitPattern }
        }
    }

    /// `cblas_dgemm` of the library on this machine; nil if there is none.
    private func openBLAS(_ tables: [PotluckKit.Table]) -> Contestant? {
        typealias Multiply =
            @convention(c) (
                _ order: Int32, _ transposeA: Int32, _ transposeB: Int32, _ m: Int32, _ n: Int32, _ k: Int32,
                _ alpha: Double, _ a: UnsafePointer<Double>, _ lda: Int32, _ b: UnsafePointer<Double>, _ ldb: Int32,
                _ beta: Double, _ c: UnsafeMutablePointer<Double>, _ ldc: Int32
            ) -> Void
        guard let library = dlopen("libopenblas.so.0", RTLD_NOW), let symbol = dlsym(library, "cblas_dgemm") else {
            return nil
        }
        if let threads = dlsym(library, "openblas_set_num_threads") {
            unsafeBitCast(threads, to: (@convention(c) (Int32) -> Void).self)(1)
        }
        let multiply = unsafeBitCast(symbol, to: Multiply.self)
        let size = Int32(Self.size)
        return Contestant(name: "OpenBLAS") { _ in
            var c = [Double](repeating: 0, count: Self.size * Self.size)
            multiply(101, 111, 111, size, size, size, 1, tables[0].numbers, size, tables[1].numbers, size, 0, &c, size)
            let trace = (0..<Self.size).reduce(0.0) { $0 + c[$1 * (Self.size + 1)] }
            return [trace, c.reduce(0, +)].map(\.bitPattern)
        }
    }
}
