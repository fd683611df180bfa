import PotluckCore
import Testing

@testable import PotluckNet

/// Requests and their answers.
@Suite struct SiteTests {
    private static let site = Site([
        PageFile(name: "index.html", octets: Array("<!DOCTYPE html>".utf8)),
        PageFile(name: "page.js", octets: Array("1".utf8)), PageFile(name: "secret.key", octets: [1]),
    ])
    private static let local = Endpoint(octets: [10, 0, 0, 5], port: 7077)!

    private func answer(_ text: String, at local: Endpoint = Self.local) -> Response? {
        var octets = Array(text.utf8)
        do throws(Request.ReadError) {
            return try Request.take(from: &octets).map { Self.site.answer($0, at: local) }
        } catch {
            return Response(error)
        }
    }

    private func get(_ path: String, _ headers: String = "Host: 10.0.0.5:7077\r\n", at local: Endpoint = Self.local)
        -> Response?
    {
        answer("GET \(path) HTTP/1.1\r\n\(headers)\r\n", at: local)
    }

    private func head(_ response: Response?) -> String { String(decoding: response?.head ?? [], as: UTF8.self) }

    @Test func thePagesFilesAreServed() {
        let index = get("/")
        #expect(index?.status == .ok && index?.body == Array("<!DOCTYPE html>".utf8))
        #expect(get("/index.html")?.body == index?.body && get("/?projector")?.body == index?.body)
        #expect(head(index).contains("Content-Type: text/html; charset=utf-8\r\n"))
        #expect(head(index).contains("Content-Length: 15\r\n"))
        #expect(head(get("/page.js")).contains("Content-Type: text/javascript; charset=utf-8\r\n"))
        for path in ["/secret.key", "/..", "/index.html/", "/INDEX.HTML", "/%69ndex.html", "//"] {
            #expect(get(path)?.status == .unknown)
        }
    }

