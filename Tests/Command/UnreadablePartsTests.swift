import Glibc
import PotluckCore
import Testing

@testable import Potluck
@testable import PotluckCommand

/// `merge --watch` names a file that stays unreadable, and leaves one alone that is being copied.
@Suite struct UnreadablePartsTests {
    private let path = "/tmp/potluck-unreadable-\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
    private static let patience = UnreadableParts.patience

    /// Writes the file in place.
    private func write(_ octets: [UInt8]) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        guard Glibc.write(descriptor, octets, octets.count) == octets.count else {
            throw Trouble(what: "cannot write \(path)")
        }
    }

    /// Looks at the file that many times. Returns whether the last look could read it, and what the user was told.
    private func look(_ parts: inout UnreadableParts, times: Int = 1) -> (isRead: Bool, told: [String]) {
        var (isRead, told) = (false, [String]())
        for _ in 0..<times { isRead = parts.read(path) { told.append($0) } != nil }
        return (isRead, told)
    }

    private func whole() throws -> [UInt8] {
        let experiment = Experiment(
            simulation: SimulationIdentity(name: "pi", source: "ab", streams: 1), parameters: [7], seed: 5,
            blockSize: 64)
        let number = try #require(ShardNumber(1, of: 1))
        let run = PartialRun(
            job: PartialRun.Job(experiment: experiment, goal: Goal(trials: 640), typed: "pi"), number: number,
            slice: 0..<10, tally: [1, 2],
            checkpoints: Checkpoint.inside(0..<10).map { SettledTally(blocks: $0, tally: [1, 2]) },
            origin: PartialRun.Origin(host: "ana", cores: 1, startedAt: 0, elapsed: .seconds(1)))
        var octets: [UInt8] = []
        try PartialFile.write(try #require(run), to: { octets += $0 })
        return octets
    }

    @Test func aFileThatStaysDamagedIsNamedOnce() throws {
        defer { unlink(path) }
        var parts = UnreadableParts()
        let cases = [("potluck par", "is cut off; compute that shard again"), ("doors", "is not a partial file")]
        for (text, trouble) in cases {
            try write(Array(text.utf8))
            let early = look(&parts, times: Self.patience)
            #expect(early.told.isEmpty)
            let late = look(&parts, times: 3 * Self.patience)
            #expect(late.told.count == 1 && late.told[0].hasPrefix("\(path) \(trouble)"), "\(late.told)")
        }
    }

    @Test func aFileThatIsBeingCopiedIsNotNamed() throws {
        defer { unlink(path) }
        let octets = try whole()
        var parts = UnreadableParts()
        for count in octets.indices {
            try write(Array(octets[..<count]))
            let found = look(&parts, times: Self.patience)
            #expect(!found.isRead && found.told.isEmpty, "\(count) bytes")
        }
        try write(octets)
        let found = look(&parts)
        #expect(found.isRead && found.told.isEmpty)
    }

    /// The last look before the user is told reads the file again, even if its size and time are the same.
    @Test func aFileIsNotReadAgainWhileItIsTheSame() throws {
        defer { unlink(path) }
        var octets = try whole()
        var parts = UnreadableParts()
        octets[octets.count - 1] ^= 1
        try write(octets)
        let first = look(&parts)
        #expect(!first.isRead)
        var found = stat()
        _ = stat(path, &found)
        octets[octets.count - 1] ^= 1
        try write(octets)
        let times = [found.st_atim, found.st_mtim]
        _ = utimensat(AT_FDCWD, path, times, 0)
        let early = look(&parts, times: Self.patience - 1)
        let late = look(&parts)
        #expect(!early.isRead && late.isRead && late.told.isEmpty)
    }

    /// A link in the folder may lead to a file that is not there yet.
    @Test func aFileThatIsMissingIsNamedOnceAndReadWhenItIsThere() throws {
        defer { unlink(path) }
        var parts = UnreadableParts()
        let missing = look(&parts, times: 3 * Self.patience)
        #expect(missing.told.count == 1 && missing.told[0].contains("cannot be read: "), "\(missing.told)")
        try write(try whole())
        let there = look(&parts)
        #expect(there.isRead && there.told.isEmpty)
    }
}
