import PotluckCore
import PotluckKit

/// A reading over many runs, in the order of a chart's horizontal axis.
public struct Trend: Sendable, Equatable {
    /// The reading of one run.
    public struct Point: Sendable, Equatable {
        public let run: Int64
        /// Milliseconds since 1970.
        public let at: Int64
        var reading: Reading
        /// The place on the horizontal axis.
        let x: Double
        /// The text of that place: the run's number, or the value of the parameter.
        public let label: String
        /// How many runs the reading is the mean of.
        var runs = 1
    }

    /// The reading's name.
    public let name: String
    /// The parameter or the figure on the horizontal axis; nil if the runs are in order of time.
    public let parameter: String?
    var points: [Point]
    /// Whether it shows a figure such as a time, which the same run has anew each time.
    var isMeasured = false

    /// What the horizontal axis shows. Runs of a loop have equal dates, so their numbers stand along the axis, and the
    /// dates of the first and the last run beside its name.
    func axis(_ date: (Int64) -> String) -> String {
        if let parameter { return points.contains { $0.runs > 1 } ? "\(parameter), means of \(runs) runs" : parameter }
        guard let first = points.first, let last = points.last else { return "runs" }
        let (start, end) = (date(first.at), date(last.at))
        return "runs by number, " + (start == end ? start : "\(start) … \(end)")
    }

    /// The runs of all points.
    var runs: Int { points.reduce(0) { $0 + $1.runs } }
}

/// The trends of a simulation's runs, and what to know about them.
public struct Trends: Sendable {
    /// One for each reading except histograms.
    public let all: [Trend]
    /// The runs that lack the parameter of the horizontal axis.
    public let lacking: Int
    /// The other parameters whose values differ between the runs.
    public let differing: [String]

    /// `runs` are in order of time. `parameter` names the horizontal axis, a parameter or a figure; nil for the order of
    /// time. `figure` is shown instead of the readings.
    public init(
        _ runs: [(id: Int64, run: RunRecord)], by parameter: String? = nil, showing figure: RunFigure? = nil
    ) {
        let placed = Self.placed(runs, parameter)
        var all: [Trend] = []
        for (id, run, x, label) in placed {
            let readings = figure.map { [$0.reading(run)] } ?? run.readings
            for reading in readings where reading.kind.isNumber {
                let point = Trend.Point(run: id, at: run.startedAt, reading: reading, x: x, label: label)
                if let index = all.firstIndex(where: { $0.name == reading.name }) {
                    all[index].points.append(point)
                } else {
                    all.append(
                        Trend(
                            name: reading.name, parameter: parameter, points: [point], isMeasured: figure != nil))
                }
            }
        }
        self.all = all
        lacking = runs.count - placed.count
        differing = GivenValues(runs.map(\.run.given)).differing.filter { $0 != parameter }
    }

    private typealias Placed = (id: Int64, run: RunRecord, x: Double, label: String)

    /// The runs with their places, in the order of the axis. Runs of equal value stay in order of time.
    private static func placed(_ runs: [(id: Int64, run: RunRecord)], _ parameter: String?) -> [Placed] {
        guard let parameter else {
            return runs.enumerated().map { ($1.id, $1.run, Double($0), "\($1.id)") }
        }
        let figure = RunFigure(parameter)
        let found = runs.compactMap { id, run in
            (run.effective.first { $0.name == parameter } ?? figure?.parameter(run)).map {
                (id: id, run: run, value: $0)
            }
        }
        // Choices have no numbers: they stand beside each other in alphabetical order.
        let texts = Set(found.map(\.value.text)).sorted()
        let places = Dictionary(zip(texts, texts.indices.map(Double.init))) { $1 }
        let isNumeric = found.allSatisfy { $0.value.number?.isFinite == true }
        let placed = found.map { id, run, value -> Placed in
            (id, run, (isNumeric ? value.number : nil) ?? places[value.text] ?? 0, value.text)
        }
        return placed.enumerated().sorted { ($0.element.x, $0.offset) < ($1.element.x, $1.offset) }.map(\.element)
    }
}

/// The parameters of several runs, to find those that distinguish them.
package struct GivenValues {
    /// The names whose values differ, or that only some runs have, in the order of the runs' parameters.
    package let differing: [String]

    package init(_ runs: [[(name: String, text: String)]]) {
        var names: [String] = []
        var values: [String: (text: String, count: Int, differs: Bool)] = [:]
        for given in runs {
            for (name, text) in given {
                guard let known = values[name] else {
                    names.append(name)
                    values[name] = (text, 1, false)
                    continue
                }
                values[name] = (known.text, known.count + 1, known.differs || known.text != text)
            }
        }
        differing = names.filter { name in values[name].map { $0.differs || $0.count < runs.count } ?? false }
    }
}
