import PotluckArguments

/// The headings under which the help of commands lists options. A command's help has them in the order of its options.
extension OptionGroup {
    static let compute = OptionGroup("What to compute")
    static let limits = OptionGroup("Limits")
    static let place = OptionGroup("Where")
    static let plugins = OptionGroup("Plugins")
    static let session = OptionGroup("Session")
    static let runs = OptionGroup("Which runs")
    static let output = OptionGroup("Output")
    static let storage = OptionGroup("Storage")
    static let network = OptionGroup("Network")
}

/// Options that mean the same to several commands.
enum CommonOptions {
    static let json = Flag("json", "print JSON", in: .output)
    static let jsonLines = Flag("json", "print events as JSON, one object per line", in: .output)
    static let duration = Option(
        "for", "TIME", "stop after a time: 10s, 500ms, 2m, 1h30m", in: .limits, Quantities.duration)

    /// An option whose value is any text.
    static func text(_ text: String) throws(ValueError) -> String { text }
}
