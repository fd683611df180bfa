/// A request of a browser: a request line and headers, without a body.
public struct Request: Sendable, Equatable {
    /// What is wrong with bytes that are no request.
    public enum ReadError: Error, Equatable, Sendable {
        case malformed
        /// Another method than GET and HEAD.
        case method
        case tooLong
    }

    let isHead: Bool
    /// Begins with a slash. The part after a question mark is for the page alone and is left out.
    public let path: String
    /// By name in lower case. No name occurs twice.
    private let headers: [String: String]

    /// The most headers. Browsers send fifteen.
    private static let mostHeaders = 64

    subscript(_ name: String) -> String? { headers[name] }

    /// Whether a header is a list that contains the word, in any case.
    func lists(_ word: String, in name: String) -> Bool {
        (headers[name] ?? "").split(separator: ",").contains { part in
            part.drop { $0 == " " || $0 == "\t" }.lowercased().trimmedEnd == word
        }
    }

    /// Takes the first request from the bytes of a browser. Returns nil if it is not complete.
    public static func take(from octets: inout [UInt8]) throws(ReadError) -> Request? {
        guard let end = end(of: octets) else {
            guard octets.count < PageLimits.request else { throw .tooLong }
            // Bytes that are no request are refused at once, and not only when they are long enough.
            if octets.contains(0) { throw .malformed }
            return nil
        }
        guard end <= PageLimits.request else { throw .tooLong }
        let head = Array(octets[..<(end - 4)])
        octets.removeFirst(end)
        return try Request(head)
    }

    /// Returns the place after the empty line.
    private static func end(of octets: [UInt8]) -> Int? {
        guard octets.count >= 4 else { return nil }
        for place in 0...octets.count - 4
        where octets[place] == 13 && octets[place + 1] == 10 && octets[place + 2] == 13 && octets[place + 3] == 10 {
            return place + 4
        }
        return nil
    }

    private init(_ head: [UInt8]) throws(ReadError) {
        // Everything is printable ASCII, and lines end as they should.
        var lines: [[UInt8]] = [[]]
        var index = 0
        while index < head.count {
            let octet = head[index]
            if octet == 13, index + 1 < head.count, head[index + 1] == 10 {
                lines.append([])
                index += 1
            } else {
                guard octet == 9 || (0x20...0x7e).contains(octet) || octet >= 0x80 else { throw .malformed }
                lines[lines.count - 1].append(octet)
            }
            index += 1
        }
        guard lines.count - 1 <= Self.mostHeaders else { throw .malformed }
        (isHead, path) = try Self.requestLine(lines[0])
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let (name, value) = try Self.header(line)
            guard headers.updateValue(value, forKey: name) == nil else { throw .malformed }
        }
        guard headers["transfer-encoding"] == nil, headers["content-length"].map({ $0 == "0" }) ?? true else {
            throw .malformed
        }
        self.headers = headers
    }

    private static func requestLine(_ line: [UInt8]) throws(ReadError) -> (isHead: Bool, path: String) {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].elementsEqual("HTTP/1.1".utf8), parts[1].first == UInt8(ascii: "/"),
            parts[1].allSatisfy({ (0x21...0x7e).contains($0) }),
            !parts[0].isEmpty, parts[0].allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else { throw .malformed }
        let isHead = parts[0].elementsEqual("HEAD".utf8)
        guard isHead || parts[0].elementsEqual("GET".utf8) else { throw .method }
        return (isHead, String(decoding: parts[1].prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self))
    }

    private static func header(_ line: [UInt8]) throws(ReadError) -> (String, String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, line[..<colon].allSatisfy(isToken) else {
            throw .malformed
        }
        let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 9 }
        return (
            String(decoding: line[..<colon], as: UTF8.self).lowercased(),
            String(decoding: value, as: UTF8.self).trimmedEnd
        )
    }

    /// Whether a character may occur in a header's name.
    private static func isToken(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(octet)
        }
    }
}

extension String {
    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
