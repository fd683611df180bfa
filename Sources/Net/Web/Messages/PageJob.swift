import PotluckCore

/// A picture of a job for a page.
public struct PageJob: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        case waiting, running, paused, stopping, done, failed
        /// Its coordinator is lost, and the rest of the picture is from before.
        case lost
    }

    public struct Parameter: Sendable, Equatable {
        public let name: String
        public let value: String
        let isDefault: Bool

        public init(name: String, value: String, isDefault: Bool) {
            (self.name, self.value, self.isDefault) = (name, value, isDefault)
        }
    }

    /// The names of a job: its simulation and its submitter.
    public struct Title: Sendable, Equatable {
        public let simulation: String
        let summary: String
        public let submitter: String
        public let parameters: [Parameter]
        let unit: WorkUnit

        public init(
            simulation: String, summary: String, submitter: String, parameters: [Parameter], unit: WorkUnit
        ) {
            (self.simulation, self.summary, self.submitter) = (simulation, summary, submitter)
            (self.parameters, self.unit) = (parameters, unit)
        }
    }

    /// How far the job is.
    public struct Progress: Sendable, Equatable {
        public let trials: UInt64
        /// The goal in words.
        public let goal: String
        /// From 0 to 1; nil if it is not known.
        let fraction: Double?
        public let elapsed: Double
        let left: Double?
        public let rate: Double?

        public init(
            trials: UInt64, goal: String, fraction: Double?, elapsed: Double, left: Double?, rate: Double?
        ) {
            (self.trials, self.goal, self.fraction) = (trials, goal, fraction)
            (self.elapsed, self.left, self.rate) = (elapsed, left, rate)
        }
    }

    /// The best solution of a search, in words and as a picture.
    public struct Best: Sendable, Equatable {
        public let text: String
        let points: [(x: Double, y: Double)]

        public init(text: String, points: [(x: Double, y: Double)]) { (self.text, self.points) = (text, points) }

        public static func == (a: Best, b: Best) -> Bool { a.json == b.json }
    }

    /// What lets anybody compute a finished run again, and compare.
    public struct Proof: Sendable, Equatable {
        public let digest: String
        /// Nil for a search, which draws nothing.
        let seed: UInt64?
        /// The plain counts of the tally.
        let counts: [(name: String, number: UInt64)]
        /// The command that gives the same digest; nil if only the run's author has its simulation.
        let command: String?

        public init(digest: String, seed: UInt64?, counts: [(name: String, number: UInt64)], command: String?) {
            (self.digest, self.seed, self.counts, self.command) = (digest, seed, counts, command)
        }

        public static func == (a: Proof, b: Proof) -> Bool {
            (a.digest, a.seed, a.command) == (b.digest, b.seed, b.command)
                && a.counts.elementsEqual(b.counts) { $0 == $1 }
        }
    }

    public let job: JobID
    public let title: Title
    public var state: State
    /// What it waits for, how it ended, why it failed, or with whom contact is lost.
    public var detail: String?
    public let progress: Progress
    public let readings: [PageReading]
    public let nodes: [PageNode]
    let best: Best?
    /// Nil until the job is done.
    public let proof: Proof?
    /// How much came from browsers, in words.
    public let browsers: String?
    /// Whether the host hides the exact answers, so that people can guess.
    public let hidesExact: Bool

    public init(
        job: JobID, title: Title, state: State, detail: String?, progress: Progress, readings: [PageReading],
        nodes: [PageNode], best: Best? = nil, proof: Proof? = nil, browsers: String? = nil, hidesExact: Bool
    ) {
        (self.job, self.title, self.state, self.detail) = (job, title, state, detail)
        (self.progress, self.readings, self.nodes) = (progress, readings, nodes)
        (self.best, self.proof, self.browsers, self.hidesExact) = (best, proof, browsers, hidesExact)
    }

    var json: JSON {
        .object([
            ("is", "job"), ("job", .string(job.text)), ("simulation", .string(title.simulation)),
            ("summary", .string(title.summary)), ("submitter", .string(title.submitter)),
            (
                "parameters",
                JSON(
                    title.parameters.map {
                        ["name": .string($0.name), "value": .string($0.value), "isDefault": JSON($0.isDefault)]
                    })
            ),
            ("state", .string(state.rawValue)), ("detail", JSON(detail)), ("trials", .big(progress.trials)),
            ("goal", .string(progress.goal)), ("fraction", JSON(progress.fraction)),
            ("elapsed", .number(progress.elapsed)), ("left", JSON(progress.left)), ("rate", JSON(progress.rate)),
            ("readings", JSON(readings.map(\.json))), ("nodes", JSON(nodes.map(\.json))),
            ("isSearch", JSON(title.unit == .point)), ("unit", .string("\(title.unit)")), ("best", best?.json ?? .null),
            ("digest", JSON(proof?.digest)), ("seed", proof?.seed.map(JSON.big) ?? .null),
            ("counts", JSON((proof?.counts ?? []).map { .array([.string($0.name), .big($0.number)]) })),
            ("repeat", JSON(proof?.command)), ("hidesExact", JSON(hidesExact)), ("browsers", JSON(browsers)),
        ])
    }
}

extension PageJob.Best {
    fileprivate var json: JSON {
        [
            "text": .string(text),
            "points": points.isEmpty ? .null : JSON(points.map { .array([.number($0.x), .number($0.y)]) }),
        ]
    }
}

