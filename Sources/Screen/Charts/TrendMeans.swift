import PotluckCore
import PotluckKit

extension Trends {
    /// Puts the mean of the runs of each value in the place of these runs, with Student's 95 % interval from the scatter
    /// between them. A run alone keeps its own interval. `runs` are those that the trends were made of.
    public func means(_ runs: [(id: Int64, run: RunRecord)]) -> [Trend] {
        let digests = Dictionary(runs.map { ($0.id, $0.run.digest) }) { first, _ in first }
        return all.map { trend in
            var means = trend
            means.points = []
            var rest = trend.points[...]
            while let first = rest.first {
                let group = rest.prefix { $0.x == first.x }
                rest = rest.dropFirst(group.count)
                means.points.append(Self.mean(Array(group), isMeasured: trend.isMeasured, digests))
            }
            return means
        }
    }

    /// The same run computed twice has the same readings, and counts once: its repetition says nothing new. Its time was
    /// measured twice.
    private static func mean(_ group: [Trend.Point], isMeasured: Bool, _ digests: [Int64: String]) -> Trend.Point {
        var seen: Set<String> = []
        let runs = group.filter { point in
            point.reading.value?.isFinite == true
                && (isMeasured || seen.insert(digests[point.run] ?? "").inserted)
        }
        var moments = Moments()
        for point in runs { moments.add(point.reading.value ?? 0) }
        guard runs.count > 1, let mean = moments.mean, let half = moments.halfWidth else {
            return runs.first ?? group[0]
        }
        let first = group[0].reading
        let isShared = runs.allSatisfy { $0.reading.exact == first.exact }
        var point = runs[0]
        point.runs = runs.count
        point.reading = Reading(
            name: first.name, kind: first.kind, value: mean, interval: (mean - half)...(mean + half),
            exact: isShared ? first.exact : nil)
        return point
    }
}
