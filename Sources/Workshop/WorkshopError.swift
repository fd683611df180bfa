/// Why a file cannot be made into a module.
public enum WorkshopError: Error, Equatable, Sendable {
    /// One line for the author.
    case refused(String)
    /// What the compiler says, in the author's file and lines.
    case compiler(String)

    public var message: String {
        switch self {
        case .refused(let line): line
        case .compiler(let text): text
        }
    }
}
