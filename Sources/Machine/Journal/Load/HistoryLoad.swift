import Glibc
import PotluckCore

/// A load on a history, in the manner of TPC-C: 60 % of its transactions record a run, 10 % add a note, 15 % list runs by a
/// condition, 10 % read two runs and 5 % remove one.
public struct HistoryLoad {
    /// The highest number of a run so far.
    public private(set) var runs: UInt64
    private let history: History
    private let path: String

    /// How many runs are recorded at once while the store is built.
    private static let batch = 500

    /// Creates a store, or opens one with that many runs.
    public init(at path: String, runs: UInt64 = 0) throws(StoreError) {
        (self.path, self.runs) = (path, runs)
        history = try History.open(at: path)
    }

    /// The size of the store's file.
    public var bytes: Int64 {
        var found = stat()
        return stat(path, &found) == 0 ? Int64(found.st_size) : 0
    }

    /// Records runs until the store has that size, or until `isOver`.
    public mutating func build(bytes wanted: Int64, isOver: () -> Bool) throws(StoreError) {
        var mix = HistoryMix(seed: 1)
        repeat {
            try history.record((0..<Self.batch).map { _ in mix.run() })
            runs += UInt64(Self.batch)
        } while bytes < wanted && !isOver()
    }

    /// Makes transactions until `isOver`. Returns their number.
    public mutating func transactions(seed: UInt64, isOver: () -> Bool) throws -> Int {
        let names = try history.names().terms
        var mix = HistoryMix(seed: seed)
        var count = 0
        while !isOver() {
            switch mix.chance.next(below: 100) {
            case ..<60:
                try history.record(mix.run())
                runs += 1
            case ..<70:
                let note = RunNote(at: HistoryMix.start, text: "computed in the room by the window")
                _ = try history.note(Int64(1 + mix.chance.next(below: runs)), note)
            case ..<85: _ = try history.list(mix.query(names))
            case ..<95:
                for _ in 0..<2 { _ = try history.run(Int64(1 + mix.chance.next(below: runs))) }
            default: _ = try history.remove(Int64(1 + mix.chance.next(below: runs)))
            }
            count += 1
        }
        return count
    }
}

/// A folder for a store that is only measured. One process at a time has it.
public final class LoadFolder {
    /// Where the store is.
    public let store: String
    private let folder: String
    private let lock: FileLock

    /// Creates the folder in `parent`, without what a killed process left in it.
    public init(in parent: String) throws(StoreError) {
        folder = parent + "/bench"
        store = folder + "/history.db"
        lock = try FileLock(of: folder)
        clear()
        guard mkdir(folder, 0o700) == 0 else { throw StoreError(errno: errno, folder, cannot: "create it") }
    }

    deinit {
        clear()
        unlink(folder + ".lock")
    }

    private func clear() { File.removeFolder(folder) }
}