/// A reading for a page.
public struct PageReading: Sendable, Equatable {
    public struct Bins: Sendable, Equatable {
        let low: Double
        let high: Double
        public let counts: [UInt64]

        public init(low: Double, high: Double, counts: [UInt64]) {
            (self.low, self.high, self.counts) = (low, high, counts)
        }
    }

    /// A histogram in two dimensions.
    public struct Cells: Sendable, Equatable {
        let x: ClosedRange<Double>
        let y: ClosedRange<Double>
        let outside: UInt64
        /// From the lowest y.
        public let rows: [[UInt64]]

        public init(x: ClosedRange<Double>, y: ClosedRange<Double>, outside: UInt64, rows: [[UInt64]]) {
            (self.x, self.y, self.outside, self.rows) = (x, y, outside, rows)
        }
    }

    /// A time of a series.
    public struct Time: Sendable, Equatable {
        let number: Int
        let value: Double
        let interval: ClosedRange<Double>?

        public init(number: Int, value: Double, interval: ClosedRange<Double>?) {
            (self.number, self.value, self.interval) = (number, value, interval)
        }
    }

    public let name: String
    /// `proportion`, `mean`, `variance`, `derived`, `histogram`, `category`, `series` or `histogram2D`.
    public let kind: String
    public let value: Double?
    let interval: ClosedRange<Double>?
    /// Nil if there is none, and while the host hides it.
    let exact: Double?
    /// The value as the screens write it.
    public let text: String
    let note: String?
    public var bins: Bins?
    public var cells: Cells?
    /// The times of a series; empty for other readings.
    public var curve: [Time]

    public init(
        name: String, kind: String, value: Double?, interval: ClosedRange<Double>?, exact: Double?, text: String,
        note: String?, bins: Bins? = nil, cells: Cells? = nil, curve: [Time] = []
    ) {
        (self.name, self.kind, self.value, self.interval) = (name, kind, value, interval)
        (self.exact, self.text, self.note) = (exact, text, note)
        (self.bins, self.cells, self.curve) = (bins, cells, curve)
    }

    var json: JSON {
        [
            "name": .string(name), "kind": .string(kind), "value": JSON(value), "low": JSON(interval?.lowerBound),
            "high": JSON(interval?.upperBound), "exact": JSON(exact), "text": .string(text), "note": JSON(note),
            "bins": bins.map {
                ["low": .number($0.low), "high": .number($0.high), "counts": JSON($0.counts.map(JSON.big))]
            } ?? .null,
            "cells": cells?.json ?? .null,
            "curve": curve.isEmpty ? .null : JSON(curve.map(\.json)),
        ]
    }
}

extension PageReading.Cells {
    fileprivate var json: JSON {
        [
            "x": .array([.number(x.lowerBound), .number(x.upperBound)]),
            "y": .array([.number(y.lowerBound), .number(y.upperBound)]), "outside": .big(outside),
            "rows": JSON(rows.map { JSON($0.map(JSON.big)) }),
        ]
    }
}

extension PageReading.Time {
    fileprivate var json: JSON {
        .array([
            .number(Double(number)), .number(value), JSON(interval?.lowerBound), JSON(interval?.upperBound),
        ])
    }
}

/// A node's part in a job, for a page.
public struct PageNode: Sendable, Equatable {
    public let name: String
    let cores: Int
    /// From 0 to 1.
    let share: Double
    public let rate: Double?
    public let state: String
    public let kind: PageMember.Kind
    /// From 0 to 1: how much of its part was computed a second time; nil if unknown.
    public let recomputed: Double?

    public init(
        name: String, cores: Int, share: Double, rate: Double?, state: String, kind: PageMember.Kind = .laptop,
        recomputed: Double? = nil
    ) {
        (self.name, self.cores, self.share, self.rate) = (name, cores, share, rate)
        (self.state, self.kind, self.recomputed) = (state, kind, recomputed)
    }

    var json: JSON {
        [
            "name": .string(name), "cores": JSON(cores), "share": .number(share), "rate": JSON(rate),
            "state": .string(state), "kind": .string(kind.rawValue), "recomputed": JSON(recomputed),
        ]
    }
}

/// A point of a job's chart: the readings at a checkpoint.
public struct PagePoint: Sendable, Equatable {
    public struct Value: Sendable, Equatable {
        public let value: Double
        let interval: ClosedRange<Double>?

        public init(value: Double, interval: ClosedRange<Double>?) { (self.value, self.interval) = (value, interval) }
    }

    public let trials: UInt64
    public let elapsed: Double?
    /// One a reading.
    let values: [Value?]

    public init(trials: UInt64, elapsed: Double?, values: [Value?]) {
        (self.trials, self.elapsed, self.values) = (trials, elapsed, values)
    }

    public var json: JSON {
        [
            "trials": .big(trials), "elapsed": JSON(elapsed),
            "values": JSON(
                values.map { value in
                    guard let value else { return .null }
                    return .array([
                        .number(value.value), JSON(value.interval?.lowerBound), JSON(value.interval?.upperBound),
                    ])
                }),
        ]
    }
}

/// A member of the session, or a viewer of its page.
public struct PageMember: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case laptop, browser, viewer
    }

    public let name: String
    let cores: Int
    public let kind: Kind
    /// Whether it is connected at the moment.
    let isHere: Bool

    public init(name: String, cores: Int, kind: Kind, isHere: Bool = true) {
        (self.name, self.cores, self.kind, self.isHere) = (name, cores, kind, isHere)
    }
}
