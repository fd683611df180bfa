/// The answer to a request.
public struct Response: Sendable {
    public enum Status: Int, Sendable {
        case switching = 101
        case ok = 200
        case unchanged = 304
        case malformed = 400
        case forbidden = 403
        case unknown = 404
        case method = 405
        case misdirected = 421
        case upgrade = 426
        case tooLong = 431

        fileprivate var words: String {
            switch self {
            case .switching: "Switching Protocols"
            case .ok: "OK"
            case .unchanged: "Not Modified"
            case .malformed: "Bad Request"
            case .forbidden: "Forbidden"
            case .unknown: "Not Found"
            case .method: "Method Not Allowed"
            case .misdirected: "Misdirected Request"
            case .upgrade: "Upgrade Required"
            case .tooLong: "Request Header Fields Too Large"
            }
        }
    }

    public let status: Status
    /// The status line with the headers, to be sent before the body.
    public let head: [UInt8]
    /// Kept apart, so that all connections share the bytes of a file.
    public let body: [UInt8]
    /// Whether the connection stays open for another request.
    public var staysOpen: Bool {
        switch status {
        case .switching, .ok, .unchanged, .unknown: true
        default: false
        }
    }

    /// The headers of every response. They forbid things that the page does not need: other hosts, inline scripts,
    /// frames.
    static let protection = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
                + "worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-cache"),
    ]

    init(_ status: Status, _ headers: [(String, String)] = [], body: [UInt8] = [], isHead: Bool = false) {
        self.status = status
        self.body = isHead ? [] : body
        var lines = ["HTTP/1.1 \(status.rawValue) \(status.words)"]
        lines += (headers + Self.protection).map { "\($0.0): \($0.1)" }
        switch status {
        case .switching, .unchanged: break
        default: lines.append("Content-Length: \(body.count)")
        }
        switch status {
        case .switching: lines += ["Connection: Upgrade", "Upgrade: websocket"]
        case .ok, .unchanged, .unknown: break
        default: lines.append("Connection: close")
        }
        head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// An answer that says in a line what is wrong.
    static func refusal(_ status: Status, _ why: String, _ headers: [(String, String)] = [], isHead: Bool = false)
        -> Response
    {
        Response(
            status, headers + [("Content-Type", "text/plain; charset=utf-8")], body: Array((why + "\n").utf8),
            isHead: isHead)
    }

    public init(_ fault: Request.ReadError) {
        switch fault {
        case .malformed: self = .refusal(.malformed, "This is not a request that Potluck understands.")
        case .method: self = .refusal(.method, "Only GET and HEAD are possible here.", [("Allow", "GET, HEAD")])
        case .tooLong: self = .refusal(.tooLong, "The request is too long.")
        }
    }
}
