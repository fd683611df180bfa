import Potluck
import PotluckCore
import PotluckKit

extension PartialFile {
    /// Reads the file; throws an error for the user if it is none.
    init(named path: String) throws(Failure) {
        do throws(ReadError) {
            try self.init(path)
        } catch {
            throw Failure(message: "\(Spelling.path(path)) \(error)")
        }
    }

    /// Reads the file; nil if it is damaged. Throws an error for the user if it was never one.
    init?(undamaged path: String) throws(Failure) {
        do throws(ReadError) {
            try self.init(path)
        } catch {
            guard error.isDamage else { throw Failure(message: "\(Spelling.path(path)) \(error)") }
            return nil
        }
    }
}

/// Partial files of one job, with their names.
struct PartialCollection {
    let shared: PartialSimulation
    private(set) var merge: PartialMerge
    /// The files, in the order of `merge.runs`.
    private(set) var files: [PartialFile] = []

    init(_ shared: PartialSimulation) {
        self.shared = shared
        merge = PartialMerge(shared.job, layout: shared.layout)
    }

    mutating func add(_ file: PartialFile) throws {
        do throws(PartialMerge.MergeError) {
            try merge.add(file.run)
        } catch {
            throw Failure(message: words(error, file))
        }
        files.append(file)
    }

    private func words(_ misfit: PartialMerge.MergeError, _ file: PartialFile) -> String {
        let label = Spelling.path(file.path)
        switch misfit {
        case .foreign(let difference):
            let other = files.first.map { " than \(Spelling.path($0.path))" } ?? ""
            return "\(label) is the part of another job\(other): \(difference); leave it out"
        case .doubled(let index):
            return "\(label) and \(Spelling.path(files[index].path)) have the same blocks "
                + "(shards \(file.run.number) and \(files[index].run.number)); leave one of them out"
        case .wrongTally:
            return "\(label) has a tally that is not one of \(shared.chosen.simulation.name); leave it out"
        }
    }

    var run: MergedRun { MergedRun(merge, shared.chosen.simulation, shared.prepared) }

    /// Names the missing parts, in a few words: shards if all are parts of equally many, blocks otherwise.
    var missing: String {
        guard let blocks = merge.blocks else { return "more trials, because the precision is not reached" }
        let counts = Set(files.map(\.run.number.count))
        let ranges = merge.missing(below: blocks)
        if counts.count == 1, let count = counts.first {
            let there = Set(files.map(\.run.number.index))
            let absent = (1...count).filter { !there.contains($0) }
            let parts = absent.compactMap { ShardNumber($0, of: count)?.part(of: 0..<blocks) }.filter { !$0.isEmpty }
            // In rounds of a campaign the same numbers have other blocks.
            if parts.reduce(0, { $0 + $1.count }) == ranges.reduce(0, { $0 + $1.count }), !absent.isEmpty {
                let names = NameList.text(absent.map { "\($0)" })
                return (absent.count == 1 ? "shard " : "shards ") + names + " of \(count)"
            }
        }
        let names = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound - 1)" }
        return "blocks " + NameList.text(names)
    }

    /// Passes the output of all shards to `body`, in order.
    func output(_ body: ([UInt8]) throws -> Void) throws {
        for file in files.sorted(by: { $0.run.slice.lowerBound < $1.run.slice.lowerBound }) {
            do {
                try file.output(inRows: shared.prepared.writes == .rows, body)
            } catch let trouble as PartialFile.ReadError {
                throw JobError("\(Spelling.path(file.path)) \(trouble)")
            }
        }
    }
}
