/// Why a file cannot be compiled to a module.
public enum WorkshopError: Error, Equatable, Sendable {
    /// One line for the author.
    case refused(String)
    /// The compiler's messages, in terms of the author's file.
    case compiler(String)

    public var message: String {
        switch self {
        case .refused(let line): line
        case .compiler(let text): text
        }
    }
}
