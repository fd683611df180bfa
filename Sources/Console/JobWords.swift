import PotluckKit
import PotluckModel

/// What is computed, in words.
extension JobSpec {
    var name: String { experiment.simulation.name }

    /// `doors 3`, for every parameter.
    var values: [String] { title.parameters.map { "\($0.label) \($0.value)" } }

    /// The command that computes the same bytes again, in words that stay together. Nil where it is not known what the
    /// parameters are called, or which files it took.
    func command(trials: UInt64, typed: String? = nil, inputs: [RecordedInput] = []) -> [String]? {
        let hash = inputs.isEmpty ? 0 : RecordedFiles.hashSlots
        guard title.parameters.count + hash == experiment.parameters.count else { return nil }
        let set = title.parameters.filter { !$0.isStandard }.map { "-p " + ShellWord.shown("\($0.label)=\($0.value)") }
        return ["potluck", "run", ShellWord.shown(typed ?? name)] + set + inputs.map(\.option)
            + ["--trials \(Figures.typed(trials))", "--seed \(experiment.seed)"]
    }
}

extension ShellWord {
    /// Names come from other people: what a screen may show of them, as one word.
    static func shown(_ text: String) -> String { quoted(Cells.clean(text, unicode: true)) }
}

/// How a job stands, in words; colour only repeats them.
extension JobState {
    func words(_ remaining: Remaining) -> String {
        switch self {
        case .waiting(let wait): wait.words
        case .running: remaining.words
        case .paused: "paused"
        case .stopping: "stopping: finishing the current blocks"
        case .done(let completion): completion.words
        case .failed(let why): "failed: \(BlockFailure.brief(why))"
        }
    }

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
    /// Why its figures are old, where they are.
    var lag: String? {
        isReadSlowly && state.isUnderWay
            ? "the simulation is slow to compute its readings, so they lag behind" : nil
    }
}

extension JobWait {
    var words: String {
        switch self {
        case .simulation: "preparing the simulation"
        case .line(let before): "queued behind \(before) other \(before == 1 ? "job" : "jobs")"
        case .start(let duration): "starts in \(Figures.rough(max(.seconds(1), duration)))"
        case .workers(let here, of: let wanted): "waiting for workers: \(here) of \(wanted) connected"
        }
    }
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

/// What a node does, in words.
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

    /// What all of them together are counted under.
    var word: String { if case .unable = self { "unable" } else { words } }

    var ink: Ink {
        switch self {
        case .computing: .plain
        case .idle, .preparing, .resting, .gone: .faint
        case .silent, .setAside, .unable: .warning
        case .shutOut: .bad
        }
    }

    /// Those one may have to do something about come first, those who are gone last.
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
