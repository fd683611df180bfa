/// The headings of options in help texts. A command's help lists them in the order of its options.
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
    static let log = OptionGroup("Messages")
}

/// Options that several commands share.
enum CommonOptions {
    static let json = Flag("json", "print JSON", in: .output)
    static let jsonLines = Flag("json", "print events as JSON, one object per line", in: .output)
    static let duration = Option(
        "for", "TIME", "stop after a time: 10s, 500ms, 2m, 1h30m", in: .limits, Quantities.duration)

    /// Accepts any text as an option's value.
    static func text(_ text: String) throws(ValueError) -> String { text }

    static func file(_ text: String) throws(ValueError) -> String {
        guard !text.isEmpty else { throw ValueError("use a file name") }
        return text
    }
}
