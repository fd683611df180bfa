import Glibc
import PotluckCatalogue
import PotluckKit

extension Contestant {
    /// A simulation of the catalogue, or one written here in the style of an author.
    static func swift(_ simulation: AnySimulation) -> Contestant {
        guard let prepared = try? simulation.prepared(simulation.standardParameters) else {
            fail("\(simulation.name) does not take its own parameters")
        }
        return Contestant(name: "Swift") { blocks in
            prepared.run(ChunkRequest(seed: seed, blocks: blocks, trials: nil)) { false }.slots
        }
    }

    /// The count of the built-in sieve.
    static func primes(below limit: Double) -> Contestant {
        let simulation = builtIn("primes", .plain)
        guard
            let prepared = try? simulation.prepared([limit.bitPattern] + simulation.standardParameters.dropFirst()),
            prepared.blockSize == Block.largestGathered
        else { fail("there are no primes") }
        return Contestant(name: "Swift") { blocks in
            let reply = prepared.run(ChunkRequest(seed: 0, blocks: blocks, trials: nil)) { false }
            return Array(reply.slots.prefix(1))
        }
    }

    /// A built-in simulation with plain trials, or as the library of lanes for such vectors runs it.
    static func catalogue(_ name: String, _ vectors: Vectors) -> Contestant {
        swift(builtIn(name, vectors))
    }

    /// The references in C, one for each way in which they were compiled: `monty-hall.gcc.so`,
    /// `monty-hall.gcc-native.so` and so on in the folder of references.
    static func c(_ file: String, in folder: String, slots: Int, setting: UInt32 = 0) -> [Contestant] {
        ["clang", "clang-native", "gcc", "gcc-native"].compactMap { compiler in
            let path = "\(folder)/\(file).\(compiler).so"
            guard access(path, R_OK) == 0 else { return nil }
            let compute = reference("reference", in: path, as: Reference.self)
            return Contestant(name: "C, \(compiler)") { blocks in
                var counts = [UInt64](repeating: 0, count: slots)
                compute(seed, blocks.lowerBound, UInt64(blocks.count), setting, &counts)
                return counts
            }
        }
    }

    private typealias Reference =
        @convention(c) (
            _ seed: UInt64, _ first: UInt64, _ blocks: UInt64, _ setting: UInt32, _ counts: UnsafeMutablePointer<UInt64>
        ) -> Void

    private static let seed: UInt64 = 2010
}
