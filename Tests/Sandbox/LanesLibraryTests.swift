import Foundation
import PotluckCatalogue
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// The libraries of lanes for the tests, made by `Tools/lanes`.
enum MadeLanes {
    /// The kinds of library that this CPU can run.
    static let kinds = Vectors.available.filter { $0 != .plain }
    static let folder = Made.folder + "/lanes"

    static func path(_ kind: Vectors) -> String { "\(folder)/potluck-lanes-\(kind).so" }

    /// Whether all of them could be made.
    static let areMade: Bool = {
        let script = Made.root.appending(path: "Tools/lanes").path
        guard !kinds.isEmpty, (try? Made.run("/bin/bash", [script, folder] + kinds.map(\.rawValue))) != nil else {
            return false
        }
        return kinds.allSatisfy { FileManager.default.fileExists(atPath: path($0)) }
    }()
}

/// The libraries with the lanes of built-in simulations.
@Suite(.enabled(if: MadeLanes.areMade, "this machine makes no libraries of lanes"), .timeLimit(.minutes(60)))
struct LanesLibraryTests {
    private static func library(_ kind: Vectors) throws -> LanesLibrary {
        try #require(LanesLibrary.find(in: ["/nonexistent", MadeLanes.path(kind)], madeOf: lanesSources))
    }

    /// The built-in simulations with lanes, each with plain trials and as the library runs it.
    private static func pairs(_ kind: Vectors) throws -> [(plain: AnySimulation, lanes: AnySimulation)] {
        let library = try library(kind)
        return catalogue.compactMap { plain in library.simulation(plain).map { (plain, $0) } }
    }

    /// Whole blocks, short ones and blocks far away, under many seeds and parameters.
    @Test(arguments: MadeLanes.kinds) func aLibraryGivesTheBytesOfPlainTrials(_ kind: Vectors) throws {
        var random = SeededGenerator(seed: 87)
        let pairs = try Self.pairs(kind)
        #expect(pairs.contains { $0.plain.name == "monty-hall" })
        for (plain, lanes) in pairs {
            #expect(lanes.name == plain.name && lanes.source == plain.source && lanes.layout == plain.layout)
            for round in 0..<12 {
                let slots = round < 4 ? plain.standardParameters : Parameters.some(of: plain, &random)
                let (theirs, ours) = (try plain.prepared(slots), try lanes.prepared(slots))
                #expect(ours.blockSize == theirs.blockSize)
                let first = random.next(below: 1 << 34)
                let size = UInt64(theirs.blockSize)
                let trials = round % 2 == 0 ? nil : (first + 1) * size - random.next(below: size)
                let request = ChunkRequest(seed: random.next(), blocks: first..<first + 1, trials: trials)
                #expect(
                    ours.run(request) { false } == theirs.run(request) { false },
                    "\(kind), \(plain.name) \(slots) \(request)")
            }
            // A job that ends within its first lanes, and a chunk behind the end.
            for (trials, blocks) in [(1, 0..<1), (15, 0..<1), (16, 0..<1), (17, 0..<2), (5, 1..<3)]
                as [(UInt64, Range<UInt64>)]
            {
                let request = ChunkRequest(seed: 4, blocks: blocks, trials: trials)
                let (theirs, ours) = (
                    try plain.prepared(plain.standardParameters), try lanes.prepared(plain.standardParameters)
                )
                #expect(
                    ours.run(request) { false } == theirs.run(request) { false }, "\(kind), \(plain.name) \(trials)")
            }
        }
    }

    @Test(arguments: MadeLanes.kinds) func aChunkStopsBetweenTwoBlocks(_ kind: Vectors) throws {
        for (plain, lanes) in try Self.pairs(kind) {
            let prepared = try lanes.prepared(plain.standardParameters)
            let whole = ChunkRequest(seed: 3, blocks: 7..<40, trials: nil)
            _ = prepared.run(ChunkRequest(seed: 3, blocks: 7..<8, trials: nil)) { false }
            var asked = 0
            let reply = prepared.run(whole) {
                asked += 1
                return asked > 2
            }
            let part = ChunkRequest(seed: 3, blocks: 7..<9, trials: nil)
            #expect(try reply == plain.prepared(plain.standardParameters).run(part) { false }, "\(plain.name)")
        }
    }

    /// Many threads prepare and run at once.
    @Test(arguments: MadeLanes.kinds) func threadsDoNotDisturbEachOther(_ kind: Vectors) throws {
        for (plain, lanes) in try Self.pairs(kind) {
            var random = SeededGenerator(seed: 5)
            let settings = (0..<8).map { _ in Parameters.some(of: plain, &random) }
            let request = ChunkRequest(seed: 1, blocks: 2..<3, trials: nil)
            let wanted = try settings.map { try plain.prepared($0).run(request) { false } }
            DispatchQueue.concurrentPerform(iterations: 32) { index in
                let ours = try? lanes.prepared(settings[index % 8]).run(request) { false }
                #expect(ours == wanted[index % 8], "\(plain.name)")
            }
        }
    }

    @Test func simulationsWithoutLanesAreNotInTheLibrary() throws {
        let library = try Self.library(MadeLanes.kinds[0])
        for name in ["primes", "matrix-product", "tsp", "golomb"] {
            let simulation = try #require(catalogue.first { $0.name == name })
            #expect(library.simulation(simulation) == nil, "\(name)")
        }
    }

    @Test func aLibraryOfOtherSourcesIsNotUsed() throws {
        let other = String(repeating: "0", count: 64)
        #expect(LanesLibrary.find(in: [MadeLanes.path(MadeLanes.kinds[0])], madeOf: other) == nil)
        #expect(LanesLibrary.find(in: [], madeOf: lanesSources) == nil)
        #expect(LanesLibrary.find(in: ["/nonexistent"], madeOf: lanesSources) == nil)
    }

    /// Nothing that is cut short or changed is loaded, and the next place is tried.
    @Test func aDamagedLibraryIsNotUsed() throws {
        let good = MadeLanes.path(MadeLanes.kinds[0])
        let octets = Array(try Data(contentsOf: URL(filePath: good)))
        let damaged = "\(MadeLanes.folder)/damaged-\(UUID().uuidString).so"
        defer { try? FileManager.default.removeItem(atPath: damaged) }
        var flipped = octets
        flipped[octets.count / 2] ^= 1
        let cases = [[], Array(octets.prefix(100)), Array(octets.dropLast()), Array(octets.dropLast(4096)), flipped]
        for octets in cases {
            try Data(octets).write(to: URL(filePath: damaged))
            #expect(LanesLibrary.find(in: [damaged], madeOf: lanesSources) == nil, "\(octets.count)")
            #expect(LanesLibrary.find(in: [damaged, good], madeOf: lanesSources) != nil)
        }
    }

    /// What others can write is not loaded, and nothing waits for who writes to a pipe.
    @Test func onlyAFileOfOnesOwnIsLoaded() throws {
        let good = MadeLanes.path(MadeLanes.kinds[0])
        let folder = "\(MadeLanes.folder)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (copy, pipe) = (folder + "/copy.so", folder + "/pipe.so")
        try FileManager.default.copyItem(atPath: good, toPath: copy)
        #expect(mkfifo(pipe, 0o600) == 0)
        for (mode, isLoaded) in [(0o644, true), (0o646, false), (0o600, true)] as [(mode_t, Bool)] {
            #expect(chmod(copy, mode) == 0)
            #expect((LanesLibrary.find(in: [pipe, folder, copy], madeOf: lanesSources) != nil) == isLoaded, "\(mode)")
        }
        // Only root can give a file away.
        guard geteuid() == 0 else { return }
        #expect(chown(copy, 12_345, 12_345) == 0)
        #expect(LanesLibrary.find(in: [copy], madeOf: lanesSources) == nil)
    }

    @Test func librariesAreTrustedLikeTheProgram() {
        func file(_ user: uid_t, _ group: gid_t, _ mode: mode_t) -> stat {
            var file = stat()
            (file.st_uid, file.st_gid, file.st_mode) = (user, group, S_IFREG | mode)
            return file
        }
        let (ours, shared) = (file(7, 70, 0o755), file(7, 70, 0o775))
        for (library, program, isTrusted) in [
            (file(1000, 100, 0o644), ours, true), (file(0, 0, 0o644), ours, true), (file(7, 1, 0o644), ours, true),
            (file(8, 70, 0o644), ours, false), (file(1000, 70, 0o664), ours, false),
            (file(1000, 70, 0o664), shared, true), (file(1000, 71, 0o664), shared, false),
            (file(0, 0, 0o646), shared, false), (file(8, 70, 0o664), shared, false),
        ] {
            let found = Installation.TrustedFile.isTrusted(library, beside: program, user: 1000)
            #expect(found == isTrusted, "\(library.st_uid) \(library.st_gid) \(library.st_mode)")
        }
    }
}

