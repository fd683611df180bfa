/// The headings of options in help texts. A command's help lists them in the order of its options.
extension OptionGroup {
    package static let compute = OptionGroup("What to compute")
    package static let limits = OptionGroup("Limits")
    package static let place = OptionGroup("Where")
    package static let plugins = OptionGroup("Plugins")
    package static let session = OptionGroup("Session")
    package static let runs = OptionGroup("Which runs")
    package static let output = OptionGroup("Output")
    package static let storage = OptionGroup("Storage")
    package static let network = OptionGroup("Network")
    package static let log = OptionGroup("Messages")
}

/// Options that several commands share.
package enum CommonOptions {
    package static let json = Flag("json", "print JSON", in: .output)
    package static let jsonLines = Flag("json", "print events as JSON, one object per line", in: .output)
    package static let duration = Option(
        "for", "TIME", "stop after a time: 10s, 500ms, 2m, 1h30m", in: .limits, Quantities.duration)

    /// Accepts any text as an option's value.
    package static func text(_ text: String) throws(ValueError) -> String { text }

    package static func file(_ text: String) throws(ValueError) -> String {
        guard !text.isEmpty else { throw ValueError("use a file name") }
        return text
    }
}
