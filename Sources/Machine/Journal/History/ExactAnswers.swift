import PotluckCore
import PotluckKit

extension RunRecord {
    /// Returns the record with the exact answers of these readings where it has none; nil if it lacks none of them. The
    /// exact answer to a reading is the same at every checkpoint.
    func completed(with readings: [Reading]) -> RunRecord? {
        var exact: [String: Double] = [:]
        for reading in readings { if let answer = reading.exact { exact[reading.name] = answer } }
        let lacks = self.readings.contains { $0.exact == nil && exact[$0.name] != nil }
        guard lacks else { return nil }
        var run = self
        run.readings = self.readings.map { $0.completed(with: exact[$0.name]) }
        run.course = course.map { point in
            CoursePoint(
                trials: point.trials, readings: point.readings.map { $0.completed(with: exact[$0.name]) },
                elapsed: point.elapsed)
        }
        return run
    }
}

extension Reading {
    fileprivate func completed(with answer: Double?) -> Reading {
        Reading(
            name: name, kind: kind, value: value, interval: interval, exact: exact ?? answer, varies: varies,
            isSpoilt: isSpoilt, bins: bins, range: range)
    }
}
