/// What a program with ranks in C is made of, as the author names it.
public struct CSources: Sendable {
    /// The path of the file after which the program is called.
    public let main: String
    /// The paths of its other files.
    public let others: [String]
    /// The folders of headers, besides those of the files.
    public let folders: [String]
    /// Macros that every file sees: `NAME` or `NAME=VALUE`.
    public let definitions: [String]

    public init(_ main: String, others: [String] = [], folders: [String] = [], definitions: [String] = []) {
        (self.main, self.others, self.folders, self.definitions) = (main, others, folders, definitions)
    }

    /// Whether a text is a macro's name, perhaps with a value.
    public static func isDefinition(_ text: String) -> Bool {
        let name = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        return name.first.map { !(48...57).contains($0) } == true && name.allSatisfy(isOfName)
            && !text.utf8.contains { $0 < 32 }
    }

    /// Whether the octet may be in a name in C.
    static func isOfName(_ octet: UInt8) -> Bool {
        (48...57).contains(octet) || (65...90).contains(octet) || (97...122).contains(octet) || octet == 95
    }
}
