/// What may stand for a value, for the completions of shells.
package indirect enum Values: Sendable, Equatable {
    /// Anything, so that nothing can be offered.
    case any
    case words([String])
    /// Files whose names end so, and folders. Without endings, all files.
    case files([String])
    case folders
    /// What the program finds when it is asked.
    case found(Noun)
    /// Several of these, with commas between them.
    case list(Values)
    /// Depends on the first argument of the command.
    case after([String: Values])

    package enum Noun: Sendable {
        /// The name of a simulation, or its file.
        case simulation
        /// `NAME=VALUE` for a parameter of the simulation in the line, and `NAME=FILE` for one of its tables.
        case parameter, input
        /// A session nearby, and one that this machine serves again.
        case session, servedSession
        /// A node of the session in the line.
        case node
        /// The number of a run in the history, and of a stopped run.
        case run, stoppedRun
    }

    /// The values that a placeholder or the name of an argument means everywhere.
    init(meantBy placeholder: String?) {
        switch placeholder {
        case "FILE", "FILE.prom": self = .files([])
        case "DIR", "FOLDER": self = .folders
        case "SESSION": self = .found(.session)
        case "NAME=VALUE", "NAME=VALUES": self = .found(.parameter)
        case "NAME=FILE": self = .found(.input)
        case "NAME,…", "NAME:N,NAME:N": self = .list(.found(.node))
        case let choices? where choices.contains("|"): self = .words(choices.split(separator: "|").map(String.init))
        default: self = .any
        }
    }
}

/// What a shell offers for the word that is being typed.
package struct Offer: Sendable, Equatable {
    package struct Word: Sendable, Equatable {
        package var text: String
        package let help: String

        package init(_ text: String, _ help: String = "") { (self.text, self.help) = (text, help) }
    }

    /// Which files the shell adds. It knows better than a program how to complete their names.
    package enum Files: Sendable, Equatable {
        case none, folders
        /// Those whose names end so, and folders. Without endings, all.
        case ending([String])
    }

    package var words: [Word]
    package var files: Files

    package init(_ words: [Word] = [], files: Files = .none) { (self.words, self.files) = (words, files) }

    /// The answer to a shell. Its first line says which files the shell adds; each other line is a word, and after a tab
    /// what it means.
    package var text: String {
        let first =
            switch files {
            case .none: "words"
            case .folders: "folders"
            case .ending(let endings): (["files"] + endings).joined(separator: " ")
            }
        return ([first] + words.map { $0.help.isEmpty ? $0.text : "\($0.text)\t\($0.help)" })
            .joined(separator: "\n") + "\n"
    }
}
