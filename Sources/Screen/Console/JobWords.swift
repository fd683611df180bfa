import PotluckCore
import PotluckKit

/// The words for what a job computes.
extension JobSpec {
    var name: String { recipe.experiment.simulation.name }

    /// `doors 3`, for every parameter that has an effect.
    var values: [String] { parameters.map { "\($0.label) \($0.value)" } }

    /// The command that computes the same bytes again, as words that must not be broken. Returns nil if the names of
    /// the parameters or the input files are not known.
    func command(trials: UInt64, typed: String? = nil, inputs: [RecordedInput] = []) -> [String]? {
        let (hash, experiment) = (inputs.isEmpty ? 0 : RecordedFiles.hashSlots, recipe.experiment)
        guard title.parameters.count + hash == experiment.parameters.count else { return nil }
        let set = title.parameters.filter { !$0.isStandard }.map { "-p " + ShellWord.shown("\($0.label)=\($0.value)") }
        return ["potluck", "run", ShellWord.shown(typed ?? name)] + set + inputs.map(\.option)
            + (isSearch ? [] : ["--trials \(Figures.typed(trials))", "--seed \(experiment.seed)"])
            // What it writes is a part of what it computes.
            + (recipe.collects ? ["-o FILE"] : [])
    }
}

extension JobResult {
    /// The command that computes these bytes again. Returns nil if none does: nothing was computed, a search was stopped, or
    /// a name is not known.
    func command(typed: String? = nil, inputs: [RecordedInput] = []) -> [String]? {
        let isWhole = !spec.isSearch || trials == spec.goal.trials
        return trials > 0 && isWhole ? spec.command(trials: trials, typed: typed, inputs: inputs) : nil
    }
}

extension ShellWord {
    /// Quotes a text as one shell word. Names come from other people, so characters that are unsafe on a screen are
    /// replaced.
    package static func shown(_ text: String) -> String { quoted(Cells.clean(text, unicode: true)) }
}

extension Priority {
    /// The priority in words; nil if it is the usual one.
    var words: String? { self == .normal ? nil : "\(rawValue) priority" }
}

/// The words and colours for a job's state. Colour only repeats the words.
extension JobState {
    func words(_ remaining: Remaining) -> String {
        switch self {
        case .waiting(let wait): wait.words
        case .running: remaining.words
        case .paused: "paused"
        case .stopping: "stopping: finishing the current blocks"
        case .done(let completion): completion.words
        case .failed(let why): "failed: \(why.brief)"
        }
    }

    /// What the job waits for, in words; nil if it does not wait.
    package var waitWords: String? { if case .waiting(let wait) = self { wait.words } else { nil } }

    var isUnderWay: Bool {
        switch self {
        case .waiting, .done, .failed: false
        case .running, .paused, .stopping: true
        }
    }

    var ink: Ink {
        switch self {
        case .running: .plain
        case .waiting: .faint
        case .paused, .stopping: .warning
        case .done: .good
        case .failed: .bad
        }
    }
}

extension JobSnapshot {
    /// Says that the readings lag behind; nil if they do not.
    var lag: String? {
        picture.isReadSlowly && picture.state.isUnderWay
            ? "the simulation is slow to compute its readings, so they lag behind" : nil
    }
}

extension JobWait {
    var words: String {
        switch self {
        case .simulation: "preparing the simulation"
        case .line(let before, nil): "queued behind \(before) other \(before == 1 ? "job" : "jobs")"
        case .line(let before, let first?): "queued behind \(first.words)" + Self.others(before - 1)
        case .start(let duration): "starts in \(Figures.rough(max(.seconds(1), duration)))"
        case .workers(let here, let wanted, let names) where names.isEmpty:
            "waiting for workers: \(here) of \(wanted) ready"
        case .workers(let here, let wanted, let names):
            "waiting for \(Self.list(names, isChoice: wanted < names.count)): \(here) of \(wanted) ready"
        }
    }

    private static func others(_ count: Int) -> String {
        count > 0 ? " and \(count) other \(count == 1 ? "job" : "jobs")" : ""
    }

    /// `bob, cy or dan`, or `bob, cy and dan`.
    private static func list(_ names: [String], isChoice: Bool) -> String {
        let last = names.suffix(1).joined()
        return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + (isChoice ? " or " : " and ") + last
    }
}

extension JobAhead {
    fileprivate var words: String { "\(name) (job \(id))" }
}

extension Completion {
    var words: String {
        switch self {
        case .trials: "done"
        case .precision: "done: precision reached"
        case .duration: "done: time limit reached"
        case .stopped: "stopped"
        }
    }
}

extension Remaining {
    var words: String {
        switch self {
        case .endless: "runs until stopped"
        case .unknown: "no estimate yet"
        case .about(let duration) where duration < .seconds(1): "less than 1 s left"
        case .about(let duration): "about \(Figures.rough(duration)) left"
        }
    }
}

/// The words for what a node does.
extension NodeWork {
    var words: String {
        switch self {
        case .computing: "computing"
        case .idle: "idle"
        case .preparing: "preparing"
        case .resting: "resting"
        case .silent: "silent"
        case .setAside: "set aside"
        case .unable(let why): "unable: \(why)"
        case .gone: "gone"
        case .shutOut: "shut out"
        }
    }

    /// The word under which nodes are counted; without the reason of `unable`.
    var word: String { if case .unable = self { "unable" } else { words } }

    var ink: Ink {
        switch self {
        case .computing: .plain
        case .idle, .preparing, .resting, .gone: .faint
        case .silent, .setAside, .unable: .warning
        case .shutOut: .bad
        }
    }

    /// The sort order: nodes that need attention first, nodes that are gone last.
    var rank: Int {
        switch self {
        case .shutOut: 0
        case .unable: 1
        case .setAside: 2
        case .silent: 3
        case .preparing: 4
        case .computing: 5
        case .idle: 6
        case .resting: 7
        case .gone: 8
        }
    }
}