/// What is not what the plain trials give is not used.
@Suite struct LanesTrustTests {
    private static let request = ChunkRequest(seed: 1, blocks: 3..<6, trials: nil)

    /// A way to run chunks that counts what it was asked.
    private final class Counted: @unchecked Sendable {
        private(set) var asked: [Range<UInt64>] = []
        private let answer: UInt64
        init(_ answer: UInt64) { self.answer = answer }
        func run(_ request: ChunkRequest, _: () -> Bool) -> ChunkReply {
            asked.append(request.blocks)
            return ChunkReply(end: request.blocks.upperBound, slots: [answer])
        }
    }

    @Test func lanesAreComparedOnce() {
        let (plain, lanes, trust) = (Counted(4), Counted(4), LanesTrust("dice"))
        for _ in 0..<3 {
            let reply = trust.run(Self.request, { false }, plain: { plain.run($0, $1) }, lanes: { lanes.run($0, $1) })
            #expect(reply.end == 6 && reply.slots == [4])
        }
        #expect(plain.asked == [3..<4])
        #expect(lanes.asked == [3..<4, 3..<6, 3..<6, 3..<6])
    }

    @Test func wrongLanesAreNeverUsed() {
        let (plain, lanes, trust) = (Counted(4), Counted(5), LanesTrust("dice"))
        for _ in 0..<3 {
            let reply = trust.run(Self.request, { false }, plain: { plain.run($0, $1) }, lanes: { lanes.run($0, $1) })
            #expect(reply.end == 6 && reply.slots == [4])
        }
        #expect(plain.asked == [3..<4, 3..<6, 3..<6, 3..<6])
        #expect(lanes.asked == [3..<4])
    }

    /// A chunk without blocks proves nothing.
    @Test func nothingIsNotCompared() {
        let (plain, lanes, trust) = (Counted(4), Counted(5), LanesTrust("dice"))
        let nothing = ChunkRequest(seed: 1, blocks: 3..<3, trials: nil)
        _ = trust.run(nothing, { false }, plain: { plain.run($0, $1) }, lanes: { lanes.run($0, $1) })
        #expect(plain.asked == [3..<3] && lanes.asked.isEmpty)
    }
}
