import PotluckCore
import PotluckKit
import PotluckMachine

/// Records a run in the history.
package enum RunRecorder {
    /// Returns lines for the user: that an older store was upgraded, or why recording failed. A failure does not affect
    /// the result. `mayBeKnown` means that the run may replace its own record from before it was resumed.
    package static func record(_ run: RunRecord, mayBeKnown: Bool = false, at path: () throws -> String) -> [String] {
        guard run.trials > 0 else { return [] }
        return write(at: path) { history throws(StoreError) in
            if mayBeKnown { try history.record(goneOnWith: run) } else { try history.record(run) }
        }
    }

    /// Adds exact answers to a run that was recorded while they were hidden. Returns lines for the user, as `record` does.
    package static func complete(_ key: String, with readings: [Reading], at path: () throws -> String) -> [String] {
        write(at: path) { history throws(StoreError) in try history.complete(key, with: readings) }
    }

    private static func write(
        at path: () throws -> String, _ body: (History) throws(StoreError) -> Void
    ) -> [String] {
        do {
            let history = try History.open(at: path())
            try body(history)
            return history.notices
        } catch let error as Failure {
            return ["cannot record this run: \(error.message)"]
        } catch {
            return ["cannot record this run: \(error)"]
        }
    }
}

extension History {
    /// The name of the file in a state folder.
    package static let file = "history.db"
}
