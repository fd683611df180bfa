import Foundation
import Synchronization
import Testing

@testable import PotluckKit

/// A program that ran on a stage, with the result of each rank.
struct Played<Result: Sendable> {
    let end: Stage.End
    /// The results of the ranks that finished.
    let results: [Result?]
    let log: [String]
    let stage: Stage

    /// - Parameter order: the seed of the order of messages; the program's seed if it is nil.
    init(
        _ size: Int, seed: UInt64, order: UInt64? = nil, restored: [[UInt8]]? = nil, arguments: [String] = [],
        _ program: @escaping @Sendable (Communicator) -> Result
    ) {
        let results = Mutex([Result?](repeating: nil, count: size))
        let box = Box(results: results)
        stage = Stage(size: size, seed: order ?? seed, restored: restored)
        end = stage.run { port in
            let result = program(Communicator(World(port: port, seed: seed, arguments: arguments)))
            box.results.withLock { $0[port.rank] = result }
        }
        self.results = box.results.withLock { $0 }
        log = stage.log
    }

    private final class Box: Sendable {
        let results: Mutex<[Result?]>
        init(results: consuming Mutex<[Result?]>) { self.results = results }
    }
}

/// Runs a program that must finish. Returns the results of all ranks.
func play<Result: Sendable>(
    _ size: Int, seed: UInt64, _ program: @escaping @Sendable (Communicator) -> Result,
    at place: SourceLocation = #_sourceLocation
) throws -> [Result] {
    let played = Played(size, seed: seed, program)
    #expect(played.end == .finished, "\(played.log)", sourceLocation: place)
    return try played.results.map { try #require($0, sourceLocation: place) }
}

/// The numbers of ranks that every law is tested with.
let sizes = Array(1...17)

/// Combines values with the brackets that the contract names.
func tree<Value>(_ values: ArraySlice<Value>, _ combine: (Value, Value) -> Value) -> Value {
    if values.count == 1 { return values[values.startIndex] }
    var half = 1
    while half * 2 < values.count { half *= 2 }
    let middle = values.startIndex + half
    return combine(tree(values[..<middle], combine), tree(values[middle...], combine))
}
