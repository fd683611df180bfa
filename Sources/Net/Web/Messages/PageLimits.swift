/// The limits of a page's messages, and of messages to a page, each with its reason.
public enum PageLimits {
    // MARK: HTTP

    /// The most bytes of a request line with its headers. Browsers send about 500.
    public static let request = 2048

    // MARK: WebSocket

    /// The most bytes of a message in either direction: a tally of 4000 slots, or a part of an output.
    public static let message = 64 << 10
    /// The most bytes of a simulation's text: in a message, where half of it may be escaped, it has room. Six hundred lines have
    /// fewer.
    public static let script = 24 << 10
    /// The most frames of a message, empty ones included. Browsers send one.
    static let frames = 16
    /// The most bytes of a control frame (RFC 6455).
    static let control = 125

    // MARK: Messages of a page

    /// The most characters that a user may type for a name.
    public static let name = 40
    /// The most cores that a page may lend: more than any browser has.
    static let cores = 64
    /// The most characters of a reason. It is one line on a screen.
    static let line = 300
    /// The most characters of an attempt. The gateway itself makes them.
    static let attempt = 32
    /// The most bytes of a blob or an output in one message; in base64 two thirds of the longest message.
    public static let part = 32 << 10
}