    @Test func everyAnswerProtectsThePage() {
        let host = "Host: 10.0.0.5:7077\r\n"
        let all = [
            get("/"), get("/x"), get("/", "Host: evil\r\n"), get("/link", host), answer("POST / HTTP/1.1\r\n\r\n"),
            answer("x\r\n\r\n"), answer(String(repeating: "a", count: 3000)),
            get("/link", host + "Origin: http://10.0.0.5:7077\r\n"),
            answer(String(decoding: Self.handshake, as: UTF8.self)),
        ]
        #expect(
            all.map { $0?.status } == [
                .ok, .unknown, .misdirected, .forbidden, .method, .malformed, .tooLong, .upgrade, .switching,
            ])
        for response in all {
            let head = head(response)
            #expect(
                head.contains(
                    "\r\nContent-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
                        + "style-src 'self'; img-src 'self' data:; worker-src 'self'; connect-src 'self'; base-uri 'none'; "
                        + "form-action 'none'; frame-ancestors 'none'\r\n"))
            for line in ["X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cache-Control: no-cache"] {
                #expect(head.contains("\r\n\(line)\r\n"))
            }
            #expect(!head.contains("Set-Cookie") && !head.contains("Access-Control"))
        }
    }

    @Test func aFileThatTheBrowserHasIsNotSentAgain() {
        let first = head(get("/"))
        let line = first.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }
        let tag = line.map { String($0.dropFirst(6)) } ?? ""
        let again = get("/", "Host: 10.0.0.5:7077\r\nIf-None-Match: \(tag)\r\n")
        #expect(again?.status == .unchanged && again?.body == [])
        #expect(get("/", "Host: 10.0.0.5:7077\r\nIf-None-Match: \"x\"\r\n")?.status == .ok)
    }

    @Test func theHeadAloneHasNoBody() {
        let response = answer("HEAD / HTTP/1.1\r\nHost: 10.0.0.5:7077\r\n\r\n")
        #expect(response?.status == .ok && response?.body == [])
        #expect(head(response).contains("Content-Length: 15\r\n"))
    }

    /// A foreign page can have its name resolved to our address, but not change the name that the browser sends.
    @Test(
        arguments: [
            ([10, 0, 0, 5], 7077, "10.0.0.5:7077", true), ([10, 0, 0, 5], 7077, "10.0.0.6:7077", false),
            ([10, 0, 0, 5], 7077, "10.0.0.5", false), ([10, 0, 0, 5], 7077, "10.0.0.5:7078", false),
            ([10, 0, 0, 5], 7077, "evil.example:7077", false), ([10, 0, 0, 5], 7077, "localhost:7077", false),
            ([10, 0, 0, 5], 7077, "10.0.0.5:7077.evil", false), ([10, 0, 0, 5], 7077, "", false),
            ([127, 0, 0, 1], 7077, "localhost:7077", true), ([127, 0, 0, 1], 80, "LocalHost", true),
            ([10, 0, 0, 5], 80, "10.0.0.5", true), ([10, 0, 0, 5], 80, "10.0.0.5:80", true),
            ([0xfd] + [UInt8](repeating: 0, count: 14) + [1], 7077, "[fd00::1]:7077", true),
            ([UInt8](repeating: 0, count: 15) + [1], 7077, "localhost:7077", true),
        ] as [([UInt8], UInt16, String, Bool)])
    func onlyOurAddressIsAHost(_ octets: [UInt8], _ port: UInt16, _ host: String, _ isOurs: Bool) throws {
        let local = try #require(Endpoint(octets: octets, port: port))
        #expect(get("/", "Host: \(host)\r\n", at: local)?.status == (isOurs ? .ok : .misdirected))
    }

    @Test func aRequestNeedsExactlyOneHost() {
        #expect(get("/", "")?.status == .misdirected)
        #expect(get("/", "Host: 10.0.0.5:7077\r\nHost: 10.0.0.5:7077\r\n")?.status == .malformed)
    }

    private static let handshake = Array(
        ("GET /link HTTP/1.1\r\nHost: 10.0.0.5:7077\r\nOrigin: http://10.0.0.5:7077\r\nConnection: keep-alive, Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
            .utf8)

    /// The example of RFC 6455.
    @Test func aWebSocketBegins() {
        let response = answer(String(decoding: Self.handshake, as: UTF8.self))
        #expect(response?.status == .switching)
        #expect(head(response).contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
    }

    @Test(arguments: [
        ("Origin: http://10.0.0.5:7077", "Origin: http://evil.example", Response.Status.forbidden),
        ("Origin: http://10.0.0.5:7077\r\n", "", .forbidden), ("Origin: http:", "Origin: https:", .forbidden),
        ("Origin: http://10.0.0.5:7077", "Origin: null", .forbidden),
        ("Upgrade: websocket", "Upgrade: h2c", .upgrade), ("Version: 13", "Version: 8", .upgrade),
        ("keep-alive, Upgrade", "keep-alive", .upgrade), ("Key: dGhl", "Key: ", .malformed),
        ("GET", "HEAD", .upgrade),
    ])
    func anythingElseIsRefused(_ part: String, _ other: String, _ status: Response.Status) {
        let text = String(decoding: Self.handshake, as: UTF8.self).replacing(part, with: other)
        #expect(answer(text)?.status == status)
    }

    @Test(arguments: [
        "get / HTTP/1.1", "GET  / HTTP/1.1", "GET / HTTP/1.0", "GET / HTTP/2", "GET http://10.0.0.5:7077/ HTTP/1.1",
        "GET / HTTP/1.1 ", "GET /\u{1} HTTP/1.1", "GET /", "", "GET * HTTP/1.1",
    ])
    func onlyOneFormOfARequestLineIsRight(_ line: String) {
        #expect(answer("\(line)\r\nHost: 10.0.0.5:7077\r\n\r\n")?.status == .malformed)
    }

    @Test(arguments: [
        "A b: c", ": c", "A", " A: b", "A: b\r\n c", "Content-Length: 5", "Transfer-Encoding: chunked", "A: b\nC: d",
        "A\u{0}: b", "A: \u{0}",
    ])
    func onlyOneFormOfHeadersIsRight(_ line: String) {
        #expect(get("/", "Host: 10.0.0.5:7077\r\n\(line)\r\n")?.status == .malformed)
    }

    @Test func requestsMayComeOneAfterTheOther() throws {
        var octets = Array("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost:\ty \r\n\r\nGET".utf8)
        let first = try Request.take(from: &octets)
        let second = try Request.take(from: &octets)
        #expect(first?.path == "/a" && second?.path == "/b" && second?["host"] == "y")
        #expect(try Request.take(from: &octets) == nil && octets == Array("GET".utf8))
    }

    @Test func aRequestMayHaveExactlyTheLimit() {
        let start = "GET / HTTP/1.1\r\nHost: 10.0.0.5:7077\r\nX: "
        let padding = String(repeating: "a", count: PageLimits.request - start.utf8.count - 4)
        #expect(answer(start + padding + "\r\n\r\n")?.status == .ok)
        #expect(answer(start + padding + "a\r\n\r\n")?.status == .tooLong)
    }
}
